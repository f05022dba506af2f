import BackendModel
import Scenario
import SimulationKernel

/// The requests of a run, a download or a snapshot while they are in progress.
struct Flight: BitwiseCopyable, Equatable {
  /// The latest end of any attempt so far. Once no requests are pending, it is the end of the flight.
  var end: Instant = .longAgo
  /// The longest Retry-After value returned by a server, in milliseconds; -1 if there is none.
  private var retryAfterMilliseconds: Int32 = -1
  /// The number of pending requests. Requests that were sent together count as one, and each request that waits for a
  /// retry counts separately.
  var pending: UInt16 = 0
  /// The cause of the run, download or snapshot.
  var cause: Cause
  /// The failure reason of the last request that has failed permanently; `nil` if none has.
  var failure: FailureReason?

  init(cause: Cause) { self.cause = cause }

  init(cause: Cause, at now: Instant) {
    self.cause = cause
    end = now
  }

  /// Whether any request has failed permanently.
  var fails: Bool { @inline(__always) get { failure != nil } }

  /// The longest Retry-After value returned by a server; `nil` if there is none.
  var retryAfter: TimeAmount? {
    retryAfterMilliseconds < 0 ? nil : .milliseconds(Int64(retryAfterMilliseconds))
  }

  /// Adopts the outcome of a flight that this run has joined, including Retry-After (MODEL.md 5.2).
  mutating func takeOutcome(of other: Flight, at now: Instant) {
    end = now
    failure = other.failure
    retryAfterMilliseconds = other.retryAfterMilliseconds
  }

  /// Records a server's Retry-After value; if there are several values, the longest is kept (MODEL.md 5.5).
  mutating func ask(toWait span: TimeAmount) {
    retryAfterMilliseconds = max(retryAfterMilliseconds, Int32(clamping: span.milliseconds))
  }
}

struct RunFlight: BitwiseCopyable {
  /// The flight of the current run or, while no run is in progress, of the last run.
  var flight = Flight(cause: .placement)
  /// The draw for the latency of the run's first request.
  var latencyUniform: UInt64 = 0
}

/// The requests of taps on a widget, which are sent for one tap at a time (MODEL.md 2.6).
struct ActionState: BitwiseCopyable {
  var flight = Flight(cause: .action)
  /// The number of taps whose requests have been sent, used as the key of their draws.
  var count: UInt32 = 0
  /// The number of taps that are waiting for the requests of the current tap to end.
  var waiting: UInt16 = 0
  var isActive = false
}

/// The number of a flight on a phone. The runs of widgets come first, followed by the downloads and snapshots of kinds
/// and by the taps.
struct FlightNumber: BitwiseCopyable, Equatable {
  var number: UInt16

  enum Owner: BitwiseCopyable {
    case run(Slot)
    case download(KindIndex)
    case snapshot(KindIndex)
    case action(Slot)
  }

  /// The number of the first tap flight, which is greater than the numbers of all kind flights.
  private static let firstAction = 1 << 15

  static func run(_ slot: Slot) -> FlightNumber { FlightNumber(number: UInt16(truncatingIfNeeded: slot.place)) }

  static func download(_ kind: KindIndex) -> FlightNumber {
    FlightNumber(number: UInt16(truncatingIfNeeded: Slot.maximum + 2 * kind.place))
  }

  static func snapshot(_ kind: KindIndex) -> FlightNumber {
    FlightNumber(number: UInt16(truncatingIfNeeded: Slot.maximum + 2 * kind.place + 1))
  }

  static func action(_ slot: Slot) -> FlightNumber {
    FlightNumber(number: UInt16(truncatingIfNeeded: firstAction + slot.place))
  }

  var owner: Owner {
    let beyond = Int(number) - Slot.maximum
    if beyond < 0 { return .run(Slot(Int(number))) }
    if Int(number) >= Self.firstAction { return .action(Slot(Int(number) - Self.firstAction)) }
    return beyond & 1 == 0 ? .download(KindIndex(beyond / 2)) : .snapshot(KindIndex(beyond / 2))
  }
}

/// The owner of a flight's requests, and the keys of their draws.
///
/// This type occupies 24 bytes, so that it can be passed in registers.
struct FlightSource: BitwiseCopyable {
  private let uniform: UInt64
  /// The ordinal of the run or snapshot, used as the key of the draws.
  let ordinal: UInt32
  let kind: KindIndex
  private let partInFewBits: UInt16
  let family: Family
  let cause: Cause
  let purpose: Purpose
  private let hasUniform: Bool

  /// Creates the source of a flight's requests.
  ///
  /// - Parameters:
  ///   - part: the part of the draw keys, which is the member, or the kind in the case of a snapshot.
  ///   - firstUniform: the draw for the first attempt of the first request, if it was generated together with other
  ///     draws; `nil` if it is generated separately.
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

  /// An attempt to send one of the flight's requests, given by the request's number and the number of earlier attempts.
  struct Attempt: BitwiseCopyable {
    var request: Int
    var attempt: Int
  }

  /// Returns the server's latency for an attempt. Every two attempts share one block of random numbers.
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

  /// Returns the draws for the backend's decisions about an attempt, which are generated only when needed.
  @inline(__always)
  func draws(
    of attempt: Attempt, _ conditions: Conditions, stream: DeviceStream
  ) -> RequestDraws {
    let (backend, limit) = purpose == .latency ? (.backend, .backendLimits) : decisions
    let edge = conditions.edgeOrOutageIsOpen ? ownDraws(backend, of: attempt, stream: stream) : .none
    let limits = conditions.limitOrQueueIsOpen ? ownDraws(limit, of: attempt, stream: stream) : .none
    return RequestDraws(edge: edge.first, outage: edge.second, limit: limits.first, refusal: limits.second)
  }

  /// The purposes of the draws for the backend's decisions about requests outside runs.
  private var decisions: (backend: Purpose, limits: Purpose) {
    isAction ? (.actionBackend, .actionLimits) : (.snapshotBackend, .snapshotLimits)
  }

  /// Whether a tap sends the requests.
  @inline(__always)
  var isAction: Bool { purpose == .action }

  @inline(never)
  private func ownDraws(_ purpose: Purpose, of attempt: Attempt, stream: DeviceStream) -> UniformPair {
    let part = part | attempt.request << 8 | attempt.attempt << 24
    return stream.block(purpose, part: part, index: Int(ordinal)).uniforms
  }
}

/// The flights of a kind that are not part of a run.
struct KindFlights: BitwiseCopyable {
  /// The download of a background session, with the widget that started it and the time of its data (MODEL.md 5.6).
  var download = Flight(cause: .policy)
  var isDownloading = false
  var starter: Slot = 0
  /// The number of the run that started the download.
  var starterRun: UInt32 = 0
  var downloaded: Instant = .longAgo
  /// The current gallery snapshot, and the number of snapshots so far.
  var snapshot = Flight(cause: .gallery)
  var snapshots: UInt32 = 0
}

/// The requests of a flight that are sent together: all requests on the first attempt, and a single request on a retry.
///
/// A batch is passed by reference, because copying it would take longer than most calls.
struct RequestBatch {
  let source: FlightSource
  let number: FlightNumber
  private let requestInFewBits: UInt16
  private let attemptInFewBits: UInt8
  /// The radio plan of the interface that sent the requests.
  let radio: Prepared<RadioPlan>
  /// Whether a session was in progress when the requests were sent.
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

  /// The number of the request; `nil` if the batch contains all requests.
  @inline(__always)
  var request: Int? { Int(requestInFewBits) == DeviceEvent.allRequests ? nil : Int(requestInFewBits) }
  /// The number of earlier attempts to send the requests.
  @inline(__always)
  var attempt: Int { Int(attemptInFewBits) }
  @inline(__always)
  var payer: Int { Int(payerInFewBits) }
}

/// The effect of an attempt or of the arrival of requests on a flight.
struct FlightNews {
  /// Whether any of the flight's requests were sent or answered, which affects all runs that joined the flight.
  let isInTheAir: Bool
  /// Whether all of the flight's requests have ended.
  let hasLanded: Bool
}

/// The requests of a flight on their way to the backend.
struct RequestOnWay {
  let flight: FlightNumber
  /// The request's number in the flight; `DeviceEvent.allRequests` represents all requests.
  let request: UInt16
  let attempt: UInt16
  /// The number of network interface changes at the time of sending.
  let changes: UInt8
  /// Whether a session was in progress when the requests were sent.
  let isInSession: Bool
}

extension RequestOnWay {
  /// Creates a value for requests that are sent now.
  @inline(__always)
  init(_ flight: FlightNumber, request: Int, attempt: Int, on phone: inout PhoneCore) {
    self.init(
      flight: flight, request: UInt16(truncatingIfNeeded: request), attempt: UInt16(truncatingIfNeeded: attempt),
      changes: 0, isInSession: phone.presence.isInSession)
  }
}
