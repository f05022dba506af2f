/// What comes to each window without chance, as a base load does, in requests of the fleet (MODEL.md 8.1.6).
package struct KnownLoad: Sendable {
  /// Windows to which the same comes.
  struct Level: Hashable {
    var count: Double
    var windows: Double
  }

  /// By window; nil where nothing does.
  private let counts: [Double]?
  private let largest: Double

  /// Nothing.
  package static let none = KnownLoad(nil)

  package init(_ counts: [Double]?) {
    self.counts = counts
    largest = counts?.max() ?? 0
  }

  /// Levels closer than this part of what chance does to a window are one.
  private static let partOfDeviation = 1.0 / 8
  /// And those closer than this part of the largest.
  private static let partOfLargest = 1.0 / 2_000

  /// Spans of a piece without gaps to whose windows as much comes.
  func spans(in piece: Range<Int>, atLeast least: Double) -> [Range<Int>] {
    guard let counts else { return least <= 0 ? [piece] : [] }
    var spans: [Range<Int>] = []
    for window in piece where counts[window] >= least {
      if let last = spans.last, last.upperBound == window {
        spans[spans.count - 1] = last.lowerBound..<window + 1
      } else {
        spans.append(window..<window + 1)
      }
    }
    return spans
  }

  /// What comes to the windows of a piece, ascending.
  ///
  /// - Parameter deviation: the standard deviation of a window's other requests.
  func levels(in piece: Range<Int>, deviation: Double) -> [Level] {
    guard let counts else { return [Level(count: 0, windows: Double(piece.count))] }
    let sorted = counts[piece].sorted()
    let width = max(deviation * Self.partOfDeviation, largest * Self.partOfLargest)
    var levels: [Level] = []
    var start = sorted.startIndex
    for index in sorted.indices where index == sorted.endIndex - 1 || sorted[index + 1] - sorted[start] > width {
      let part = sorted[start...index]
      levels.append(Level(count: part.reduce(0, +) / Double(part.count), windows: Double(part.count)))
      start = index + 1
    }
    return levels
  }
}
