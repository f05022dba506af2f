package import Scenario

/// One figure of a run with its uncertainty.
package struct SummaryRow: Hashable, Sendable {
  package var metric: Metric
  package var labels: Labels
  package var statistic: Statistic
  /// The figure of each replication; nil where it is unknown.
  package var replications: [Quantity?]
  /// The mean over the replications that know it; nil: unknown.
  package var value: Quantity?
  /// nil with fewer than two replications.
  package var interval: Interval?
  /// The value under the preset `prompt`; nil where not computed.
  package var prompt: Quantity?
  /// The value under the preset `lazy`; nil where not computed.
  package var lazy: Quantity?
  /// False for a maximum over fewer than 100 unscaled requests of a sampled fleet (MODEL.md 6.8).
  package var isResolved: Bool

  /// The unit of its value, as the column `unit` spells it; a share of anything has none of its own.
  package var unit: String { statistic == .share ? "share" : metric.unit }

  package init(
    _ metric: Metric, _ labels: Labels, _ statistic: Statistic, replications: [Quantity?], isResolved: Bool = true
  ) {
    self.metric = metric
    self.labels = labels
    self.statistic = statistic
    self.replications = replications
    self.isResolved = isResolved
    value = Quantity.mean(of: replications)
    interval = Interval.student95(of: replications.compactMap { $0?.approximate })
  }
}
