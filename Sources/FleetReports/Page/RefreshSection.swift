import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// How often does a widget refresh?
func refreshSection(of report: ReportContent) -> ReportSection {
  let histogram = report.run.groups.reduce(into: CountHistogram()) { $0 += $1.runsPerDay }
  let list = FigureList(
    "Refreshes per widget and day",
    FigureColumn.statistics(.runsPerDay, [.mean, .p50, .p95, .p99, .max])
      + [FigureColumn("charged", .runsPerDay) { $0.with(\.charged, "yes") }])
  let answer = list.sentence(report.summary)
  // Widgets that all refresh alike leave nothing to draw.
  let isSpread = histogram.counts.count { $0 > 0 } > 1
  return ReportSection(
    id: "refreshes", short: "Refreshes", question: "How often does a widget refresh?",
    answer: answer.isEmpty ? "Not known: the measured period holds no full day of a widget." : answer,
    figures: isSpread
      ? [
        HistogramFigure(histogram, title: "refreshes per widget and day").markup(
          id: "refreshes", title: "Refreshes per widget and day", description: answer),
        CumulativeFigure(histogram: histogram, title: "refreshes per widget and day, or fewer").markup(
          id: "refreshes-share", title: "Share of the widgets' days with at most so many refreshes", description: answer
        ),
      ] : [],
    note: "Counted for every placed widget on every full day of the measured period.",
    details: list.table(report, FigureList.scopes(report)))
}

extension HistogramFigure {
  /// Shares of whole numbers in at most 80 bins, with the median and the 95th percentile marked.
  init(_ histogram: CountHistogram, title: String) {
    let counts = histogram.counts
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = histogram.maximum ?? 0
    let width = max(1, (last - first + 80) / 80)
    self.init(
      shares: stride(from: first, through: last, by: width).map { start in
        Double(counts[start..<min(start + width, counts.count)].reduce(0, +)) / Double(histogram.total)
      }, origin: Double(first), width: Double(width),
      marks: [Statistic.p50, .p95].compactMap { statistic in
        histogram.quantile(statistic.probability ?? 0).map { ("\(statistic.rawValue) \(NumberText.text($0))", $0) }
      }, title: title)
  }
}
