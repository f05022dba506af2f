public import SimulationKernel

/// The timeline that a provider returns: the dates of its entries, and when the next timeline is requested.
///
/// ```swift
/// SimulatedTimeline(policy: .after(context.date + .minutes(15)))
/// SimulatedTimeline(every: .minutes(10), count: 6, policy: .atEnd)
/// ```
public struct SimulatedTimeline: BitwiseCopyable, Sendable {
  /// The rule for when the next timeline is requested, as in `TimelineReloadPolicy`.
  public enum Policy: BitwiseCopyable, Hashable, Sendable {
    /// A request at the date of the last entry.
    case atEnd
    /// A request at a date.
    case after(Instant)
    /// No request; taps, pushes and other causes can still start runs.
    case never
  }

  /// The maximum number of entries.
  public static let maxEntries = 1_000

  /// The rule for when the next timeline is requested.
  public var policy: Policy
  /// The number of entries; a number above `maxEntries` stands for all larger ones.
  public let count: Int
  /// The date of the last entry; `nil` if it is `lastOffset` after the end of the run.
  @usableFromInline let lastDate: Instant?
  @usableFromInline let lastOffset: TimeAmount

  /// Creates a timeline with a single entry, at the end of the run.
  @inlinable
  public init(policy: Policy) {
    (self.policy, count, lastDate, lastOffset) = (policy, 1, nil, .zero)
  }

  /// Creates a timeline whose first entry is at the end of the run and whose other entries follow at equal intervals.
  public init(every interval: TimeAmount, count: Int, policy: Policy) {
    let product = interval.milliseconds.multipliedReportingOverflow(by: Int64(max(count, 1) - 1))
    let isFar = product.overflow || product.partialValue > Self.longest.milliseconds
    let offset: TimeAmount = isFar ? Self.longest + Self.longest : .milliseconds(max(product.partialValue, 0))
    (self.policy, self.count, lastDate, lastOffset) = (policy, count, nil, offset)
  }

  /// Creates a timeline with entries at these dates, of which at most `maxEntries` + 1 are read.
  public init(entries: some Sequence<Instant>, policy: Policy) {
    var (count, last) = (0, Instant?.none)
    for date in entries.prefix(Self.maxEntries + 1) {
      count += 1
      last = max(last ?? date, date)
    }
    (self.policy, self.count, lastDate, lastOffset) = (policy, count, last, .zero)
  }

  /// The maximum time from the end of a run to the date at which the next timeline is requested.
  package static let longest = TimeAmount.days(400)
}

extension SimulatedTimeline {
  /// The date at which a timeline requests the next one, or the reason why the timeline is unusable.
  package enum Request: Hashable {
    case at(Instant)
    case never
    case faulty(TimelineFault)
  }

  /// Returns the request made by the timeline with which a run ends.
  ///
  /// - Parameters:
  ///   - now: the end of the run.
  ///   - gap: the time after which a timeline whose last entry has passed is replaced.
  package func request(at now: Instant, atEndGap gap: TimeAmount) -> Request {
    guard count <= Self.maxEntries else { return .faulty(.manyEntries) }
    let date: Instant
    switch policy {
    case .never: return .never
    case .after(let instant): date = instant
    case .atEnd:
      let last = lastDate ?? now + lastOffset
      date = last > now ? last : now + gap
    }
    if date >= now, date <= now + Self.longest { return .at(date) }
    return .faulty(date < now ? .past(max(date, .longAgo)) : .far)
  }
}

/// The reason why a provider's timeline cannot be used.
public enum TimelineFault: Hashable, Sendable {
  /// The next timeline is requested at a date before the end of the run.
  case past(Instant)
  /// The next timeline is requested more than 400 days after the end of the run.
  case far
  /// There are more than `SimulatedTimeline.maxEntries` entries, possibly infinitely many.
  case manyEntries

  /// The fault as a number that another rank can read: a date in the past, or a number that is not a date.
  package var code: Int64 {
    switch self {
    case .past(let date): date.millisecondsSinceStart
    case .far: .max
    case .manyEntries: .max - 1
    }
  }

  package init(code: Int64) {
    self = code == .max ? .far : code == .max - 1 ? .manyEntries : .past(Instant(millisecondsSinceStart: code))
  }
}
