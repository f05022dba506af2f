import RequestStatistics
import Testing

@testable import Calibration

@Suite struct AggregateTests {
  @Test(arguments: [(1_800.0, 900.0), (3_600, 900), (1_200, 300), (900, 600)]) func spectrum(_ law: (Double, Double))
    throws
  {
    var fleet = SyntheticFleet()
    (fleet.interval, fleet.window) = law
    fleet.phones = 500
    fleet.waitsAtNight = true
    fleet.hours = SyntheticDay.hours
    let history = fleet.history(key: 1)
    var counts = Array(repeating: 0.0, count: fleet.days * 1_440)
    for wake in history.wakes { counts[Int((wake.time - SyntheticFleet.start) / 60_000)] += 1 }
    let estimates = AggregateEstimates(counts: counts, step: 60, known: KnownPolicy())
    print(law, estimates.interval, estimates.window, estimates.freeRuns, estimates.devices, estimates.peak)
  }
}
