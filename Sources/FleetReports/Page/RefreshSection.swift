import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// How often does a widget refresh?
func refreshSection(of report: ReportContent) -> ReportSection {
  let histogram = refreshHistogram(of: report.run)
  // Of widgets that all refresh alike there is nothing to draw.
  let isSpread = histogram.counts.count { $0 > 0 } > 1
  return ReportSection(
    id: "refreshes", short: "Refreshes", question: "How often does a widget refresh?",
    answer: refreshAnswer(report.summary),
    figures: isSpread
      ? [drawing(histogram, report.summary), cumulative(histogram, report.summary)] : [],
    note:
      "Counted for every placed widget on every full day of the measured period. The staircase tells the share of the "
      + "widgets' days with at most so many refreshes.",
    details: [kindTable(report).details("Refreshes by kind and cohort, as numbers")])
}

/// Refreshes per widget and day over all kinds, cohorts and replications.
private func refreshHistogram(of result: StoredRun) -> CountHistogram {
  result.groups.reduce(into: CountHistogram()) { $0 += $1.runsPerDay }
}

private func refreshAnswer(_ summary: Summary) -> String {
  let value = { (statistic: Statistic) in NumberText.text(summary.value(.runsPerDay, statistic)) }
  guard summary.value(.runsPerDay, .mean) != nil else {
    return "Not known: the measured period holds no full day of a widget."
  }
  let charged = NumberText.text(summary.value(.runsPerDay, .mean, Labels().with(\.charged, "yes")))
  let share = charged == value(.mean) ? "all" : charged
  let bracket = BracketText.hull(summary.row(.runsPerDay, .mean))
  return
    "A widget refreshes \(value(.mean)) times a day on average\(bracket), \(share) of them counted against the system's budget. On half of "
    + "the widgets' days there are at most \(value(.p50)), on 99 in a hundred at most \(value(.p99)), and never more than \(value(.max))."
}

private func drawing(_ histogram: CountHistogram, _ summary: Summary) -> Markup {
  let counts = histogram.counts
  let first = counts.firstIndex { $0 > 0 } ?? 0
  let last = histogram.maximum ?? 0
  let width = max(1, (last - first + 80) / 80)
  let total = Double(histogram.total)
  let shares = stride(from: first, through: last, by: width).map { start in
    Double(counts[start..<min(start + width, counts.count)].reduce(0, +)) / total
  }
  let marks = [Statistic.p50, .p95].compactMap { statistic -> (String, Double)? in
    histogram.quantile(statistic.probability ?? 0).map { ("\(statistic.rawValue) \(NumberText.text($0))", $0) }
  }
  let figure = HistogramFigure(
    shares: shares, origin: Double(first), width: Double(width), marks: marks, title: "refreshes per widget and day")
  return figure.markup(id: "refreshes", title: "Refreshes per widget and day", description: refreshAnswer(summary))
}

private func cumulative(_ histogram: CountHistogram, _ summary: Summary) -> Markup {
  CumulativeFigure(histogram: histogram, title: "refreshes per widget and day, or fewer").markup(
    id: "refreshes-share", title: "Share of the widgets' days with at most so many refreshes",
    description: refreshAnswer(summary))
}

private func kindTable(_ report: ReportContent) -> DataTable {
  let rows = Scope.all(of: report.run.scenario).map { scope in
    let labels = scope.labels(in: report.run.scenario)
    let quantiles = [Statistic.p50, .p95, .p99, .max].map {
      NumberText.text(report.summary.value(.runsPerDay, $0, labels))
    }
    return [scopeName(labels), withUncertainty(report.summary.row(.runsPerDay, .mean, labels))] + quantiles + [
      NumberText.text(report.summary.value(.runsPerDay, .mean, labels.with(\.charged, "yes"))),
      NumberText.text(report.summary.value(.cacheHitsPerDay, .mean, labels)),
    ]
  }
  return DataTable(
    caption: IntervalText.caption("Refreshes per widget and day", report),
    columns: ["Whose", IntervalText.column("Mean", report), "p50", "p95", "p99", "Most", "Charged, mean"]
      + ["Cache hits, mean"],
    rows: rows)
}

/// `all widgets`, `cohort west` or `kind weather`.
func scopeName(_ labels: Labels) -> String {
  if !labels.cohort.isEmpty { return "cohort " + labels.cohort }
  return labels.kind.isEmpty ? "all widgets" : "kind " + labels.kind
}

/// A value with its interval in brackets where there is one.
func withInterval(_ row: SummaryRow?) -> String {
  let value = NumberText.text(row?.value?.approximate)
  guard let interval = row?.interval else { return value }
  return value + " (" + interval.words() + ")"
}

/// A value with its interval and its bracket, where there are any.
func withUncertainty(_ row: SummaryRow?) -> String { withInterval(row) + BracketText.hull(row) }
