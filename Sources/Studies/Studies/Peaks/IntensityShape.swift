/// The variation of a load's intensity within pieces that contain no significant single bump (MODEL.md 8.1.4).
struct IntensityShape {
  /// A block of windows within a piece. The last block of a piece may be shorter.
  struct Part {
    var windows: Range<Int>
    /// The relative excess of the block's requests over the number expected from its length.
    var excess: Double
    /// The variance of the excess due to chance.
    var noise: Double

    /// Returns the ratio of the block's mean to the piece's mean and the ratio's standard error, given a variance of
    /// the true excesses.
    func drawn(_ variance: Double, pieceError: Double) -> (ratio: Double, error: Double) {
      let kept = variance / (variance + noise)
      return (1 + kept * excess, (kept * noise + (1 - kept) * (1 - kept) * pieceError * pieceError).squareRoot())
    }
  }

  /// The variance of block intensities around their piece's mean, relative to the squared mean.
  private(set) var variance = 0.0
  /// The upper bound of the interval of `variance`.
  private(set) var maximum = 0.0
  private var length = Int.max
  private let pieces: IntensityPieces
  private let dispersion: Dispersion

  /// The maximum number of blocks. Shorter blocks would not reveal more than the search for single bumps.
  private static let maxBlocks = 256
  /// The number of standard errors above which a variance is significant.
  private static let significance = 3.0
  /// The smallest number of blocks into which a piece is divided.
  private static let fewestBlocks = 4

  init(_ pieces: IntensityPieces, _ dispersion: Dispersion) {
    self.pieces = pieces
    self.dispersion = dispersion
    let windows = pieces.cuts.last ?? 0
    var (best, length) = (-Double.infinity, 1)
    while length * Self.fewestBlocks <= windows {
      if length * Self.maxBlocks >= windows, let found = excess(ofBlocks: length), found.variance / found.error > best {
        best = found.variance / found.error
        self.length = length
        variance = best >= Self.significance ? found.variance : 0
        maximum = max(0, found.variance) + 1.96 * found.error
      }
      length *= 2
    }
  }

  /// Returns the variance between the blocks of all pieces in excess of chance, and its standard error.
  private func excess(ofBlocks length: Int) -> (variance: Double, error: Double)? {
    var (squares, variance, weight) = (0.0, 0.0, 0.0)
    for piece in pieces.ranges where piece.count / length >= Self.fewestBlocks {
      let blocks = piece.count / length
      let whole = piece.lowerBound..<piece.lowerBound + blocks * length
      let requests = pieces.requests(in: whole)
      guard requests > 0 else { continue }
      let mean = requests / Double(blocks)
      for start in stride(from: whole.lowerBound, to: whole.upperBound, by: length) {
        let off = pieces.requests(in: start..<start + length) - mean
        squares += off * off
      }
      let noise = mean * dispersion.ofBlocks(length, in: whole, requests: requests)
      squares -= Double(blocks) * noise - mean * dispersion.ofSum(whole, requests: requests)
      variance += 2 * Double(blocks) * noise * noise * dispersion.uncertainty
      weight += requests * mean
    }
    return weight > 0 && variance > 0 ? (squares / weight, variance.squareRoot() / weight) : nil
  }

  /// Returns the blocks of a piece; empty if the piece is too short to divide.
  func parts(of piece: Range<Int>) -> [Part] {
    let requests = pieces.requests(in: piece)
    guard piece.count / length >= Self.fewestBlocks, requests > 0 else { return [] }
    let mean = requests / Double(piece.count)
    let spread = dispersion.ofBlocks(length, in: piece, requests: requests) / mean
    return stride(from: piece.lowerBound, to: piece.upperBound, by: length).map { start in
      let windows = start..<min(start + length, piece.upperBound)
      let count = Double(windows.count)
      return Part(windows: windows, excess: pieces.requests(in: windows) / (count * mean) - 1, noise: spread / count)
    }
  }
}
