internal import SimulationKernel

/// The shape of the rise at an edge: a step or a ramp.
///
/// A step means that runs start a fixed time after the previous run. A ramp means that jitter or uneven delays spread
/// the starts of runs.
struct EdgeShape {
  /// The ages, in seconds, at which the rate of runs starts and stops rising; they are equal for a step.
  let start: Double
  let end: Double

  /// The half-widths, in seconds, of the windows around an edge in which a step and a ramp are compared.
  private static let widths = [10, 30, 60, 120, 240, 450, 900]
  private static let cells = 40
  /// The smallest gain in log-likelihood for which a ramp is considered significantly better than a step.
  private static let minGain = 12.0

  /// - Parameters:
  ///   - sharpness: the width of a ramp that can result from runs of different durations, in seconds.
  init(_ edge: HazardEdge, _ curve: HazardCurve, sharpness: Double) {
    var best: (gain: Double, start: Double, end: Double)?
    for width in Self.widths where edge.place > Double(3 * width) {
      let cells = Self.cells(around: Int(edge.place), width: width, of: curve)
      guard Self.isLevel(cells), let ramp = Self.ramp(cells) else { continue }
      let size = Double(2 * width) / Double(Self.cells)
      let (start, end) = (Double(ramp.start) * size, Double(ramp.end) * size)
      let first = Double(Int(edge.place) - width)
      if ramp.gain > best?.gain ?? Self.minGain, end - start > max(sharpness, size * 1.5) {
        best = (ramp.gain, first + start, first + end)
      }
    }
    (start, end) = best.map { ($0.start, $0.end) } ?? (edge.place, edge.place)
  }

  var isStep: Bool { start == end }

  private typealias Cell = (events: Double, exposure: Double)

  /// Returns the cells that divide a window around an age.
  ///
  /// Beyond that age, the rates are densities among the phones that reached it. The hazard is unsuitable, because for a
  /// uniform delay, it rises like a ramp towards the end of the delay.
  private static func cells(around age: Int, width: Int, of curve: HazardCurve) -> [Cell] {
    let first = age - width
    return (0..<cells).map { cell in
      let ages = first + cell * 2 * width / cells..<first + (cell + 1) * 2 * width / cells
      let sums = curve.sums(ages)
      return cell < cells / 2 ? sums : (sums.events, curve.exposure[age] * Double(ages.count))
    }
  }

  /// Returns whether runs continue to start until the end of a window. If they stop earlier, there is no constant rate
  /// to which a step could rise.
  private static func isLevel(_ cells: [Cell]) -> Bool {
    let near = cells[cells.count / 2..<cells.count * 3 / 4].reduce(0) { $0 + $1.events }
    let far = cells[(cells.count * 3 / 4)...].reduce(0) { $0 + $1.events }
    return far >= 0.6 * near
  }

  /// Returns the most likely ramp and its gain over the most likely step; `nil` if any cell has no exposure.
  private static func ramp(_ cells: [Cell]) -> (gain: Double, start: Int, end: Int)? {
    let count = cells.count
    guard cells.allSatisfy({ $0.exposure > 0 }) else { return nil }
    let sums = cells.reduce(into: [(0.0, 0.0)]) { sums, cell in
      let last = sums[sums.count - 1]
      sums.append((last.0 + cell.events, last.1 + cell.exposure))
    }
    func rate(_ range: Range<Int>) -> Double {
      let (from, to) = (sums[range.lowerBound], sums[range.upperBound])
      return max(to.0 - from.0, 0.5) / (to.1 - from.1)
    }
    func logLikelihood(_ start: Int, _ end: Int) -> Double {
      let (low, high) = (rate(0..<start), rate(end..<count))
      return cells.enumerated().reduce(0) { sum, cell in
        let place = Double(cell.offset) + 0.5
        let part = place <= Double(start) ? 0 : place >= Double(end) ? 1 : (place - Double(start)) / Double(end - start)
        let expected = max(low + (high - low) * part, 1e-12)
        return sum + cell.element.events * SteadyMath.log(expected) - cell.element.exposure * expected
      }
    }
    let inner = count / 8..<count - count / 8
    var step = -Double.infinity
    for place in inner { step = max(step, logLikelihood(place, place)) }
    var best: (value: Double, start: Int, end: Int)?
    for start in inner {
      for end in inner where end > start + 1 && rate(end..<count) > rate(0..<start) {
        let value = logLikelihood(start, end)
        if value > best?.value ?? -.infinity { best = (value, start, end) }
      }
    }
    return best.map { ($0.value - step, $0.start, $0.end) }
  }
}
