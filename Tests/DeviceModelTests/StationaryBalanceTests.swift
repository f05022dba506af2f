import SimulationKernel
import Testing

@testable import DeviceModel

/// Initial balances of budgets that have existed for a long time (MODEL.md 1.4).
@Suite struct StationaryBalanceTests {
  /// Uniforms that fill 0..<2^64 evenly.
  private static let uniforms = (0..<4_096).map { UInt64($0) << 52 | 1 << 51 }

  /// The mean of the truncated exponential density exp(t x) on 0...1 is 1 / (1 - exp(-t)) - 1 / t.
  @Test(arguments: [-2_000, -30, -1, -0.01, 0, 0.01, 1, 30, 2_000] as [Double])
  func sharesHaveTheirMean(tilt: Double) {
    let mean = Self.uniforms.reduce(0) { $0 + StationaryBalance.share(tilt: tilt, uniform: $1) } / 4_096
    let expected = abs(tilt) < 0.1 ? 0.5 + tilt / 12 : 1 / (1 - SteadyMath.exp(-tilt)) - 1 / tilt
    #expect(abs(mean - expected) < 0.000_5, "\(mean) for \(expected)")
  }

  /// Without drift, a budget may be anywhere; with a surplus it is near the top.
  ///
  /// With a surplus of 2 runs a day and a variance of 4 runs squared, it is below the top by s2 / 2 m = 1 run on
  /// average.
  @Test func levelsFollowTheDrift() {
    func mean(_ drift: Double, _ variance: Double) -> Double {
      Self.uniforms.reduce(0) {
        $0 + StationaryBalance.level(room: 40, drift: drift, variance: variance, uniform: $1)
      } / 4_096
    }
    #expect(abs(mean(0, 4) - 20) < 0.02)
    #expect(abs(mean(2, 4) - 39) < 0.02)
    #expect(abs(mean(-2, 4) - 1) < 0.02)
    #expect(mean(-2, 0) < 0.001)
  }

  /// Counts have mean and variance m with both methods.
  @Test(arguments: [0.05, 1, 7, 15.9, 16, 80, 400] as [Double])
  func countsArePoisson(mean: Double) {
    let stream = DeviceStream(seed: 3, device: 1, replication: 0)
    let counts = (0..<20_000).map {
      PoissonDraw.count(mean: mean, stream.block(.history, part: 0, index: $0))
    }
    let found = counts.reduce(0, +) / 20_000
    let variance = counts.reduce(0) { $0 + ($1 - found) * ($1 - found) } / 20_000
    #expect(abs(found - mean) < 4.5 * (mean / 20_000).squareRoot())
    // The sample variance of a Poisson variable has variance m (1 + 2 m) / n; rounding adds 1/12.
    #expect(abs(variance - mean) < 4.5 * (mean * (1 + 2 * mean) / 20_000).squareRoot() + (mean < 16 ? 0 : 1.0 / 12))
  }

  /// C is 24, accruing evenly every quarter hour; all 24 runs are in the hour after midnight.
  ///
  /// y falls from 0 at midnight to -23 at 1:00 and rises by 1 an hour: in the 24 h before noon it lies between -23 and
  /// 0, and the same before 1:30 and before midnight.
  @Test(arguments: [(12, 11, 12), (1.5, 0.5, 22.5), (23.5, 22.5, 0.5)] as [(Double, Double, Double)])
  func swingOfADay(hour: Double, above: Double, below: Double) {
    let storage = SamplerStorage()
    defer { withExtendedLifetime(storage) {} }
    let plan = DemandPlan(
      classes: storage.keep([]), accrued: storage.keep((0...24).map { Double($0) / 24 }),
      asked: storage.keep((0...24).map { $0 == 0 ? 0 : 1 }))
    let swing = plan.swing(at: .milliseconds(Int64(hour * 3_600_000)), capacity: 24, demand: 24)
    #expect(abs(swing.aboveMin - above) < 1e-9 && abs(swing.belowMax - below) < 1e-9, "\(swing)")
  }
}
