import BackendModel
import Scenario
import SimulationKernel

/// Requests that belong together, those of a run, of a download or of a snapshot, while they are under way.
struct Flight: BitwiseCopyable, Equatable {
  /// The latest end of a try so far; once nothing is pending, the end of the flight.
  var end: Instant = .longAgo
  /// The longest Retry-After that a server asked for, in milliseconds; -1: none did.
  private var retryAfterMilliseconds: Int32 = -1
  /// What has not come to its end: requests on their way together, and requests that wait for their next try.
  var pending: UInt16 = 0
  /// Why the requests are sent.
  var cause: Cause
  /// Whether a request has failed for good.
  var fails = false

  init(cause: Cause) { self.cause = cause }

  init(cause: Cause, at now: Instant) {
    self.cause = cause
    end = now
  }

  /// nil: no server asked for a time of its own.
  var retryAfter: TimeAmount? {
    retryAfterMilliseconds < 0 ? nil : .milliseconds(Int64(retryAfterMilliseconds))
  }

  /// The end of a flight that this run has joined is its own, Retry-After included (MODEL.md 5.2).
  mutating func takeOutcome(of other: Flight, at now: Instant) {
    end = now
    fails = other.fails
    retryAfterMilliseconds = other.retryAfterMilliseconds
  }

  /// A server asks to be left alone for a time; of several the longest counts (MODEL.md 5.5).
  mutating func ask(toWait span: TimeAmount) {
    retryAfterMilliseconds = max(retryAfterMilliseconds, Int32(clamping: span.milliseconds))
  }
}

/// The flight of a widget's run.
struct RunFlight: BitwiseCopyable {
  /// The last run's end stands in it while the widget rests.
  var flight = Flight(cause: .placement)
  /// For the latency of the run's first request.
  var latencyUniform: UInt64 = 0
}

/// A flight of a phone by its number: the runs of its widgets, then the downloads and the snapshots of kinds.
struct FlightNumber: BitwiseCopyable, Equatable {
  var number: UInt16

  /// What a number means.
  enum Owner: BitwiseCopyable {
    case run(Slot)
    case download(KindIndex)
    case snapshot(KindIndex)
  }

  static func run(_ slot: Slot) -> FlightNumber { FlightNumber(number: UInt16(truncatingIfNeeded: slot.place)) }

  static func download(_ kind: KindIndex) -> FlightNumber {
    FlightNumber(number: UInt16(truncatingIfNeeded: Slot.most + 2 * kind.place))
  }

  static func snapshot(_ kind: KindIndex) -> FlightNumber {
    FlightNumber(number: UInt16(truncatingIfNeeded: Slot.most + 2 * kind.place + 1))
  }

  var owner: Owner {
    let beyond = Int(number) - Slot.most
    if beyond < 0 { return .run(Slot(Int(number))) }
    return beyond & 1 == 0 ? .download(KindIndex(beyond / 2)) : .snapshot(KindIndex(beyond / 2))
  }
}

/// Whose requests a flight sends, and which draws they take.
///
/// In 24 bytes, which calls hand on in registers.
struct FlightSource: BitwiseCopyable {
  private let uniform: UInt64
  /// Ordinal of the run or of the snapshot, which keys the draws.
  let ordinal: UInt32
  let kind: KindIndex
  private let partInFewBits: UInt16
  let family: Family
  let cause: Cause
  let purpose: Purpose
  private let hasUniform: Bool

  /// - Parameters:
  ///   - part: of the draws: the member, or the kind of a snapshot.
  ///   - firstUniform: of the first request's first try where it comes with other draws; nil: it has its own.
  @inline(__always)
  init(
    kind: KindIndex, family: Family, cause: Cause, purpose: Purpose, part: Int, ordinal: UInt32,
    firstUniform: UInt64? = nil
  ) {
    uniform = firstUniform ?? 0
    hasUniform = firstUniform != nil
    self.kind = kind
    partInFewBits = UInt16(truncatingIfNeeded: part)
    self.family = family
    self.cause = cause
    self.purpose = purpose
    self.ordinal = ordinal
  }

  @inline(__always)
  var part: Int { Int(partInFewBits) }

  /// A request of the flight, by its number, and the tries before this one.
  struct Attempt: BitwiseCopyable {
    var request: Int
    var attempt: Int
  }

  /// The server's latency at a try; two tries share a block.
  @inline(__always)
  func latency(of attempt: Attempt, _ plan: Prepared<EndpointPlan>, stream: DeviceStream) -> TimeAmount {
    plan.latency.isConstant
      ? plan.latency.span(at: 0) : plan.latency.span(at: uniform(attempt, stream: stream))
  }

  @inline(__always)
  func uniform(_ attempt: Attempt, stream: DeviceStream) -> UInt64 {
    if attempt.request | attempt.attempt == 0, hasUniform { return uniform }
    return ownUniform(attempt, stream: stream)
  }

  @inline(never)
  private func ownUniform(_ attempt: Attempt, stream: DeviceStream) -> UInt64 {
    let part = part | attempt.request << 8 | (attempt.attempt >> 1) << 24
    let draws = stream.block(purpose, part: part, index: Int(ordinal))
    return attempt.attempt & 1 == 0 ? draws.first : draws.second
  }

  /// The uniforms of the backend's decisions about a try, drawn where there is something to decide.
  @inline(__always)
  func draws(
    of attempt: Attempt, _ conditions: Conditions, stream: DeviceStream
  ) -> RequestDraws {
    let isSnapshot = purpose != .latency
    let edge =
      conditions.edgeOrOutageIsOpen
      ? ownDraws(isSnapshot ? .snapshotBackend : .backend, of: attempt, stream: stream) : .none
    let limits =
      conditions.limitOrQueueIsOpen
      ? ownDraws(isSnapshot ? .snapshotLimits : .backendLimits, of: attempt, stream: stream) : .none
    return RequestDraws(edge: edge.first, outage: edge.second, limit: limits.first, refusal: limits.second)
  }

  @inline(never)
  private func ownDraws(_ purpose: Purpose, of attempt: Attempt, stream: DeviceStream) -> UniformPair {
    let part = part | attempt.request << 8 | attempt.attempt << 24
    return stream.block(purpose, part: part, index: Int(ordinal)).uniforms
  }
}

/// What a kind fetches outside its runs.
struct KindFlights: BitwiseCopyable {
  /// The download of a background session, for whom it was begun, and since when its data are there (MODEL.md 5.6).
  var download = Flight(cause: .policy)
  var isDownloading = false
  var starter: Slot = 0
  /// Ordinal of the run that began the download.
  var starterRun: UInt32 = 0
  var downloaded: Instant = .longAgo
  /// The present snapshot for the gallery, and how many there were.
  var snapshot = Flight(cause: .gallery)
  var snapshots: UInt32 = 0
}

/// Requests of a flight that are on their way together: all of them at first, one of them later.
///
/// Handed on by reference: a copy at every call would cost more than most calls do.
struct RequestBatch {
  let source: FlightSource
  let number: FlightNumber
  private let requestInFewBits: UInt16
  private let attemptInFewBits: UInt8
  /// Radio plan of the interface that they were sent on.
  let radio: Prepared<RadioPlan>
  /// Sent in a session.
  let isInSession: Bool
  private let payerInFewBits: UInt8

  init(_ source: FlightSource, _ way: RequestOnWay, radio: Prepared<RadioPlan>, payer: Int) {
    self.source = source
    number = way.flight
    requestInFewBits = way.request
    attemptInFewBits = UInt8(truncatingIfNeeded: way.attempt)
    self.radio = radio
    isInSession = way.isInSession
    payerInFewBits = UInt8(truncatingIfNeeded: payer)
  }

  /// nil: all.
  @inline(__always)
  var request: Int? { Int(requestInFewBits) == DeviceEvent.allRequests ? nil : Int(requestInFewBits) }
  /// Tries before this one.
  @inline(__always)
  var attempt: Int { Int(attemptInFewBits) }
  /// Whose energy account they burden.
  @inline(__always)
  var payer: Int { Int(payerInFewBits) }
}

/// What a try, or an arrival, has made of a flight.
struct FlightNews {
  /// Whether something of it was sent or answered, which those who joined it wait for.
  let isInTheAir: Bool
  /// Whether all of its requests have come to their end.
  let hasLanded: Bool
}

/// Requests of a flight between the phone and the backend.
struct RequestOnWay {
  let flight: FlightNumber
  /// By its number in the flight; `DeviceEvent.allRequests`: all together.
  let request: UInt16
  let attempt: UInt16
  /// Changes of the interface up to when they were sent.
  let changes: UInt8
  /// Sent in a session.
  let isInSession: Bool
}

extension RequestOnWay {
  /// Requests that leave now.
  @inline(__always)
  init(_ flight: FlightNumber, request: Int, attempt: Int, on phone: inout PhoneCore) {
    self.init(
      flight: flight, request: UInt16(truncatingIfNeeded: request), attempt: UInt16(truncatingIfNeeded: attempt),
      changes: 0, isInSession: phone.presence.isInSession)
  }
}
