public import SimulationKernel

/// The circumstances in which a provider returns a timeline, at the end of a run.
///
/// ```swift
/// let isNight = context.hour < 6
/// let jitter = TimeAmount.milliseconds(Int64(context.draw(0) * 60_000))
/// ```
public struct TimelineContext: BitwiseCopyable, Sendable {
  /// The end of the run, in simulated time.
  public let date: Instant
  /// The cause of the run.
  public let cause: Cause
  /// The family of the widget.
  public let family: Family
  /// Whether the widget's data is fresh: younger than the cache's `ttl`; without a cache, no older than `stale_after`;
  /// without either, available.
  public let isDataFresh: Bool
  /// The outcome of the run's requests.
  public let answer: ServerAnswer
  /// The arrival of the data that the widget shows from now on; `nil` if there is no data yet.
  public let dataTime: Instant?
  /// The shortest time for which the servers declare the widget's data to be fresh (`hint`); `nil` if they declare
  /// none.
  public let hint: TimeAmount?
  /// The number of earlier runs of this widget.
  public let run: Int

  private let clock: WallClock
  private let draws: ProviderDraws

  package init(
    date: Instant, cause: Cause, family: Family, isDataFresh: Bool, answer: ServerAnswer, dataTime: Instant?,
    hint: TimeAmount?, run: Int, clock: WallClock, draws: ProviderDraws
  ) {
    self.date = date
    self.cause = cause
    self.family = family
    self.isDataFresh = isDataFresh
    self.answer = answer
    self.dataTime = dataTime
    self.hint = hint
    self.run = run
    self.clock = clock
    self.draws = draws
  }

  /// The age of the widget's data; `nil` if there is no data yet.
  public var dataAge: TimeAmount? { dataTime.map { date - $0 } }

  /// Returns a random number in 0..<1, which depends only on the seed, the phone, the widget, the run and the index.
  ///
  /// - Parameter index: the number of the draw, up to 65 535; the same index gives the same number.
  public func draw(_ index: Int) -> Double { draws.number(index) }

  // MARK: Calendar of the phone's zone

  /// The local date and time on the phone.
  public var local: LocalTime { clock.reading(at: date) }
  /// The local hour on the phone, in 0..<24.
  public var hour: Int { local.hour }
  /// The local date on the phone.
  public var day: LocalDay { local.day }
  /// The local day of the week on the phone.
  public var weekday: Weekday { local.day.weekday }

  /// Returns the next time after `date` at which the phone's clock shows a time of day.
  ///
  /// - Parameters:
  ///   - hour: in 0..<24.
  ///   - minute: in 0..<60.
  public func next(hour: Int, minute: Int = 0) -> Instant {
    let time = TimeAmount.minutes(Int64(hour) * 60 + Int64(minute))
    var day = local.day
    while true {
      let instant = clock.instant(of: LocalTime(day: day, time))
      if instant > date { return instant }
      day.number += 1
    }
  }
}

/// The servers' answer to a run's requests.
public struct ServerAnswer: BitwiseCopyable, Hashable, Sendable {
  /// The outcome of the requests.
  public enum Status: BitwiseCopyable, Hashable, Sendable {
    /// No request was sent: the kind has none, or the cache or another run had the data.
    case notAsked
    /// All requests were answered.
    case success
    /// A request failed permanently.
    case failure(FailureReason)
  }

  /// The outcome of the requests.
  public let status: Status
  /// The longest Retry-After value of the failed attempts, if the run failed; `nil` if there is none.
  public let retryAfter: TimeAmount?
  /// The size of the answers; zero if a request failed or none was sent.
  public let bytes: ByteCount
  /// The arrival of the last answer; `nil` unless all requests were answered.
  public let arrival: Instant?

  package init(status: Status, retryAfter: TimeAmount?, bytes: ByteCount, arrival: Instant?) {
    self.status = status
    self.retryAfter = retryAfter
    self.bytes = bytes
    self.arrival = arrival
  }

  /// Whether the run failed, so that the widget keeps its old data.
  public var hasFailed: Bool { if case .failure = status { true } else { false } }
}

/// The draws that a provider can make in a run.
package struct ProviderDraws: BitwiseCopyable, Sendable {
  private let stream: DeviceStream
  private let purpose: UInt8
  private let part: UInt32
  private let run: UInt32

  /// Creates the draws of a run.
  ///
  /// - Parameters:
  ///   - purpose: the purpose of these draws, which no other draws share.
  ///   - part: the number of the widget, below 2^16.
  package init(_ stream: DeviceStream, purpose: UInt8, part: UInt32, run: UInt32) {
    (self.stream, self.purpose, self.part, self.run) = (stream, purpose, part, run)
  }

  func number(_ index: Int) -> Double {
    let place = UInt32(truncatingIfNeeded: index & 0xFFFF)
    let block = stream.block(purpose: purpose, part: part | (place >> 1) << 16, index: run)
    return Double((place & 1 == 0 ? block.first : block.second) >> 11) / 9_007_199_254_740_992
  }
}
