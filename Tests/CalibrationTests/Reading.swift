import RequestStatistics

@testable import Calibration

extension KindEstimates {
  /// With all phones' clocks in UTC.
  init(_ history: WakeHistory, known: KnownPolicy = KnownPolicy(), resolution: StampResolution = .millisecond) {
    let fleet = FleetEstimates(history, hours: nil, clocks: [])
    self.init(history, known: known, phones: fleet.phoneZones, resolution: resolution)
  }
}
