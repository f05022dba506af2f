import Testing

@testable import Studies

/// The shared variation of a piece's blocks, compared with values worked out on paper (MODEL.md 8.1.4).
struct IntensityShapeTests {
  private func shape(_ counts: [Double]) -> IntensityShape {
    IntensityShape(IntensityPieces(counts, Dispersion(nil)), Dispersion(nil))
  }

  /// Four windows with y = 1 000 on average, each off by 80, i = 4, a = 1 000, S = 4 000. None is a bump of its own:
  /// 8.4 - 4 log 4 = 2.9. Q = 4 x 80^2 - 4 000 + 1 000 = 22 600, v = Q / (S y), s = root of (2 x 4 x 1 000^2) / (S y).
  @Test func wavesAreFoundTogether() throws {
    let counts = [1_080.0, 920, 1_080, 920]
    #expect(IntensityPieces(counts, Dispersion(nil)).cuts == [0, 4])
    let shape = shape(counts)
    let (variance, error) = (22_600 / 4e6, (8e6).squareRoot() / 4e6)
    #expect(abs(shape.variance - variance) < 1e-12)
    #expect(abs(shape.maximum - (variance + 1.96 * error)) < 1e-12)
    // With u = 1 / 1 000, the share b = v / (v + u) of an excess of 8 % is kept.
    let part = try #require(shape.parts(of: 0..<4).first)
    let kept = variance / (variance + 1e-3)
    let drawn = part.drawn(shape.variance, pieceError: 0.01)
    #expect(abs(part.excess - 0.08) < 1e-12 && abs(drawn.ratio - (1 + 0.08 * kept)) < 1e-12)
    #expect(abs(drawn.error - (kept * 1e-3 + (1 - kept) * (1 - kept) * 1e-4).squareRoot()) < 1e-12)
  }

  /// Deviations of 20 are less than chance: Q = 1 600 - 3 000, so no block gets a mean of its own; v may still be 1.96
  /// s.
  @Test func chanceDeviationsAreNotAWave() {
    let shape = shape([1_020, 980, 1_020, 980])
    #expect(shape.variance == 0)
    #expect(abs(shape.maximum - 1.96 * (8e6).squareRoot() / 4e6) < 1e-12)
  }

  /// Three windows are too few for four blocks.
  @Test func shortPiecesHaveNoBlocks() {
    #expect(shape([1_100, 900, 1_100]).parts(of: 0..<3).isEmpty)
  }
}
