import SimulationKernel
import Testing

@Suite struct SilenceBinTests {
  /// Bins follow each other without a gap, and each is at most 1/64 of its lower edge wide.
  @Test func binsCoverEverything() throws {
    var next: Int64 = 0
    for bin in 0..<SilenceBins.count - 1 {
      let (from, width) = try #require(SilenceBins.edges(ofBin: bin))
      #expect(from == next)
      #expect(width == 1 || width * 64 <= from)
      #expect(SilenceBins.bin(of: from) == bin && SilenceBins.bin(of: from + width - 1) == bin)
      next = from + width
    }
    #expect(next == 1 << 24)
    #expect(next > 4 * 3_600_000)
  }

  @Test(arguments: [1 << 24, 1 << 25, 1 << 40, Int64.max]) func whatIsLongerSharesTheLast(_ milliseconds: Int64) {
    #expect(SilenceBins.bin(of: milliseconds) == SilenceBins.count - 1)
    #expect(SilenceBins.edges(ofBin: SilenceBins.count - 1) == nil)
  }

  @Test func nothingIsNegative() { #expect(SilenceBins.bin(of: -1) == 0) }
}
