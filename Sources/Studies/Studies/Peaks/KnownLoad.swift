/// The deterministic load in each window, such as a base load, as a number of requests for the whole fleet (MODEL.md
/// 8.1.6).
package struct KnownLoad: Sendable {
  /// A number of windows with the same known load.
  struct Level: Hashable {
    var count: Double
    var windows: Double
  }

  /// The load in each window; `nil` if there is no known load.
  private let counts: [Double]?
  private let largest: Double

  package static let none = KnownLoad(nil)

  package init(_ counts: [Double]?) {
    self.counts = counts
    largest = counts?.max() ?? 0
  }

  /// The distance below which levels are merged, as a fraction of a window's standard deviation.
  private static let partOfDeviation = 1.0 / 8
  /// The distance below which levels are merged, as a fraction of the largest load.
  private static let partOfLargest = 1.0 / 2_000

  /// Returns contiguous spans of a piece in which every window has at least this load.
  func spans(in piece: Range<Int>, atLeast minimum: Double) -> [Range<Int>] {
    guard let counts else { return minimum <= 0 ? [piece] : [] }
    var spans: [Range<Int>] = []
    for window in piece where counts[window] >= minimum {
      if let last = spans.last, last.upperBound == window {
        spans[spans.count - 1] = last.lowerBound..<window + 1
      } else {
        spans.append(window..<window + 1)
      }
    }
    return spans
  }

  /// Returns the levels of a piece's windows in ascending order.
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
