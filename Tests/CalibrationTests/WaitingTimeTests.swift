import RequestStatistics
import SimulationKernel
import Testing

@testable import Calibration

/// The lengths of waits, from hazards.
struct WaitingTimeTests {
  /// Returns phones that wake by Poisson's law, for `days`.
  private func history(mean: Double, phones: Int = 200, days: Int64 = 2, holes: [Range<Int64>] = [], key: UInt64 = 11)
    -> WakeHistory
  {
    var history = WakeHistory(span: 0..<days * 86_400_000, holes: holes)
    for phone in 0..<phones {
      var draws = Draws(key: key, stream: phone)
      var wakes: [WakeHistory.Wake] = []
      var time = draws.exponential(mean: mean) * 1_000
      while time < Double(history.span.upperBound) {
        if !holes.contains(where: { $0.contains(Int64(time)) }) { wakes.append(WakeHistory.Wake(time: Int64(time))) }
        time += draws.exponential(mean: mean) * 1_000
      }
      history.append(UInt64(phone + 1), wakes)
    }
    return history
  }

  private func waits(_ history: WakeHistory) -> WaitingTimes { WaitingTimes(HazardCurve(Gaps(of: history))) }

  /// Exponential waits: the quantile of p is -m log(1-p), its standard error m sqrt(p / (1-p) / n). The hole cuts waits
  /// off and changes nothing.
  @Test(arguments: [[], [50_000_000..<70_000_000]] as [[Range<Int64>]])
  func quantilesAreThoseOfTheLaw(_ holes: [Range<Int64>]) throws {
    let mean = 1_800.0
    let waits = waits(history(mean: mean, holes: holes))
    for share in [0.1, 0.5, 0.9] {
      let quantile = try #require(waits.quantile(share))
      let error = mean * (share / (1 - share) / Double(waits.count)).squareRoot()
      // Whole seconds, rounded up.
      #expect(abs(quantile - 0.5 + mean * SteadyMath.log(1 - share)) < 4 * error + 0.5)
    }
  }

  /// Exponential distributions with means 1 and 2 lie a quarter apart, at 2 log 2, where the first has reached 3/4.
  @Test func theFarthestDistanceIsKolmogorovs() throws {
    let (one, two) = (waits(history(mean: 1_000)), waits(history(mean: 2_000, key: 12)))
    let apart = try #require(one.farthest(from: two))
    // Each share is known to half over the root of 17 000.
    #expect(abs(apart.distance - 0.25) < 4 * 0.5 * (1 / Double(one.count) + 1 / Double(two.count)).squareRoot())
    #expect(apart.age > 1_000 && apart.age < 1_900)
    #expect(try #require(one.farthest(from: one)).distance == 0)
  }

  @Test func whatIsNotReachedIsUnknown() {
    let history = history(mean: 40_000, phones: 3, days: 1)
    #expect(waits(history).quantile(0.999_999) == nil)
    #expect(waits(WakeHistory(span: 0..<1_000)).quantile(0.5) == nil)
  }
}
