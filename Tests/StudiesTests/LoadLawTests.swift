import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// The parts of a peak's estimate, compared with values worked out on paper (MODEL.md 8.1).
struct LoadLawTests {
  /// Returns two groups that take turns sending 10: a window's variance is (10 - 0)^2 = 100 for 10 requests, two
  /// windows together have none.
  private func turns(windows: Int) -> Dispersion {
    let first = (0..<windows).map { Int64($0 % 2 == 0 ? 10 : 0) }
    return Dispersion(WindowSpread(.second, [first, first.map { 10 - $0 }]))
  }

  /// 8.1.2: B_0 = 10, B_1 = (20 x 10 + 2 048 x 0) / 2 068 = 0.097, but at least 0.2.
  @Test func dispersionIsWeightedByLength() {
    let dispersion = turns(windows: 4_096)
    #expect(abs(dispersion.ofWindows(0..<1, requests: 10) - 10) < 1e-9)
    #expect(abs(dispersion.ofSum(0..<1, requests: 10) - 10) < 1e-9)
    // F B_1 / B_0 with the F of two windows, which is also 10.
    #expect(abs(dispersion.ofSum(0..<2, requests: 20) - 0.2) < 1e-9)
    #expect(abs(dispersion.ofSum(0..<4, requests: 40) - 0.2) < 1e-9)
    // D_0 = 2 B_0 - B_1.
    #expect(abs(dispersion.ofDifference(windows: 1) - (2 * 10 - 0.2)) < 1e-9)
    #expect(abs(dispersion.ofDifference(windows: 2) - 0.2) < 1e-9)
  }

  /// 8.1.5: the bounds for a mean with a standard error of 5 % are 1 / (1 + 3.92 x 0.05) and 1 + 4.9 x 0.05 of it. A
  /// million requests by themselves deviate by 0.1 %.
  @Test func theErrorOfTheMeanWidensTheInterval() {
    let piece = LoadLaw.Piece([KnownLoad.Level(count: 0, windows: 1)], mean: 1e6, dispersion: 1, error: 0.05)
    let peak = LoadLaw([piece]).order(rank: 0)
    #expect(abs(peak.value / 1e6 - 1) < 0.002)
    #expect(abs(peak.low * (1 + 3.92 * 0.05) / 1e6 - 1) < 0.002)
    #expect(abs(peak.high / (1 + 4.9 * 0.05) / 1e6 - 1) < 0.002)
  }

  /// Three windows with 100, 200 and 300, without chance: the quantile q has k = 2 (1 - q) windows above it. Whole k
  /// give the windows themselves, others are linear in between, and so are their bounds, half a request off.
  @Test(arguments: [(0.0, 100.0), (0.25, 150), (0.5, 200), (0.9, 280), (1, 300)])
  func quantilesOfFewWindowsAreInterpolated(probability: Double, value: Double) throws {
    let load = try #require(
      LoadEstimate(
        [0, 0, 0], .second, Dispersion(nil), of: FleetSample(scale: 1, known: 0), base: KnownLoad([200, 300, 100])))
    let quantile = load.quantile(probability)
    #expect(abs(quantile.value - value) < 1)
    #expect(abs(quantile.low - (value - 0.5)) < 1 && abs(quantile.high - (value + 0.5)) < 1)
  }
}
