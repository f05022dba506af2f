import Numerics
import SimulationKernel

/// The law of the largest counts that a fleet's windows have, given what a sample tells of its intensity (MODEL.md 8.1).
struct LoadLaw {
  /// Windows with one intensity.
  struct Piece {
    var windows: Double
    /// Requests of the fleet per window.
    var mean: Double
    /// Variance over mean of a window's requests.
    var dispersion: Double
    /// Standard error of the mean, as a share of it.
    var error: Double
  }

  private var pieces: [Piece]

  /// How often the standard error an interval allows for: beside chance, for shapes below what a sample can tell.
  private static let widening = 2.0
  /// Standard normal abscissas with their weights.
  private static let nodes = (-8...8).map { step in
    let z = Double(step) / 2
    return (z: z, weight: SteadyMath.exp(-z * z / 2) / 5.013_256_549)
  }

  init(_ pieces: [Piece]) { self.pieces = Self.shrunk(pieces) }

  /// Draws the means that contend for the maximum towards each other, as far as their errors explain why they differ
  /// (Efron, Morris 1975; DerSimonian, Laird 1986): else the largest would be the luckiest.
  private static func shrunk(_ pieces: [Piece]) -> [Piece] {
    let least = pieces.map { $0.mean * (1 - 3 * $0.error) }.max() ?? 0
    let contenders = pieces.indices.filter { index in
      pieces[index].error > 0 && pieces[index].mean * (1 + 3 * pieces[index].error) >= least
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

  /// Of the number of windows above a count: its mean, its variance, and -log of the chance that it is 0.
  private struct Exceedance {
    var mean = 0.0
    var variance = 0.0
    var none = 0.0

    mutating func add(_ tail: Double, windows: Double) {
      mean += windows * tail
      variance += windows * tail * (1 - tail)
      none += windows * (tail < 1e-6 ? tail : tail < 1 ? -SteadyMath.log(1 - tail) : 36)
    }

    /// The chance that it is at most `rank`: exact for 0, else by a Poisson variable with its variance, moved to its mean.
    func chance(atMost rank: Double) -> Double {
      guard rank > 0 else { return SteadyMath.exp(-none) }
      let moved = rank - mean + variance
      return moved <= -0.999 ? 0 : ScaledPoisson(mean: variance, dispersion: 1).lowerTail(moved)
    }
  }

  /// The windows above `count`, when all means lie so many standard errors off.
  private func exceedance(_ count: Double, off: Double) -> Exceedance {
    pieces.reduce(into: Exceedance()) { sum, piece in
      let deviation = SteadyMath.log(1 + piece.error * piece.error).squareRoot()
      let mean = piece.mean * SteadyMath.exp(deviation * off - deviation * deviation / 2)
      let reach = 8 * (piece.dispersion * mean).squareRoot()
      // Clusters have longer tails than a normal variable, above and not below.
      guard mean > 0, mean + reach + 30 * piece.dispersion >= count else { return }
      guard mean - reach < count else { return sum.add(1, windows: piece.windows) }
      // A count is a whole number of clusters: half of one more or less lies between two.
      let law = ScaledPoisson(mean: mean, dispersion: piece.dispersion)
      sum.add(law.upperTail(count - piece.dispersion / 2), windows: piece.windows)
    }
  }

  /// The chance that at most `rank` windows are above `count`.
  private func chance(atMost rank: Double, above count: Double, widening: Double) -> Double {
    Self.nodes.reduce(0) { sum, node in
      sum + node.weight * exceedance(count, off: node.z * widening).chance(atMost: rank)
    }
  }

  /// The count of the fleet that just `rank` windows exceed (0: the largest), with its 95 % interval.
  func order(rank: Double) -> Estimate {
    guard pieces.contains(where: { $0.mean > 0 }) else { return Estimate(value: 0, low: 0, high: 0) }
    let value = quantile(0.5, rank: rank, widening: 1)
    return Estimate(
      value: value, low: min(value, quantile(0.025, rank: rank, widening: Self.widening)),
      high: max(value, quantile(0.975, rank: rank, widening: Self.widening)))
  }

  private func quantile(_ probability: Double, rank: Double, widening: Double) -> Double {
    let top = pieces.map { $0.mean + 4 * (($0.dispersion * $0.mean).squareRoot() + $0.mean * $0.error) }.max() ?? 0
    var (low, high) = (0.0, max(top, 1))
    while chance(atMost: rank, above: high, widening: widening) < probability, high < 1e30 {
      (low, high) = (high, high * 2)
    }
    while high - low > 5e-4 * high, high > 1e-9 {
      let middle = (low + high) / 2
      if chance(atMost: rank, above: middle, widening: widening) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

/// A figure with its 95 % interval.
package struct Estimate: Hashable, Sendable {
  package var value: Double
  package var low: Double
  package var high: Double

  package init(value: Double, low: Double, high: Double) {
    self.value = value
    self.low = low
    self.high = high
  }

  /// In another unit.
  func scaled(_ factor: Double) -> Estimate {
    Estimate(value: value * factor, low: low * factor, high: high * factor)
  }
}
