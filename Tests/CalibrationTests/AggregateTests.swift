import RequestStatistics
import Testing

@testable import Calibration

@Suite struct AggregateTests {
  @Test(arguments: [(1_800.0, 900.0), (3_600, 900), (1_200, 300), (1_800, 60)]) func spectrum(_ law: (Double, Double))
    throws
  {
    var fleet = SyntheticFleet()
    (fleet.interval, fleet.window) = law
    fleet.phones = 500
    fleet.waitsAtNight = true
    fleet.hours = SyntheticDay.hours
    var (p, w, n) = (Coverage(), Coverage(), Coverage())
    for key in 0..<20 {
      let history = fleet.history(key: UInt64(key))
      var counts = Array(repeating: 0.0, count: fleet.days * 1_440)
      for wake in history.wakes { counts[Int((wake.time - SyntheticFleet.start) / 60_000)] += 1 }
      let estimates = AggregateEstimates(counts: counts, step: 60, known: KnownPolicy())
      p.add(estimates.interval, truth: law.0)
      w.add(estimates.window, truth: law.1)
      n.add(estimates.devices, truth: 500)
    }
    print(
      law, "P", p.covered, p.mean, p.deviation, "W", w.covered, w.mean, w.deviation, "N", n.covered, n.mean, n.deviation
    )
  }
}
