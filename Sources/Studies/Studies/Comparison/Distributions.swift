package import FleetEngine
package import Scenario
package import SimulationKernel

/// A histogram bin: the number of values from `from` (inclusive) to `to` (exclusive), in the metric's unit.
package struct HistogramBin: Hashable, Sendable {
  package var from: Quantity
  package var to: Quantity
  package var count: Int64
}

extension RunResult {
  /// Calls `body` with all histograms of a replication: first those by cohort and kind, then those of each cohort's
  /// phones.
  ///
  /// - Parameter causes: the causes whose runs get separate histograms.
  package func histograms(
    of replication: ReplicationResult, _ causes: [Cause], _ body: (Metric, Labels, [HistogramBin]) -> Void
  ) {
    for group in replication.groups {
      let labels = Labels().with(\.cohort, scenario.fleet.cohorts[group.cohort].name)
        .with(\.kind, scenario.kinds[group.kind].name)
      body(.runsPerDay, labels, group.runsPerDay.bins)
      for cause in causes {
        body(
          .runsPerDay, labels.with(\.cause, cause.name), group.runsPerDayByCause[Int(cause.rawValue)].bins)
      }
      body(.runsPerDay, labels.with(\.charged, "yes"), group.chargedRunsPerDay.bins)
      body(.runsPerDay, labels.with(\.charged, "no"), group.freeRunsPerDay.bins)
      body(.lateness, labels, SpanBins(group.lateness).inSeconds)
      body(.dataAge, labels, SpanBins(group.dataAge).inSeconds)
      if group.followed.pushes.shown.total > 0 {
        body(.pushToView, labels, SpanBins(group.followed.pushes.spans).inSeconds)
      }
      body(.budgetExhaustedHour, labels, group.budgetExhausted.hourBins)
    }
    for (cohort, days) in replication.phoneDays.enumerated() {
      body(.phoneRunsPerDay, Labels().with(\.cohort, scenario.fleet.cohorts[cohort].name), days.bins)
    }
    for (cohort, battery) in replication.batteries.enumerated() {
      body(.batteryPercentPerDay, Labels().with(\.cohort, scenario.fleet.cohorts[cohort].name), battery.days.bins)
    }
  }
}

extension CountHistogram {
  /// The bins of the histogram, one per whole number.
  package var bins: [HistogramBin] {
    counts.indices.map { HistogramBin(from: .whole(Int128($0)), to: .whole(Int128($0 + 1)), count: counts[$0]) }
  }

  /// The bins of the histogram, one per hour, for values that are minutes of a day.
  package var hourBins: [HistogramBin] {
    stride(from: 0, to: counts.count, by: 60).map { start in
      let hour = Int128(start / 60)
      let count = counts[start..<min(start + 60, counts.count)].reduce(0, +)
      return HistogramBin(from: .whole(hour), to: .whole(hour + 1), count: count)
    }
  }
}

extension SpanBins {
  package var inSeconds: [HistogramBin] {
    bins.map { bin in HistogramBin(from: .parts(bin.from, 1_000), to: .parts(bin.to, 1_000), count: bin.count) }
  }
}

extension ShareHistogram {
  /// The bins of the histogram in percent, with 32 bins per octave, down to a billionth of the whole.
  fileprivate var bins: [HistogramBin] {
    var bins: [HistogramBin] = []
    for (bin, count) in counts.enumerated() where count > 0 {
      let edges = Self.edges(ofBin: bin)
      let (from, width) = SpanBins.coarse(edges.from, atLeast: edges.width)
      let start = Quantity.parts(from, 10_000_000)
      if let last = bins.indices.last, bins[last].from == start {
        bins[last].count += count
      } else {
        bins.append(HistogramBin(from: start, to: .parts(from + width, 10_000_000), count: count))
      }
    }
    return bins
  }
}

extension Quantity {
  fileprivate static func parts(_ count: Int64, _ parts: Int128) -> Quantity {
    Quantity(Int128(count), over: parts) ?? .whole(0)
  }
}

/// The metric and labels of a distribution.
package struct DistributionName: Hashable, Sendable {
  package var metric: Metric
  package var labels: Labels

  package init(_ metric: Metric, _ labels: Labels) {
    self.metric = metric
    self.labels = labels
  }

  /// The metric's name and labels, as written in goals.
  package var text: String { FigureName(metric, metric.statistics[0], labels).text }
}

/// A histogram summed over all replications and not scaled to the fleet.
package struct RunHistogram: Hashable, Sendable {
  package struct Bin: Hashable, Sendable {
    /// The upper bound of the bin (exclusive), in the metric's unit.
    package var to: Double
    package var count: Int64
  }

  /// The bins, keyed by lower bound; all histograms of a metric use the same bins.
  package var bins: [Double: Bin] = [:]

  package init() {}

  package mutating func add(from: Double, to: Double, count: Int64) {
    bins[from, default: Bin(to: to, count: 0)].count += count
  }

  package var total: Int64 { bins.values.reduce(0) { $0 + $1.count } }
}

/// The histograms of a run, summed for the fleet, for each cohort and for each kind.
package struct Distributions: Equatable, Sendable {
  package var histograms: [DistributionName: RunHistogram] = [:]

  package init() {}

  package init(of result: RunResult) {
    let causes = result.causesSeen
    for replication in result.replications {
      result.histograms(of: replication, causes) { metric, labels, bins in
        let fleet = labels.with(\.cohort, "").with(\.kind, "")
        var scopes = [fleet, fleet.with(\.cohort, labels.cohort)]
        if !labels.kind.isEmpty { scopes.append(fleet.with(\.kind, labels.kind)) }
        for scope in scopes {
          for bin in bins where bin.count > 0 {
            histograms[DistributionName(metric, scope), default: RunHistogram()]
              .add(from: bin.from.approximate, to: bin.to.approximate, count: bin.count)
          }
        }
      }
    }
  }
}

extension Distributions: Stored {
  package static var blank: Distributions { Distributions() }

  package mutating func visit(_ file: inout StoredFields) {
    var names = histograms.keys.sorted { ($0.metric.rawValue, $0.text) < ($1.metric.rawValue, $1.text) }
    var values = names.compactMap { histograms[$0] }
    file.field(&names)
    file.field(&values)
    file.check(names.count == values.count, "distributions without a name")
    if file.isReading { histograms = Dictionary(zip(names, values)) { first, _ in first } }
  }
}

extension DistributionName: Stored {
  package static var blank: DistributionName { DistributionName(.blank, Labels()) }

  package mutating func visit(_ file: inout StoredFields) {
    file.fields(of: &self, \.metric, \.labels)
  }
}

extension RunHistogram: Stored {
  package static var blank: RunHistogram { RunHistogram() }

  package mutating func visit(_ file: inout StoredFields) {
    var starts = bins.keys.sorted()
    var ends = starts.compactMap { bins[$0]?.to }
    var counts = starts.compactMap { bins[$0]?.count }
    file.field(&starts)
    file.field(&ends)
    file.field(&counts)
    file.check(
      starts.count == ends.count && ends.count == counts.count && counts.areCounts && !counts.contains(0),
      "invalid bins")
    file.check(zip(starts, ends).allSatisfy { $0 >= 0 && $0 < $1 && $1 <= 1e12 }, "an invalid bin")
    if file.isReading, !file.hasFailed {
      for (start, (end, count)) in zip(starts, zip(ends, counts)) { add(from: start, to: end, count: count) }
    }
  }
}
