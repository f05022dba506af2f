import Numerics
import SimulationKernel

/// The distribution of the largest counts over the windows of a fleet, given an intensity estimated from a sample
/// (MODEL.md 8.1).
struct LoadLaw {
  /// A group of windows with the same intensity.
  struct Piece {
    /// The number of windows at each level of the known load.
    var windows: [KnownLoad.Level]
    /// The fleet's mean requests per window.
    var mean: Double
    /// The variance-to-mean ratio of a window's requests.
    var dispersion: Double
    /// The relative standard error of the mean.
    var error: Double
    /// The maximum known load of any window.
    let known: Double
    /// The piece's blocks, with the number of windows at each level of the known load.
    var parts: [(windows: [KnownLoad.Level], part: IntensityShape.Part)] = []
    /// The piece's parts along a tilt of its mean, with the ratio of each part's mean to the piece's mean; empty if
    /// there is no tilt.
    var tilted: [(ratio: Double, windows: [KnownLoad.Level])] = []

    init(_ windows: [KnownLoad.Level], mean: Double, dispersion: Double, error: Double) {
      self.windows = windows
      self.mean = mean
      self.dispersion = dispersion
      self.error = error
      known = windows.reduce(0) { max($0, $1.count) }
    }

    /// The mean number of requests in the window with the highest known load.
    var top: Double { known + mean }

    /// Returns the piece's blocks as pieces with separate means, assuming this variance around the piece's mean.
    fileprivate func divided(_ variance: Double) -> [Piece] {
      guard variance > 0, !parts.isEmpty else { return [self] }
      return parts.map { windows, part in
        let drawn = part.drawn(variance, pieceError: error)
        return Piece(windows, mean: mean * drawn.ratio, dispersion: dispersion, error: drawn.error)
      }
    }

    /// Returns the parts along the tilt, or the blocks if the highest block is at least as high as the highest part.
    fileprivate func steepest(_ variance: Double) -> [Piece] {
      let blocks = divided(variance)
      let slope = tilted.map { ratio, windows in
        Piece(windows, mean: mean * ratio, dispersion: dispersion, error: error)
      }
      let tops = [blocks, slope].map { $0.map(\.top).max() ?? 0 }
      return tops[1] > tops[0] ? slope : blocks
    }
  }

  private let pieces: [Piece]
  /// The pieces, divided along their tilt or by the largest plausible variance of their blocks.
  private let roughest: [Piece]
  /// The maximum count of any window.
  private let maximum: Double

  /// The distance in standard errors within which a mean may still be the highest.
  static let reach = 3.0
  /// The half-width of an interval in standard errors. It is twice the 1.96 of a normal variable, to allow for
  /// undetected shapes.
  static let reachBelow = 2 * 1.96
  static let reachAbove = 2.5 * 1.96

  /// - Parameter maximum: the maximum number of random requests in any window.
  init(_ pieces: [Piece], _ shape: IntensityShape? = nil, maximum: Double = .infinity) {
    let shrunk = Self.shrunk(pieces)
    self.pieces = shrunk.flatMap { $0.divided(shape?.variance ?? 0) }
    roughest = shrunk.flatMap { $0.steepest(shape?.maximum ?? 0) }
    self.maximum = maximum + (pieces.map(\.known).max() ?? 0)
  }

  /// The piece with the highest expected count; `nil` if there are no pieces.
  var fullest: Piece? { pieces.max { $0.top < $1.top } }

  /// Shrinks the means that may be the highest towards each other, to the extent that errors explain their differences
  /// (Efron and Morris 1975; DerSimonian and Laird 1986).
  ///
  /// Without this step, the largest mean would be overestimated because it is partly the largest by chance.
  private static func shrunk(_ pieces: [Piece]) -> [Piece] {
    let minimum = pieces.map { $0.top - reach * $0.mean * $0.error }.max() ?? 0
    let contenders = pieces.indices.filter { index in
      let piece = pieces[index]
      return piece.mean * piece.error > 0 && piece.top + reach * piece.mean * piece.error >= minimum
    }
    guard contenders.count > 2 else { return pieces }
    let errors = contenders.map { pieces[$0].mean * pieces[$0].error }
    let weights = errors.map { 1 / ($0 * $0) }
    let total = weights.reduce(0, +)
    let centre = zip(contenders, weights).reduce(0) { $0 + $1.1 * pieces[$1.0].mean } / total
    let spread = zip(contenders, weights).reduce(0) {
      $0 + $1.1 * (pieces[$1.0].mean - centre) * (pieces[$1.0].mean - centre)
    }
    let squares = weights.reduce(0) { $0 + $1 * $1 }
    let between = max(0, (spread - Double(contenders.count - 1)) / (total - squares / total))
    var result = pieces
    for (index, error) in zip(contenders, errors) {
      let kept = between / (between + error * error)
      let mean = centre + kept * (pieces[index].mean - centre)
      result[index].mean = mean
      result[index].error = (kept * error * error + (1 - kept) * (1 - kept) / total).squareRoot() / mean
    }
    return result
  }

  /// The distribution of the number of windows above a count. It is described by its mean, its variance, and the
  /// negative logarithm of the probability of 0.
  fileprivate struct Exceedance {
    var mean = 0.0
    var variance = 0.0
    var none = 0.0

    mutating func add(_ other: Exceedance) {
      mean += other.mean
      variance += other.variance
      none += other.none
    }

    /// Creates a mixture of cases with the given probabilities. The same case applies to all windows.
    init(mixed cases: [(chance: Double, Exceedance)]) {
      guard cases.count > 1 else {
        self = cases.first?.1 ?? Exceedance()
        return
      }
      let square = cases.reduce(0) { $0 + $1.chance * ($1.1.variance + $1.1.mean * $1.1.mean) }
      mean = cases.reduce(0) { $0 + $1.chance * $1.1.mean }
      variance = square - mean * mean
      none = -SteadyMath.log(max(cases.reduce(0) { $0 + $1.chance * SteadyMath.exp(-$1.1.none) }, 1e-300))
    }

    init() {}

    mutating func add(_ tail: Double, windows: Double) {
      mean += windows * tail
      variance += windows * tail * (1 - tail)
      none += windows * (tail < 1e-3 ? tail * (1 + tail / 2) : tail < 1 ? -SteadyMath.log(1 - tail) : 36)
    }

    /// Returns the probability that at most `rank` windows exceed the count. The result is exact for a rank of 0.
    /// Otherwise, it is approximated by a Poisson variable with the same variance, shifted to the mean.
    func chance(atMost rank: Double) -> Double {
      guard rank > 0 else { return SteadyMath.exp(-none) }
      let moved = rank - mean + variance
      return moved <= -0.999 ? 0 : ScaledPoisson(mean: variance, dispersion: 1).lowerTail(moved)
    }
  }

  /// The factor applied to the dispersion at the upper end of an interval, because clusters of different sizes lengthen
  /// the tail.
  static let unevenness = 1.25

  /// The nodes and weights of five-point Gauss–Hermite quadrature for a normal variable, which are the roots of
  /// x^5 - 10 x^3 + 15 x (Abramowitz and Stegun 1964, 25.10).
  private static let normal: [(chance: Double, errors: Double)] = {
    let root = 10.0.squareRoot()
    let (inner, outer) = ((7 + 2 * root) / 60, (7 - 2 * root) / 60)
    let (near, far) = ((5 - root).squareRoot(), (5 + root).squareRoot())
    return [(outer, -far), (inner, -near), (8.0 / 15, 0), (inner, near), (outer, far)]
  }()
  fileprivate static let maxErrors = normal[4].errors

  /// Returns the pieces with their means shifted by `errors` standard errors and then treated as exact. The dispersion
  /// is increased to allow for clusters of different sizes.
  private static func known(_ pieces: [Piece], unevenness: Double = 1, errors: Double = 0) -> [Piece] {
    pieces.map { piece in
      var piece = piece
      piece.dispersion *= unevenness
      let factor = 1 + errors.magnitude * piece.error
      piece.mean = errors < 0 ? piece.mean / factor : piece.mean * factor
      piece.error = 0
      return piece
    }
  }

  /// Returns the probability that at most `rank` windows exceed `count`, with normally distributed means. Only a few
  /// pieces reach the counts of interest.
  private static func chance(_ pieces: [Piece], atMost rank: Double, above count: Double) -> Double {
    var sum = Exceedance()
    for piece in pieces where piece.reaches(count) {
      let cases = piece.error > 0 ? Self.normal : [(1, 0)]
      sum.add(
        Exceedance(
          mixed: cases.map { chance, errors in
            (chance, piece.exceedance(mean: piece.mean * max(0, 1 + errors * piece.error), count))
          }))
    }
    return sum.chance(atMost: rank)
  }

  /// Returns the fleet's count that exactly `rank` windows exceed (0 for the largest), with its 95 % interval.
  func order(rank: Double) -> Estimate {
    guard let busiest = pieces.max(by: { $0.top < $1.top }), busiest.top > 0 else {
      return Estimate(value: 0, low: 0, high: 0)
    }
    let top = busiest.top + 4 * (busiest.dispersion * busiest.mean).squareRoot()
    let value = Self.quantile(pieces, 0.5, rank: rank, within: 0...max(top, 1))
    let near = value / 1.1...value * 1.1
    let middle = Self.quantile(Self.known(pieces), 0.5, rank: rank, within: near)
    // Random variation and the error of the intensity are independent.
    let chance = [(1, 0.025), (Self.unevenness, 0.975)].map {
      Self.quantile(Self.known(pieces, unevenness: $0.0), $0.1, rank: rank, within: near) - middle
    }
    let error = [(pieces, -Self.reachBelow), (roughest, Self.reachAbove)].map {
      Self.quantile(Self.known($0.0, errors: $0.1), 0.5, rank: rank, within: near) - middle
    }
    // Counts are multiples of the cluster size.
    let half = max(1, busiest.dispersion) / 2
    let low = max(0, value - Self.length(min(0, chance[0]), min(0, error[0])) - half)
    let high = value + Self.length(max(0, chance[1]), max(0, error[1])) + half
    return Estimate(value: min(value, maximum), low: min(low, maximum), high: min(high, maximum))
  }

  private static func length(_ one: Double, _ other: Double) -> Double { (one * one + other * other).squareRoot() }

  /// Returns the count that at most `rank` windows exceed with probability `probability`, using bisection.
  private static func quantile(
    _ pieces: [Piece], _ probability: Double, rank: Double, within guess: ClosedRange<Double>
  ) -> Double {
    var (low, high) = (guess.lowerBound, guess.upperBound)
    while high < 1e30, chance(pieces, atMost: rank, above: high) < probability { (low, high) = (high, high * 1.5) }
    while low > 1e-9, chance(pieces, atMost: rank, above: low) >= probability { (low, high) = (low / 1.5, low) }
    while high - low > 1e-3 * high, high > 1e-9 {
      let middle = (low + high) / 2
      if chance(pieces, atMost: rank, above: middle) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

extension LoadLaw.Piece {
  /// Returns whether a window may exceed a count under the highest mean that is considered.
  fileprivate func reaches(_ count: Double) -> Bool {
    reaches(count - known, mean: mean * (1 + LoadLaw.maxErrors * error))
  }

  /// Returns whether the random requests of a window with this mean may exceed a count. Clusters lengthen the upper tail
  /// beyond that of a normal variable, but not the lower tail.
  private func reaches(_ spare: Double, mean: Double) -> Bool {
    spare < 0 || mean > 0 && mean + 8 * (dispersion * mean).squareRoot() + 30 * dispersion >= spare
  }

  /// Returns the number of windows above a count, given this mean.
  fileprivate func exceedance(mean: Double, _ count: Double) -> LoadLaw.Exceedance {
    let law = ScaledPoisson(mean: mean, dispersion: dispersion)
    let reach = 8 * (dispersion * mean).squareRoot()
    var sum = LoadLaw.Exceedance()
    for level in windows {
      let spare = count - level.count
      guard reaches(spare, mean: mean) else { continue }
      // Counts are multiples of the cluster size, so the continuity correction is half a cluster.
      let isCertain = spare < 0 || mean - reach >= spare
      sum.add(isCertain ? 1 : law.upperTail(spare - dispersion / 2), windows: level.windows)
    }
    return sum
  }
}

/// An estimated value with its 95 % interval.
package struct Estimate: Hashable, Sendable {
  package var value: Double
  package var low: Double
  package var high: Double

  func scaled(_ factor: Double) -> Estimate {
    Estimate(value: value * factor, low: low * factor, high: high * factor)
  }
}
