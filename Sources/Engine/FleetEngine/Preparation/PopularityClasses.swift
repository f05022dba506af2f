import BackendModel
import Scenario
import SimulationKernel

/// A classification of CDN keys by popularity, where all keys in a class have the same request rate (MODEL.md 6.6).
enum PopularityClasses {
  private static let maximum = 64
  /// The number of terms that are summed individually. The remaining terms are approximated by an integral, with a
  /// relative error of 10^-13.
  private static let listed: Int64 = 4_096

  static func of(_ popularity: Popularity, keys: Int64) -> [KeyClass] {
    switch popularity {
    case .uniform: [KeyClass(keys: keys, share: 1)]
    case .zipf(let exponent): classes(sizes(of: keys), exponent: exponent)
    }
  }

  /// Returns the number of keys in each of at most 64 classes, in rank order.
  ///
  /// The class that follows rank r contains 1 + r j / 64 ranks, rounded down. Here, j is the smallest nonnegative
  /// integer for which there are at most 64 classes.
  static func sizes(of keys: Int64) -> [Int64] {
    var growth: Int64 = 0
    while true {
      var sizes: [Int64] = []
      var rank: Int64 = 0
      while rank < keys, sizes.count <= maximum {
        sizes.append(min(1 + rank * growth / Int64(maximum), keys - rank))
        rank += sizes[sizes.count - 1]
      }
      if sizes.count <= maximum { return sizes }
      growth += 1
    }
  }

  /// Returns classes whose shares are multiples of 2^-48 and add up to exactly 1; the first class receives the rounding
  /// remainder.
  private static func classes(_ sizes: [Int64], exponent: Double) -> [KeyClass] {
    var rank: Int64 = 0
    let weights = sizes.map { size in
      defer { rank += size }
      return sum(from: rank + 1, to: rank + size, exponent: exponent)
    }
    let total = weights.reduce(0, +)
    var shares = weights.map { ($0 / total * 0x1p48).rounded() / 0x1p48 }
    shares[0] = 1 - shares.dropFirst().reduce(0, +)
    return zip(sizes, shares).map { KeyClass(keys: $0, share: max($1, 0)) }
  }

  /// Returns the sum of r^-exponent over the ranks r from `first` to `last`.
  static func sum(from first: Int64, to last: Int64, exponent: Double) -> Double {
    var sum = 0.0
    if first <= listed {
      for rank in first...min(last, listed) { sum += power(Double(rank), exponent) }
    }
    let begin = max(first, listed + 1)
    return last < begin ? sum : sum + integral(from: Double(begin) - 0.5, to: Double(last) + 0.5, exponent: exponent)
  }

  /// Returns the midpoint Euler-Maclaurin approximation of the sum: the integral minus 1/24 of the difference between
  /// the slopes at the ends.
  private static func integral(from low: Double, to high: Double, exponent: Double) -> Double {
    let span = SteadyMath.log(high / low)
    let bend = (1 - exponent) * span
    // The series of (e^x - 1) / x is used because subtracting 1 from e^x would lose precision for small x.
    var growth = 1.0
    if abs(bend) < 1 {
      for term in stride(from: 24.0, to: 1, by: -1) { growth = 1 + bend * growth / term }
    } else {
      growth = (SteadyMath.exp(bend) - 1) / bend
    }
    let area = low * power(low, exponent) * span * growth
    let slopes = exponent * (power(low, exponent) / low - power(high, exponent) / high)
    return area - slopes / 24
  }

  private static func power(_ rank: Double, _ exponent: Double) -> Double {
    rank == 1 ? 1 : SteadyMath.exp(-exponent * SteadyMath.log(rank))
  }
}
