import Testing

@testable import Studies

/// The tilt of counts within a piece (MODEL.md 8.1.5).
@Suite struct TiltTests {
  private static func means(_ counts: [Double], error: Double = 0) -> [Double] {
    let mean = counts.reduce(0, +) / Double(counts.count)
    return Tilt(of: counts[...], error: error).parts(of: 10..<10 + counts.count).map { $0.ratio * mean }
  }

  /// Counts that fall or rise linearly: without chance, the parts have their own means.
  @Test(arguments: [
    ([4, 3, 2, 1], [4, 3, 2, 1]), ([1, 2, 3], [1, 2, 3]), ([5, 3], [5, 3]),
    ([8, 7, 6, 5, 4, 3, 2, 1], [7.5, 5.5, 3.5, 1.5]), ([10, 9, 8, 7, 6], [10, 9, 8, 6.5]),
  ])
  func partsOfLinearCountsHaveTheirMeans(counts: [Double], means: [Double]) {
    let found = Self.means(counts)
    #expect(found.count == means.count)
    #expect(zip(found, means).allSatisfy { abs($0 - $1) < 1e-12 }, "\(found)")
  }

  /// The parts follow each other and fill the piece.
  @Test func partsFillThePiece() {
    let parts = Tilt(of: [9, 8, 7, 6, 5, 4, 3], error: 0).parts(of: 10..<17).map(\.windows)
    #expect(parts == [10..<11, 11..<13, 13..<15, 15..<17])
  }

  /// Counts 4, 3, 2, 1 have g = -0.8 and w = 5/16, so that e = 0.8 sqrt(w) explains the tilt.
  @Test(arguments: [(0.44, true), (0.45, false)]) func tiltsByChanceAreIgnored(error: Double, isTilted: Bool) {
    #expect(Self.means([4, 3, 2, 1], error: error).isEmpty == !isTilted)
  }

  @Test(arguments: [[7, 7, 7, 7], [1, 2, 2, 1], [0, 0, 0], [5]]) func evenCountsHaveNoTilt(counts: [Double]) {
    #expect(Self.means(counts).isEmpty)
  }

  /// With all counts at one end, g = 12/5 exceeds 1, but no mean may be negative.
  @Test func meansAreNotNegative() { #expect(Self.means([8, 0, 0, 0]) == [3.5, 2.5, 1.5, 0.5]) }
}
