import Scenario
import SimulationKernel
import Testing

@Suite struct BalanceBinTests {
  private static func bin(_ runs: Double) -> Int {
    BalanceBins.bin(of: RunMillionths(count: Int64((runs * 1_000_000).rounded())))
  }

  /// Bins are adjacent, and each is at most as wide as 1/64 of its lower edge's distance from -1.
  @Test func binsCoverEverything() {
    var next = -1.0
    for bin in 0..<BalanceBins.count - 1 {
      let (from, width) = BalanceBins.edges(ofBin: bin)
      #expect(abs(from - next) < 1e-6)
      #expect(width == 0.01 || width * 64 <= from + 1 + 1e-6)
      #expect(Self.bin(from) == bin && Self.bin(from + width - 0.01) == bin)
      next = from + width
    }
    #expect(abs(next + 1 - Double(1 << 24) / 100) < 1e-6)
  }

  @Test(arguments: [1 << 24, 1 << 25, 1 << 40] as [Int64]) func largerBalancesShareTheLastBin(hundredths: Int64) {
    #expect(BalanceBins.bin(of: RunMillionths(count: hundredths * 10_000)) == BalanceBins.count - 1)
    #expect(BalanceBins.edges(ofBin: BalanceBins.count - 1).width == 0)
  }

  @Test func balancesBelowMinusOneAreInTheFirstBin() { #expect(Self.bin(-2) == 0) }
}
