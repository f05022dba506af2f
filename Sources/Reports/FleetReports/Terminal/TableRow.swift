package import Scenario

/// A row of the table that `run` prints. The raw value is the text before the row's figure.
package enum TableRow: String, CaseIterable, Sendable {
  case requests
  case failing = "that fail"
  case bytesDown = "bytes down"
  case peakLoad = "peak load"
  case meanLoad = "mean load"
  case peak
  case mean
  case offeredPeak = "offered peak"
  case aboveCapacity = "above its capacity"
  case staleAnswers = "stale answers from the CDN"
  case recovery = "recovery after"
  case refreshes = "refreshes per widget per day"
  case maximum
  case ofKind = "kind"
  case lateness
  case waits = "waits per widget per day"
  case waitsForBudget = "for the budget"
  case views = "views per widget per day"
  case stale
  case staleAfterTheReload = "stale after the reload"
  case dataAge = "data age at view"
  case seen = "90 % have seen"
  case cacheHits = "cache hits per widget per day"
  case requestsSaved = "requests saved"
  case requestsOfTaps = "requests due to taps"
  case energy = "energy per widget per day"
  case battery = "battery use per phone per day"

  /// Whether the text of the row is followed by a name from the scenario.
  package var namesSomething: Bool { [.recovery, .ofKind, .seen].contains(self) }

  /// The metrics that the row shows. A row for a load has two metrics: one for the servers and one for the phones.
  package var metrics: [Metric] {
    switch self {
    case .requests, .requestsOfTaps: [.requests]
    case .failing: [.failures]
    case .bytesDown: [.bytesDown]
    case .peakLoad, .peak: [.serverPeakRPS, .peakRPS]
    case .meanLoad, .mean: [.serverMeanRPS, .meanRPS]
    case .offeredPeak: [.offeredPeakRPS]
    case .aboveCapacity: [.overloadSeconds]
    case .staleAnswers: [.cdnStaleAnswers]
    case .recovery: [.recoveryTime]
    case .refreshes, .maximum, .ofKind: [.runsPerDay]
    case .lateness: [.lateness]
    case .waits, .waitsForBudget: [.waitsPerDay]
    case .views: [.viewsPerDay]
    case .stale: [.staleViews]
    case .staleAfterTheReload: [.staleViewsAfter]
    case .dataAge: [.dataAge]
    case .seen: [.eventToView]
    case .cacheHits: [.cacheHitsPerDay]
    case .requestsSaved: [.requestsSaved]
    case .energy: [.energyPerDay]
    case .battery: [.batteryPercentPerDay]
    }
  }
}
