package import FleetEngine
import Numerics

/// The variance-to-mean ratio of a load's counts, estimated from groups of devices (MODEL.md 8.1). The ratio is 1 for
/// independent requests.
package struct Dispersion: Sendable {
  /// The number of groups minus one, which is the number of degrees of freedom for each window's variance.
  private let freedom: Double
  /// The sum of the variances of the first i windows, at index i; empty if there are no device groups.
  private var variances: [Double]
  /// The dispersion of blocks of 2^j windows and of the differences between adjacent blocks, at index j.
  private let blocks: [Double]
  private let differences: [Double]
  /// The fraction of requests kept in a thinned load, which scales its excess variance.
  private let share: Double
  private let isThinned: Bool

  /// The smallest accepted dispersion, needed because a few groups can have similar counts by chance.
  private static let minimum = 0.2
  /// The weight of the overall dispersion when it is combined with that of a single piece, in degrees of freedom.
  private static let prior = 20.0

  /// - Parameter spread: the differences between device groups; `nil` treats requests as independent.
  /// - Parameter share: the fraction of requests that pass; `nil` if the load is not thinned.
  package init(_ spread: WindowSpread?, share: Double? = nil) {
    self.share = share ?? 1
    isThinned = share != nil
    freedom = Double(max((spread?.groups ?? 1) - 1, 0))
    var sum = 0.0
    variances =
      spread.map { spread in
        [0]
          + spread.variances.map { variance in
            sum += Double(variance)
            return sum
          }
      } ?? []
    blocks = Self.ratios(spread?.blocks ?? [], freedom: freedom, isSmoothed: true)
    // The variances of the sum and the difference of two blocks add up to twice the sum of the blocks' variances.
    let raw = Self.ratios(spread?.blocks ?? [], freedom: freedom, isSmoothed: false)
    differences = zip(raw, raw.dropFirst()).map { max(2 * $0 - $1, Self.minimum) }
  }

  /// Returns the dispersion of the windows with the given numbers, or of all windows if `numbers` is `nil`.
  func during(_ numbers: [Int]?) -> Dispersion {
    guard let numbers, !variances.isEmpty else { return self }
    var (dispersion, sum) = (self, 0.0)
    dispersion.variances =
      [0]
      + numbers.map { number in
        if number + 1 < variances.count { sum += variances[number + 1] - variances[number] }
        return sum
      }
    return dispersion
  }

  private static func ratios(_ sums: [WindowSpread.Sums], freedom: Double, isSmoothed: Bool) -> [Double] {
    var ratios: [Double] = []
    for sum in sums {
      let last = ratios.last
      var ratio = sum.requests > 0 ? sum.variance / sum.requests : last ?? 1
      if isSmoothed, let last {
        let weight = freedom * Double(sum.places)
        ratio = (prior * last + weight * ratio) / (prior + weight)
      }
      ratios.append(max(ratio, minimum))
    }
    return ratios
  }

  /// Returns the dispersion of the difference between two spans of a load. `windows` is the length of the shorter span.
  func ofDifference(windows: Int) -> Double { share * Self.element(of: differences, windows) }

  /// Returns the dispersion of single windows in a piece that contains this number of requests.
  func ofWindows(_ piece: Range<Int>, requests: Double) -> Double {
    let usual = Self.element(of: blocks, 1)
    guard piece.upperBound < variances.count, requests > 0 else { return share * usual }
    let variance = variances[piece.upperBound] - variances[piece.lowerBound]
    let weight = freedom * Double(piece.count)
    // The device groups describe the load before thinning.
    let own = isThinned ? usual : variance / requests
    return share * max((Self.prior * usual + weight * own) / (Self.prior + weight), Self.minimum)
  }

  /// Returns the dispersion of the total number of requests in a piece.
  func ofSum(_ piece: Range<Int>, requests: Double) -> Double { ofBlocks(piece.count, in: piece, requests: requests) }

  /// Returns the dispersion of blocks of a given length within a piece.
  func ofBlocks(_ windows: Int, in piece: Range<Int>, requests: Double) -> Double {
    ofWindows(piece, requests: requests) * Self.element(of: blocks, windows) / Self.element(of: blocks, 1)
  }

  /// The factor by which the variance of squared counts increases because the dispersion is only an estimate.
  var uncertainty: Double { freedom > 0 ? 1 + 1 / freedom : 1 }

  private static func element(of ratios: [Double], _ windows: Int) -> Double {
    guard let last = ratios.last else { return 1 }
    let level = Int.bitWidth - 1 - max(windows, 1).leadingZeroBitCount
    return level < ratios.count ? ratios[level] : last
  }
}
