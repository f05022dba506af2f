package import Words

/// A metric from section 8 of MODEL.md; raw values are the names used in goals, columns and `explain`.
package enum Metric: String, CaseIterable, Sendable {
  case widgets
  case runs
  case runsPerDay = "runs_per_day"
  case phoneRunsPerDay = "phone_runs_per_day"
  case lateness
  case callToRun = "call_to_run"
  case waitsPerDay = "waits_per_day"
  case waitLength = "wait_length"
  case budgetExhaustedHour = "budget_exhausted_hour"
  case budgetExhaustedPerDay = "budget_exhausted_per_day"
  case budgetExhaustedDrift = "budget_exhausted_drift"
  case requests
  case failures
  case bytesDown = "bytes_down"
  case bytesUp = "bytes_up"
  case cacheHitsPerDay = "cache_hits_per_day"
  case requestsSaved = "requests_saved"
  case askedPerDay = "asked_per_day"
  case viewsPerDay = "views_per_day"
  case staleViews = "stale_views"
  case staleViewsAfter = "stale_views_after"
  case emptyViews = "empty_views"
  case dataAge = "data_age"
  case pushes
  case pushToView = "push_to_view"
  case eventToView = "event_to_view"
  case peakRPS = "peak_rps"
  case meanRPS = "mean_rps"
  case p99RPS = "p99_rps"
  case p999RPS = "p999_rps"
  case peakToMean = "peak_to_mean"
  case busiestMinute = "busiest_minute"
  case otherDayPeakRPS = "other_day_peak_rps"
  case originPeakRPS = "origin_peak_rps"
  case originMeanRPS = "origin_mean_rps"
  case originP99RPS = "origin_p99_rps"
  case originP999RPS = "origin_p999_rps"
  case originPeakToMean = "origin_peak_to_mean"
  case cdnStaleAnswers = "cdn_stale_answers"
  case serverPeakRPS = "server_peak_rps"
  case serverMeanRPS = "server_mean_rps"
  case serverP99RPS = "server_p99_rps"
  case serverP999RPS = "server_p999_rps"
  case offeredPeakRPS = "offered_peak_rps"
  case overloadSeconds = "overload_seconds"
  case overloadRequests = "overload_requests"
  case queueLength = "queue_length"
  case recoveryTime = "recovery_time"
  case energyPerDay = "energy_per_day"
  case energySavedPerDay = "energy_saved_per_day"
  case energyAlonePerDay = "energy_alone_per_day"
  case energyInSessions = "energy_in_sessions"
  case batteryPercentPerDay = "battery_percent_per_day"
  case herd
  case herdByChance = "herd_by_chance"

  /// The unit of the metric's values, as text for the `unit` column.
  package var unit: String { measure.rawValue }

  package var measure: MetricUnit { facts.measure }

  /// The statistics that are reported for the metric, starting with the default.
  package var statistics: [Statistic] { facts.statistics }

  /// The labels that the metric may have, in column order.
  package var labels: [Label] { facts.labels }

  private var facts: (measure: MetricUnit, statistics: [Statistic], labels: [Label]) {
    switch self {
    case .widgets: (.widgets, [.total, .share], [.cohort, .kind])
    case .runs: (.runs, [.total, .share], [.cohort, .kind, .cause, .during])
    case .runsPerDay: (.runsPerDay, [.mean, .p50, .p95, .p99, .max], [.cohort, .kind, .cause, .charged, .during])
    case .phoneRunsPerDay: (.runsPerDay, [.mean, .p50, .p95, .p99, .max], [.cohort, .charged])
    case .lateness, .callToRun, .dataAge: (.seconds, [.mean, .p50, .p95, .p99], [.cohort, .kind, .during])
    case .waitsPerDay: (.waitsPerDay, [.mean], [.cohort, .kind, .reason, .during])
    case .waitLength: (.seconds, [.mean], [.cohort, .kind, .reason, .during])
    case .budgetExhaustedHour: (.hours, [.mean, .p50, .p95], [.cohort, .kind])
    case .budgetExhaustedPerDay: (.timesPerDay, [.mean], [.cohort, .kind, .during])
    case .budgetExhaustedDrift: (.timesPerDay, [.mean], [.cohort, .kind])
    case .requests: (.requests, [.total, .share], [.cohort, .kind, .endpoint, .cause, .during])
    case .failures: (.requests, [.total, .share], [.cohort, .kind, .endpoint, .cause, .reason, .during])
    case .bytesDown, .bytesUp: (.bytes, [.total], [.cohort, .kind, .endpoint, .cause, .during])
    case .cacheHitsPerDay: (.hitsPerDay, [.mean], [.cohort, .kind, .during])
    case .requestsSaved: (.requests, [.total, .share], [.cohort, .kind, .endpoint, .during])
    case .askedPerDay: (.runsPerDay, [.mean], [.kind, .reason])
    case .viewsPerDay: (.viewsPerDay, [.mean], [.cohort, .kind, .during])
    case .staleViews, .staleViewsAfter, .emptyViews: (.share, [.share], [.cohort, .kind, .during])
    case .pushes: (.pushes, [.total], [.event])
    case .pushToView: (.seconds, [.p50, .p90, .p95, .p99, .share], [.cohort, .kind, .period])
    case .eventToView: (.seconds, [.p50, .p90, .p95, .p99, .share], [.cohort, .kind, .event, .period])
    case .offeredPeakRPS: (.requestsPerSecond, [.max], [.endpoint, .window])
    case .peakRPS, .originPeakRPS, .serverPeakRPS: (.requestsPerSecond, [.max], [.endpoint, .window, .during])
    case .meanRPS, .originMeanRPS, .serverMeanRPS: (.requestsPerSecond, [.mean], [.endpoint, .window, .during])
    case .p99RPS, .originP99RPS, .serverP99RPS: (.requestsPerSecond, [.p99], [.endpoint, .window, .during])
    case .p999RPS, .originP999RPS, .serverP999RPS: (.requestsPerSecond, [.p999], [.endpoint, .window, .during])
    case .peakToMean, .originPeakToMean: (.ratio, [.max], [.endpoint, .window, .during])
    case .busiestMinute: (.share, [.share], [.cause])
    case .otherDayPeakRPS: (.requestsPerSecond, [.p50], [.window])
    case .cdnStaleAnswers: (.requests, [.total], [.endpoint])
    case .overloadSeconds: (.seconds, [.total], [.endpoint])
    case .overloadRequests: (.requests, [.total], [.endpoint])
    case .queueLength: (.requests, [.max], [.endpoint])
    case .recoveryTime: (.seconds, [.mean, .max], [.event])
    case .energyPerDay: (.joulesPerDay, [.mean, .share], [.cohort, .kind, .component, .during])
    case .energyAlonePerDay: (.joulesPerDay, [.mean], [.cohort, .kind, .component, .during])
    case .energySavedPerDay: (.joulesPerDay, [.mean, .share], [.cohort, .kind, .during])
    case .energyInSessions: (.share, [.share], [.cohort, .kind, .during])
    case .batteryPercentPerDay: (.percentPerDay, [.mean, .p50, .p95, .p99], [.cohort])
    case .herd: (.share, [.share], [.endpoint, .period])
    case .herdByChance: (.share, [.share], [.period])
    }
  }

  /// The corresponding metric for the requests of phones; `nil` if this is not a metric of the load on servers.
  package var ofPhones: Metric? {
    switch self {
    case .serverPeakRPS: .peakRPS
    case .serverMeanRPS: .meanRPS
    case .serverP99RPS: .p99RPS
    case .serverP999RPS: .p999RPS
    default: nil
    }
  }

  /// The corresponding metric for the load on servers; `nil` if this is not a metric of the requests of phones.
  package var ofServers: Metric? { Metric.allCases.first { $0.ofPhones == self } }

  /// Whether the metric counts occurrences, in which case a missing value means 0.
  package var countsOccurrences: Bool {
    switch self {
    case .runs, .runsPerDay, .phoneRunsPerDay, .requests, .failures, .bytesDown, .bytesUp, .pushes: true
    default: false
    }
  }

  /// Whether a lower value of a statistic is worse, such as fewer requests saved by a cache.
  package func fallsToWorse(_ statistic: Statistic) -> Bool {
    switch self {
    case .cacheHitsPerDay, .requestsSaved, .energySavedPerDay, .energyInSessions, .budgetExhaustedHour: true
    case .pushToView, .eventToView: statistic == .share
    default: false
    }
  }

  /// An explanation that consists of one or two sentences on the meaning of the metric (MODEL.md 8), followed by advice
  /// on how to change it.
  package var explanation: Word { Catalogue.metrics[rawValue] }
}

/// The unit of a metric; raw values appear in the `unit` column.
package enum MetricUnit: String, CaseIterable, Sendable {
  case widgets
  case runs
  case timesPerDay = "times/day"
  case runsPerDay = "runs/day"
  case waitsPerDay = "waits/day"
  case hitsPerDay = "hits/day"
  case viewsPerDay = "views/day"
  case seconds = "s"
  /// A time of day on a local clock, in hours.
  case hours = "h"
  case requests
  case pushes
  case bytes
  case share
  case requestsPerSecond = "requests/s"
  case ratio
  case joulesPerDay = "J/day"
  /// A percentage per day; a value of 0.5 means half a percent.
  case percentPerDay = "%/day"
  case timesPerWindow = "times/window"
  case runsPerWindow = "runs/window"
  case waitsPerWindow = "waits/window"
  case hitsPerWindow = "hits/window"
  case viewsPerWindow = "views/window"
  case joulesPerWindow = "J/window"
  case timesPerPeriod = "times/period"
  case runsPerPeriod = "runs/period"
  case waitsPerPeriod = "waits/period"
  case hitsPerPeriod = "hits/period"
  case viewsPerPeriod = "views/period"
  case joulesPerPeriod = "J/period"
  case percentPerPeriod = "%/period"

  /// The unit of a daily metric if the measured period is shorter than a day.
  package var perPeriod: MetricUnit {
    switch self {
    case .timesPerDay: .timesPerPeriod
    case .runsPerDay: .runsPerPeriod
    case .waitsPerDay: .waitsPerPeriod
    case .hitsPerDay: .hitsPerPeriod
    case .viewsPerDay: .viewsPerPeriod
    case .joulesPerDay: .joulesPerPeriod
    case .percentPerDay: .percentPerPeriod
    default: self
    }
  }

  /// The unit of a daily metric if it is limited to a named window.
  package var perWindow: MetricUnit {
    switch self {
    case .timesPerDay: .timesPerWindow
    case .runsPerDay: .runsPerWindow
    case .waitsPerDay: .waitsPerWindow
    case .hitsPerDay: .hitsPerWindow
    case .viewsPerDay: .viewsPerWindow
    case .joulesPerDay: .joulesPerWindow
    default: self
    }
  }

  /// A text that describes the meaning of the unit.
  package var meaning: String { Catalogue.units[rawValue].meaning }
}

/// A statistic of a metric; raw values appear in the `statistic` column.
package enum Statistic: String, CaseIterable, Sendable {
  case mean, p50, p90, p95, p99, p999, max, total, share

  /// The probability of a quantile; `nil` for other statistics.
  package var probability: Double? {
    switch self {
    case .p50: 0.5
    case .p90: 0.9
    case .p95: 0.95
    case .p99: 0.99
    case .p999: 0.999
    case .mean, .max, .total, .share: nil
    }
  }

  /// A sentence that explains the statistic.
  package var meaning: String { Catalogue.statistics[rawValue].meaning }
}

extension Label {
  /// A text that describes the meaning of the label.
  package var meaning: String { Catalogue.labels[rawValue].meaning }
}

extension Cause {
  /// An explanation of why runs with this cause start (MODEL.md 4.2), with advice on how to make them more or less
  /// frequent.
  package var explanation: Word { Catalogue.causes[name] }
}

extension WaitReason {
  /// An explanation of why a due run is withheld for this reason (MODEL.md 4.5), with advice.
  package var explanation: Word { Catalogue.waits[name] }
}

extension FailureReason {
  /// An explanation of why requests fail for this reason (MODEL.md 6), with advice.
  package var explanation: Word { Catalogue.failures[name] }
}

extension EnergyComponent {
  /// An explanation of what this component uses energy for (MODEL.md 7), with advice.
  package var explanation: Word { Catalogue.energy[name] }
}
