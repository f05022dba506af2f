import Testing

@testable import Calibration

/// 95 % intervals against the truth of logs that are made anew two hundred times.
@Suite struct CoverageTests {
  @Test func ofIntervalWindowAndShareInUse() {
    var (cycle, window, inUse) = (Coverage(), Coverage(), Coverage())
    var fleet = SyntheticFleet()
    fleet.phones = 60
    for trial in 0..<Coverage.trials {
      let estimates = KindEstimates(fleet.history(key: UInt64(trial)), known: KnownPolicy(), resolution: .millisecond)
      cycle.add(estimates.cycle, truth: 1_800.4)
      guard let delay = estimates.startDelay else { continue }
      window.add(delay.window, truth: 900)
      inUse.add(delay.inUseShare, truth: 0.1)
    }
    for coverage in [cycle, window, inUse] {
      print(coverage.covered, coverage.mean, coverage.deviation)
      #expect(Coverage.expected.contains(coverage.covered))
    }
  }
}
