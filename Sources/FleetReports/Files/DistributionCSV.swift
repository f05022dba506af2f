import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// distribution.csv: histograms of cohorts and kinds, scaled to the fleet; a bin is [from, to), empty bins are left out.
func distributionCSV(of result: RunResult) -> [UInt8] {
  var table = DistributionTable(result)
  for (number, replication) in result.replications.enumerated() {
    for group in replication.groups { table.write(group, replication: number + 1) }
    for (cohort, days) in replication.phoneDays.enumerated() {
      table.write(days.bins, .phoneRunsPerDay, ofCohort: cohort, number + 1)
    }
    for (cohort, battery) in replication.batteries.enumerated() {
      table.write(battery.days.bins, .batteryPercentPerDay, ofCohort: cohort, number + 1)
    }
  }
  return table.csv.bytes
}

private struct DistributionTable {
  var csv = CSVWriter(header: StoredColumns.distribution)
  var scenario: Scenario
  var scale: FleetCount
  var causes: [Cause]

  init(_ result: RunResult) {
    scenario = result.scenario
    scale = FleetCount(Scale(of: result))
    causes = result.causesSeen
  }

  mutating func write(_ group: GroupResult, replication: Int) {
    let labels = Labels().with(\.cohort, scenario.fleet.cohorts[group.cohort].name)
      .with(\.kind, scenario.kinds[group.kind].name)
    write(group.runsPerDay.bins, .runsPerDay, labels, replication)
    for cause in causes {
      let histogram = group.runsPerDayByCause[Int(cause.rawValue)]
      write(histogram.bins, .runsPerDay, labels.with(\.cause, cause.name), replication)
    }
    write(group.chargedRunsPerDay.bins, .runsPerDay, labels.with(\.charged, "yes"), replication)
    write(group.freeRunsPerDay.bins, .runsPerDay, labels.with(\.charged, "no"), replication)
    write(group.lateness.octaveBins, .lateness, labels, replication)
    write(group.dataAge.octaveBins, .dataAge, labels, replication)
    if group.followed.pushes.shown.total > 0 {
      write(group.followed.pushes.spans.octaveBins, .pushToView, labels, replication)
    }
    write(group.budgetExhausted.hourBins, .budgetExhaustedHour, labels, replication)
  }

  /// Whole days of a cohort's phones.
  mutating func write(_ bins: [HistogramBin], _ metric: Metric, ofCohort cohort: Int, _ replication: Int) {
    write(bins, metric, Labels().with(\.cohort, scenario.fleet.cohorts[cohort].name), replication)
  }

  private mutating func write(_ bins: [HistogramBin], _ metric: Metric, _ labels: Labels, _ replication: Int) {
    let names = [metric.rawValue, labels.cohort, labels.kind, labels.cause, labels.charged, metric.unit]
      .map(CSVWriter.encoded)
    for bin in bins where bin.count > 0 {
      csv.field(replication)
      for name in names { csv.field(encoded: name) }
      csv.field(bin.from)
      csv.field(bin.to)
      csv.field(count: bin.count, scale)
      csv.endRow()
    }
  }
}

/// How often values in [from, to) were seen.
struct HistogramBin: Hashable, Sendable {
  var from: Quantity?
  var to: Quantity?
  var count: Int64
}

extension CountHistogram {
  /// One bin per whole number.
  var bins: [HistogramBin] {
    counts.indices.map { HistogramBin(from: .whole(Int128($0)), to: .whole(Int128($0 + 1)), count: counts[$0]) }
  }

  /// The minutes of a day in bins of an hour.
  var hourBins: [HistogramBin] {
    stride(from: 0, to: counts.count, by: 60).map { start in
      let hour = Int128(start / 60)
      let count = counts[start..<min(start + 60, counts.count)].reduce(0, +)
      return HistogramBin(from: .whole(hour), to: .whole(hour + 1), count: count)
    }
  }
}

extension SpanHistogram {
  /// Bins in seconds, 32 to an octave, so that no bin is more than 1/32 of its lower edge wide (nor less than 1 ms).
  var octaveBins: [HistogramBin] {
    SpanBins(self).bins.map { bin in
      HistogramBin(
        from: Quantity(Int128(bin.from), over: 1_000), to: Quantity(Int128(bin.to), over: 1_000), count: bin.count)
    }
  }
}

extension ShareHistogram {
  /// Bins in percent, 32 to an octave (nor less than a billionth of all).
  fileprivate var bins: [HistogramBin] {
    var bins: [HistogramBin] = []
    for (bin, count) in counts.enumerated() where count > 0 {
      let edges = Self.edges(ofBin: bin)
      let (from, width) = SpanBins.coarse(edges.from, atLeast: edges.width)
      let start = Quantity(Int128(from), over: 10_000_000)
      if let last = bins.indices.last, bins[last].from == start {
        bins[last].count += count
      } else {
        bins.append(HistogramBin(from: start, to: Quantity(Int128(from + width), over: 10_000_000), count: count))
      }
    }
    return bins
  }
}
