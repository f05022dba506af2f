import Numerics
import Scenario

/// The Kolmogorov–Smirnov distance between two distributions.
package struct DistributionChange: Hashable, Sendable {
  package var name: DistributionName
  /// The largest difference between the two cumulative distributions.
  package var distance: Double
  /// The value at which the two distributions differ most, in the metric's unit.
  package var place: Double
  /// The probability that two samples from the same distribution differ by at least this distance.
  package var probability: Double

  /// - Parameter phones: the number of simulated phones times the number of replications, which limits the effective
  ///   sample size because values from the same phone are correlated. Runs with the same random draws are more similar
  ///   than independent ones, so the test is conservative.
  /// - Returns: `nil` if either distribution has no values.
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

  /// Returns whether the distance is at least `minimum` and statistically significant.
  package func isLarge(minimum: Double) -> Bool { distance >= minimum && probability < 0.05 }

  /// Whether the curves differ visibly, by at least `minVisible` of a chart's height and by more than chance.
  package var isVisible: Bool { isLarge(minimum: Self.minVisible) }

  /// The smallest visible distance: 7 of the 242 units of a chart's height, which is three times the line width.
  package static let minVisible = 0.03
}
