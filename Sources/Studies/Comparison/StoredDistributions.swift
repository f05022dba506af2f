package import Scenario

/// What a distribution of distribution.csv is of.
package struct DistributionName: Hashable, Sendable {
  package var metric: Metric
  package var labels: Labels

  package init(_ metric: Metric, _ labels: Labels) {
    self.metric = metric
    self.labels = labels
  }

  /// As goals spell a metric with its labels.
  package var text: String { FigureName(metric, metric.statistics[0], labels).text }
}

/// A histogram over all replications, unscaled.
package struct StoredHistogram: Hashable, Sendable {
  package struct Bin: Hashable, Sendable {
    /// Where the bin ends, exclusively, in the metric's unit.
    package var to: Double
    package var count: Int64
  }

  /// By where they begin; all histograms of a metric have the same grid of bins.
  package var bins: [Double: Bin] = [:]

  package init() {}

  package mutating func add(from: Double, to: Double, count: Int64) {
    bins[from, default: Bin(to: to, count: 0)].count += count
  }

  package var total: Int64 { bins.values.reduce(0) { $0 + $1.count } }
}

/// The histograms of distribution.csv, added up for the fleet, each cohort and each kind.
package struct StoredDistributions: Sendable {
  package var histograms: [DistributionName: StoredHistogram] = [:]

  package init() {}

  /// - Parameter bytes: the content of distribution.csv.
  package init(_ bytes: [UInt8], _ scale: Scale) throws(StoredFileError) {
    var csv = try CSVReader(bytes, file: StoredRun.Files.distribution, columns: StoredColumns.distribution)
    var total = StoredTotal()
    while try csv.next() {
      guard let metric = Metric(rawValue: try csv.text(1)) else { throw csv.damaged("an unknown metric") }
      let (from, to, count) = (try csv.number(7), try csv.number(8), try csv.count(9, scale))
      guard to > from else { throw csv.damaged("a bin that is none", 8) }
      try total.add(count, csv, 9)
      let labels = Labels().with(\.cause, try csv.text(4)).with(\.charged, try csv.text(5))
      var scopes = [labels, labels.with(\.cohort, try csv.text(2))]
      if !csv.isBlank(3) { scopes.append(labels.with(\.kind, try csv.text(3))) }
      for scope in scopes {
        histograms[DistributionName(metric, scope), default: StoredHistogram()].add(from: from, to: to, count: count)
      }
    }
  }
}
