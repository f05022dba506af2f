import Numerics
import Scenario

/// How far two distributions lie apart, by Kolmogorov and Smirnov.
package struct DistributionChange: Hashable, Sendable {
  package var name: DistributionName
  /// The largest difference between the shares of values up to anywhere.
  package var distance: Double
  /// Where that is, in the metric's unit.
  package var place: Double
  /// The probability of such a distance between two samples of one distribution.
  package var probability: Double

  /// - Parameter phones: simulated phones times replications. The values of one phone hang together, so that no sample
  ///   counts for more than its phones; that both runs share their draws brings them closer still: the test is cautious.
  /// - Returns: nil where one of the two has no values.
  package init?(_ name: DistributionName, _ base: RunHistogram, _ new: RunHistogram, phones: Int) {
    let totals = (Double(base.total), Double(new.total))
    guard totals.0 > 0, totals.1 > 0 else { return nil }
    self.name = name
    (distance, place) = (0, 0)
    var sums = (Int64(0), Int64(0))
    for from in Set(base.bins.keys).union(new.bins.keys).sorted() {
      sums.0 += base.bins[from]?.count ?? 0
      sums.1 += new.bins[from]?.count ?? 0
      let apart = (Double(sums.0) / totals.0 - Double(sums.1) / totals.1).magnitude
      if apart > distance { (distance, place) = (apart, (base.bins[from] ?? new.bins[from])?.to ?? from) }
    }
    distance = significant(distance)
    let sizes = (min(totals.0, Double(phones)), min(totals.1, Double(phones)))
    let samples = max(1, Int(sizes.0 * sizes.1 / (sizes.0 + sizes.1)))
    probability = (try? KolmogorovDistribution.upperTail(distance: distance, samples: samples)).map(significant) ?? 1
  }

  /// Whether it is neither too small to count nor likely to be chance.
  package func isLarge(least: Double) -> Bool { distance >= least && probability < 0.05 }

  /// Whether the eye sees two curves: `leastVisible` of the height of a figure apart or more, and not by chance.
  package var isVisible: Bool { isLarge(least: Self.leastVisible) }

  /// Seven of the 242 units of a figure's height, three times the width of its lines.
  package static let leastVisible = 0.03
}
