import Testing

@testable import Studies

/// How a load is cut into pieces of constant intensity (MODEL.md 8.1.3).
struct IntensityPieceTests {
  /// For a bump without noise, the most likely piece is the bump itself, at any position and of any length.
  @Test(arguments: [(8, 15), (9, 12), (17, 30), (32, 37), (50, 53), (61, 84), (100, 120), (0, 13), (117, 128)])
  func bumpsAreCutAtTheirEdges(from: Int, to: Int) {
    let counts = (0..<128).map { (from..<to).contains($0) ? 10.0 : 2 }
    let pieces = IntensityPieces(counts, Dispersion(nil))
    #expect(pieces.cuts == Set([0, from, to, 128]).sorted())
  }

  /// The last of m = 64 windows has L requests, the others 4 each: S = 252 + L, p = 1 / 64. The second part of the
  /// score is the smaller one: 1.5 (63 L / 64 - 252 / 64)^2 / (L (63 / 64)^2 + 252 / 64^2) - 4 log 64. It is 5.39 for
  /// 22 and 6.84 for 23; the threshold is 5.991.
  @Test(arguments: [(22, [0, 64]), (23, [0, 63, 64])] as [(Double, [Int])])
  func aBumpMustBeMoreThanChance(requests: Double, cuts: [Int]) {
    let pieces = IntensityPieces(Array(repeating: 4, count: 63) + [requests], Dispersion(nil))
    #expect(pieces.cuts == cuts)
  }

  /// For a load of which one request in 4 096 passes, counts and dispersion are 4 096 times smaller and all scores are
  /// the same. Any proportion that passes is cut in the same places as the whole load.
  @Test(arguments: [(4, 8), (20, 21), (33, 64)]) func thinnedLoadIsCutAtTheSameEdges(from: Int, to: Int) {
    let counts = (0..<64).map { (from..<to).contains($0) ? 40.0 : 4 }
    let whole = IntensityPieces(counts, Dispersion(nil))
    let thinned = IntensityPieces(counts.map { $0 / 4_096 }, Dispersion(nil, share: 1 / 4_096.0))
    #expect(thinned.requests(in: 0..<64) < 1)
    #expect(whole.cuts.count > 2 && thinned.cuts == whole.cuts)
  }
}
