public import Scenario
import Studies

/// A figure of a simulation, such as the share of stale views of a kind.
///
/// ```swift
/// let peak = day[.serverPeak(endpoint: "api")]
/// print("\(peak.value) \(peak.unit), at worst \(peak.worst)")
/// ```
public struct Figure: Hashable, Sendable, CustomStringConvertible {
  /// The name as used in goals, such as `stale_views{kind=flight}`.
  public let name: String
  /// The unit, such as `share` or `requests/s`.
  public let unit: String
  /// The value; NaN if it is unknown, such as the share of stale views if there are no views, so that expectations on
  /// it fail.
  public let value: Double
  /// The 95 % confidence interval; `nil` for a count from a single replication.
  public let interval: ClosedRange<Double>?
  /// The range of the figure over all simulated assumptions about what Apple does not document.
  ///
  /// All figures are simulated with both bounds of the system's constants. Those of goals and peaks are also simulated
  /// with each assumption at both ends of its range.
  ///
  /// It is `nil` if the value is unknown. It has a single value if the assumptions were not varied.
  public let bracket: ClosedRange<Double>?

  /// The worst value in the bracket: the lowest if more is better, as with saved requests, otherwise the highest. NaN
  /// if it is unknown.
  public var worst: Double { (fallsToWorse ? bracket?.lowerBound : bracket?.upperBound) ?? .nan }
  private let fallsToWorse: Bool

  /// The name, the value and the unit.
  public var description: String { "\(name) = \(value) \(unit)" }

  init(_ row: SummaryRow) {
    (name, unit) = (row.name.text, row.unit)
    fallsToWorse = row.metric.fallsToWorse(row.name.statistic)
    let own = row.value?.approximate
    value = own ?? .nan
    interval = row.interval.flatMap { $0.low <= $0.high ? $0.low...$0.high : nil }
    let all = [own, row.prompt?.approximate, row.lazy?.approximate] + row.effects.map { $0.value.approximate }
    let known = all.compactMap { $0 }.filter { !$0.isNaN }
    bracket = known.min().flatMap { low in known.max().map { low...$0 } }
  }
}

/// A statistic of a figure.
///
/// ```swift
/// day[.lateness(.p95, kind: "flight")]
/// ```
public enum FigureStatistic: String, CaseIterable, Sendable {
  /// The mean.
  case mean
  /// The median.
  case p50
  /// The 90th percentile.
  case p90
  /// The 95th percentile.
  case p95
  /// The 99th percentile.
  case p99
  /// The 99.9th percentile.
  case p999
  /// The largest value.
  case max
  /// The sum.
  case total
  /// The share of the total.
  case share
}

/// The name of a figure. Empty labels stand for all kinds, endpoints, causes and times.
///
/// ```swift
/// day[.staleViews(kind: "flight", during: "match")]
/// day[FigureKey("data_age{kind=flight}")]
/// ```
public struct FigureKey: Hashable, Sendable {
  enum Form: Hashable {
    case name(FigureName)
    case text(String)
  }

  let form: Form

  /// Creates the name of any figure, as it is spelled in goals (Docs/GOALS.md).
  public init(_ name: String) { form = .text(name) }

  private init(
    _ metric: Metric, _ statistic: FigureStatistic? = nil, kind: String = "", endpoint: String = "",
    cause: Cause? = nil, _ labels: Labels = Labels()
  ) {
    var labels = labels
    (labels.kind, labels.endpoint, labels.cause) = (kind, endpoint, cause?.name ?? "")
    let chosen = statistic.flatMap { Statistic(rawValue: $0.rawValue) } ?? metric.statistics.first ?? .mean
    form = .name(FigureName(metric, chosen, labels))
  }

  private static func during(_ window: String) -> Labels { Labels().with(\.during, window) }

  /// Returns the share of views that show data older than the kind's `stale_after`, optionally in a named window.
  public static func staleViews(kind: String = "", during window: String = "") -> FigureKey {
    FigureKey(.staleViews, kind: kind, during(window))
  }

  /// Returns the share of views that show no data.
  public static func emptyViews(kind: String = "", during window: String = "") -> FigureKey {
    FigureKey(.emptyViews, kind: kind, during(window))
  }

  /// Returns the age of the data that views show, in seconds.
  public static func dataAge(
    _ statistic: FigureStatistic = .mean, kind: String = "", during window: String = ""
  ) -> FigureKey {
    FigureKey(.dataAge, statistic, kind: kind, during(window))
  }

  /// Returns the number of refreshes per widget per day.
  public static func refreshes(
    _ statistic: FigureStatistic = .mean, kind: String = "", cause: Cause? = nil, during window: String = ""
  ) -> FigureKey {
    FigureKey(.runsPerDay, statistic, kind: kind, cause: cause, during(window))
  }

  /// Returns the time from the due date of a scheduled refresh to its start, in seconds.
  public static func lateness(
    _ statistic: FigureStatistic = .mean, kind: String = "", during window: String = ""
  ) -> FigureKey {
    FigureKey(.lateness, statistic, kind: kind, during(window))
  }

  /// Returns how many times a day a widget's budget runs out.
  public static func budgetExhaustions(kind: String = "", during window: String = "") -> FigureKey {
    FigureKey(.budgetExhaustedPerDay, kind: kind, during(window))
  }

  /// Returns the number of requests that the fleet sends.
  public static func requests(
    kind: String = "", endpoint: String = "", cause: Cause? = nil, during window: String = ""
  ) -> FigureKey {
    FigureKey(.requests, kind: kind, endpoint: endpoint, cause: cause, during(window))
  }

  /// Returns the share of requests that fail.
  public static func failures(
    kind: String = "", endpoint: String = "", cause: Cause? = nil, during window: String = ""
  ) -> FigureKey {
    FigureKey(.failures, .share, kind: kind, endpoint: endpoint, cause: cause, during(window))
  }

  /// Returns the largest number of requests per second that the phones send.
  ///
  /// - Parameter length: the span over which rates are averaged.
  public static func peak(
    endpoint: String = "", over length: LoadSpan = .minute, during window: String = ""
  ) -> FigureKey {
    FigureKey(.peakRPS, endpoint: endpoint, during(window).with(\.window, length.rawValue))
  }

  /// Returns the largest number of requests per second that reach the servers, after the CDN and including base load.
  ///
  /// - Parameter length: the span over which rates are averaged.
  public static func serverPeak(
    endpoint: String = "", over length: LoadSpan = .minute, during window: String = ""
  ) -> FigureKey {
    FigureKey(.serverPeakRPS, endpoint: endpoint, during(window).with(\.window, length.rawValue))
  }

  /// Returns the energy that a kind's refreshes use on a phone, in joules per day.
  public static func energy(kind: String = "", during window: String = "") -> FigureKey {
    FigureKey(.energyPerDay, kind: kind, during(window))
  }
}

/// The span over which a load in requests per second is averaged.
///
/// ```swift
/// day[.peak(over: .second)]
/// ```
public enum LoadSpan: String, CaseIterable, Sendable {
  /// One second.
  case second = "1s"
  /// Ten seconds.
  case tenSeconds = "10s"
  /// One minute.
  case minute = "1min"
  /// Five minutes.
  case fiveMinutes = "5min"
}
