import RequestStatistics
import Testing

@testable import Calibration

@Suite struct IntervalTests {
  @Test func aPlainLog() throws {
    var fleet = SyntheticFleet()
    fleet.waitsAtNight = true
    fleet.hours = SyntheticDay.hours
    let history = fleet.history(key: 1)
    let estimates = KindEstimates(history, known: KnownPolicy(), resolution: .millisecond)
    print(history.wakes.count, estimates.interval, estimates.cycle, estimates.startDelay as Any)
  }
  @Test func jitter() throws {
    var fleet = SyntheticFleet()
    fleet.jitter = 600
    fleet.phones = 200
    for key in 0..<4 {
      let history = fleet.history(key: UInt64(key))
      var known = KnownPolicy()
      known.jitter = 600
      let estimates = KindEstimates(history, known: known, resolution: .millisecond)
      print(history.wakes.count, estimates.interval, estimates.cycle, estimates.startDelay as Any)
    }
  }
}
