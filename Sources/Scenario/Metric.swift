/// A figure of MODEL.md section 8; raw values are its name in goals, columns and `explain`.
package enum Metric: String, CaseIterable, Sendable {
  case widgets
  case runs
  case runsPerDay = "runs_per_day"
  case lateness
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
  case viewsPerDay = "views_per_day"
  case staleViews = "stale_views"
  case staleViewsAfter = "stale_views_after"
  case dataAge = "data_age"
  case peakRPS = "peak_rps"
  case meanRPS = "mean_rps"
  case p99RPS = "p99_rps"
  case p999RPS = "p999_rps"
  case peakToMean = "peak_to_mean"
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
  case overloadSeconds = "overload_seconds"
  case recoveryTime = "recovery_time"
  case energyPerDay = "energy_per_day"
  case energySavedPerDay = "energy_saved_per_day"
  case energyAlonePerDay = "energy_alone_per_day"
  case energyInSessions = "energy_in_sessions"
  case batteryPercentPerDay = "battery_percent_per_day"
  case herd

  /// The unit of its values, as the column `unit` spells it.
  package var unit: String { measure.rawValue }

  /// The unit of its values.
  package var measure: MetricUnit {
    switch self {
    case .widgets: .widgets
    case .runs: .runs
    case .runsPerDay: .runsPerDay
    case .lateness, .waitLength, .dataAge, .overloadSeconds, .recoveryTime: .seconds
    case .waitsPerDay: .waitsPerDay
    case .budgetExhaustedHour: .hours
    case .budgetExhaustedPerDay, .budgetExhaustedDrift: .timesPerDay
    case .requests, .failures, .requestsSaved, .cdnStaleAnswers: .requests
    case .bytesDown, .bytesUp: .bytes
    case .cacheHitsPerDay: .hitsPerDay
    case .viewsPerDay: .viewsPerDay
    case .staleViews, .staleViewsAfter, .energyInSessions, .herd: .share
    case .peakRPS, .meanRPS, .p99RPS, .p999RPS, .otherDayPeakRPS: .requestsPerSecond
    case .originPeakRPS, .originMeanRPS, .originP99RPS, .originP999RPS: .requestsPerSecond
    case .serverPeakRPS, .serverMeanRPS, .serverP99RPS, .serverP999RPS: .requestsPerSecond
    case .peakToMean, .originPeakToMean: .ratio
    case .energyPerDay, .energySavedPerDay, .energyAlonePerDay: .joulesPerDay
    case .batteryPercentPerDay: .percentPerDay
    }
  }

  /// The statistics that it is reported as; the first is meant where none is named.
  package var statistics: [Statistic] {
    switch self {
    case .widgets, .runs: [.total]
    case .runsPerDay: [.mean, .p50, .p95, .p99, .max]
    case .lateness, .dataAge: [.mean, .p50, .p95, .p99]
    case .budgetExhaustedHour: [.mean, .p50, .p95]
    case .waitsPerDay, .waitLength, .budgetExhaustedPerDay, .budgetExhaustedDrift, .cacheHitsPerDay, .viewsPerDay,
      .meanRPS, .originMeanRPS, .serverMeanRPS:
      [.mean]
    case .requests: [.total, .share]
    case .failures: [.total, .share]
    case .bytesDown, .bytesUp, .requestsSaved, .cdnStaleAnswers, .overloadSeconds: [.total]
    case .staleViews, .staleViewsAfter, .energyInSessions, .herd: [.share]
    case .otherDayPeakRPS: [.p50]
    case .peakRPS, .peakToMean, .originPeakRPS, .originPeakToMean, .serverPeakRPS: [.max]
    case .p99RPS, .originP99RPS, .serverP99RPS: [.p99]
    case .p999RPS, .originP999RPS, .serverP999RPS: [.p999]
    case .recoveryTime: [.mean, .max]
    case .energyPerDay, .energySavedPerDay, .energyAlonePerDay: [.mean]
    case .batteryPercentPerDay: [.mean, .p50, .p95, .p99]
    }
  }

  /// What it may be about, in the order of the columns.
  package var labels: [Label] {
    switch self {
    case .widgets: [.cohort, .kind]
    case .runs: [.cohort, .kind, .cause]
    case .runsPerDay: [.cohort, .kind, .cause, .charged]
    case .lateness, .budgetExhaustedHour, .budgetExhaustedPerDay, .budgetExhaustedDrift, .cacheHitsPerDay, .viewsPerDay:
      [.cohort, .kind]
    case .staleViews, .staleViewsAfter, .dataAge: [.cohort, .kind]
    case .waitsPerDay, .waitLength: [.cohort, .kind, .reason]
    case .requests, .bytesDown, .bytesUp: [.cohort, .kind, .endpoint, .cause]
    case .failures: [.cohort, .kind, .endpoint, .cause, .reason]
    case .requestsSaved: [.cohort, .kind, .endpoint]
    case .peakRPS, .meanRPS, .p99RPS, .p999RPS, .peakToMean: [.endpoint, .window]
    case .originPeakRPS, .originMeanRPS, .originP99RPS, .originP999RPS, .originPeakToMean: [.endpoint, .window]
    case .otherDayPeakRPS: [.window]
    case .cdnStaleAnswers, .overloadSeconds: [.endpoint]
    case .serverPeakRPS, .serverMeanRPS, .serverP99RPS, .serverP999RPS: [.endpoint, .window]
    case .recoveryTime: [.event]
    case .energyPerDay, .energyAlonePerDay: [.cohort, .kind, .component]
    case .energySavedPerDay, .energyInSessions: [.cohort, .kind]
    case .batteryPercentPerDay: [.cohort]
    case .herd: [.endpoint, .period]
    }
  }

  /// What the same figure of the phones' requests is called; nil for figures that are not of the servers' load.
  package var ofPhones: Metric? {
    switch self {
    case .serverPeakRPS: .peakRPS
    case .serverMeanRPS: .meanRPS
    case .serverP99RPS: .p99RPS
    case .serverP999RPS: .p999RPS
    default: nil
    }
  }

  /// What the same figure of the servers' load is called; nil for figures that are not of the phones' requests.
  package var ofServers: Metric? { Metric.allCases.first { $0.ofPhones == self } }

  /// Whether it counts things that may not have happened: then what is missing in a result is 0.
  package var countsOccurrences: Bool {
    switch self {
    case .runs, .runsPerDay, .requests, .failures, .bytesDown, .bytesUp: true
    default: false
    }
  }
}

/// The unit of a metric; raw values are the column `unit`.
package enum MetricUnit: String, CaseIterable, Sendable {
  case widgets
  case runs
  case timesPerDay = "times/day"
  case runsPerDay = "runs/day"
  case waitsPerDay = "waits/day"
  case hitsPerDay = "hits/day"
  case viewsPerDay = "views/day"
  case seconds = "s"
  /// Hours of a local clock.
  case hours = "h"
  case requests
  case bytes
  case share
  case requestsPerSecond = "requests/s"
  case ratio
  case joulesPerDay = "J/day"
  /// Per cent as a number: 0.5 is half a per cent.
  case percentPerDay = "%/day"
}

/// Which number of a distribution a row holds; raw values are the column `statistic`.
package enum Statistic: String, CaseIterable, Sendable {
  case mean, p50, p95, p99, p999, max, total, share

  /// The probability of a quantile; nil for the others.
  package var probability: Double? {
    switch self {
    case .p50: 0.5
    case .p95: 0.95
    case .p99: 0.99
    case .p999: 0.999
    case .mean, .max, .total, .share: nil
    }
  }
}
