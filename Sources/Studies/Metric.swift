/// A figure of MODEL.md section 8; raw values are its name in goals, columns and `explain`.
package enum Metric: String, CaseIterable, Sendable {
  case runsPerDay = "runs_per_day"
  case lateness
  case waitsPerDay = "waits_per_day"
  case waitLength = "wait_length"
  case budgetExhaustedHour = "budget_exhausted_hour"
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
  case energyPerDay = "energy_per_day"
  case energySavedPerDay = "energy_saved_per_day"
  case energyInSessions = "energy_in_sessions"
  case batteryPercentPerDay = "battery_percent_per_day"
  case peakRPS = "peak_rps"
  case meanRPS = "mean_rps"
  case p99RPS = "p99_rps"
  case p999RPS = "p999_rps"
  case peakToMean = "peak_to_mean"

  /// The unit of its values, as the column `unit` spells it.
  package var unit: String {
    switch self {
    case .runsPerDay: "runs/day"
    case .lateness, .waitLength, .dataAge: "s"
    case .waitsPerDay: "waits/day"
    case .budgetExhaustedHour: "h"
    case .requests, .failures, .requestsSaved: "requests"
    case .bytesDown, .bytesUp: "bytes"
    case .cacheHitsPerDay: "hits/day"
    case .viewsPerDay: "views/day"
    case .staleViews, .staleViewsAfter, .energyInSessions: "share"
    case .energyPerDay, .energySavedPerDay: "J/day"
    case .batteryPercentPerDay: "%"
    case .peakRPS, .meanRPS, .p99RPS, .p999RPS: "requests/s"
    case .peakToMean: "ratio"
    }
  }
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
