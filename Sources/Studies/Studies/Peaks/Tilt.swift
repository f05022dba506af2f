/// A linear rise or fall of the intensity within a piece, which would be missed if the piece's intensity were assumed
/// to be constant (MODEL.md 8.1.5).
struct Tilt {
  /// The excess at one end of the piece, which equals the deficit at the other end, as a fraction of the mean.
  let share: Double

  /// - Parameter counts: the requests in each window of the piece in the sample.
  /// - Parameter error: the relative standard error of their mean.
  init(of counts: ArraySlice<Double>, error: Double) {
    let (length, sum) = (Double(counts.count), counts.reduce(0, +))
    guard counts.count > 1, sum > 0 else {
      share = 0
      return
    }
    let moment = counts.enumerated().reduce(0) { $0 + Self.place($1.offset, of: length) * $1.element }
    // The mean square of the windows' positions.
    let square = (1 - 1 / (length * length)) / 3
    let slope = moment / (sum * square)
    let size = max(0, slope * slope - error * error / square).squareRoot()
    share = min(max(slope < 0 ? -size : size, -1), 1)
  }

  /// Returns a window's position in a piece, from -1 to 1.
  private static func place(_ index: Int, of length: Double) -> Double { (2 * Double(index) + 1) / length - 1 }

  /// The number of parts into which a tilted piece is divided.
  private static let steps = 4

  /// Returns up to four parts of a piece, each with the ratio of its mean to the piece's mean; empty if there is no
  /// tilt.
  func parts(of range: Range<Int>) -> [(ratio: Double, windows: Range<Int>)] {
    let steps = min(Self.steps, range.count)
    guard share != 0, steps > 1 else { return [] }
    return (0..<steps).map { step in
      let (from, to) = (range.count * step / steps, range.count * (step + 1) / steps)
      let centre = Double(from + to) / Double(range.count) - 1
      return (1 + share * centre, range.lowerBound + from..<range.lowerBound + to)
    }
  }
}
