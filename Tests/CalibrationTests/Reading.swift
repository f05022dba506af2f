import RequestStatistics
import Scenario

@testable import Calibration

extension KindEstimates {
  /// Makes estimates with all phones' clocks set to UTC.
  init(_ history: WakeHistory, known: KnownPolicy = KnownPolicy(), resolution: StampResolution = .millisecond) {
    let fleet = FleetEstimates(history, known: known, clocks: [])
    self.init(history, known: known, phones: fleet.phoneZones, resolution: resolution)
  }
}

extension KnownPolicy {
  /// The known policy, with the hours of `SyntheticDay`.
  static let usualHours: KnownPolicy = {
    var known = KnownPolicy()
    known.hours = HourWeights(weights: SyntheticDay.hours)
    return known
  }()
}
