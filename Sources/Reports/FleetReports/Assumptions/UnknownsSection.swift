import Scenario
import Studies

/// Returns the section on the assumptions that most affect the headline peak; `nil` if no assumption was varied.
func unknownsSection(of report: ReportContent) -> ReportSection? {
  guard let row = LoadSource(report).peakRow, let own = row.value?.approximate, !row.effects.isEmpty else { return nil }
  let spans = row.moving
  guard let first = spans.first else {
    return ReportSection(
      "unknowns", answer: "No single assumption moves the peak by more than \(NumberText.percent(SummaryRow.minMove)).")
  }
  let answer = "\(words(first)) requests/s: the peak depends most on \(AssumedText.words(first.range))."
  let rows = spans.map { span in
    TornadoRow(
      name: span.range.name + (span.range.isOfUsers ? " (measure it)" : ""),
      low: end(span.low, span.lowEnd), high: end(span.high, span.highEnd))
  }
  return ReportSection(
    "unknowns", answer: answer,
    figures: [
      Chart.tornado(rows, own: (own, NumberText.text(own) + " as modelled")).markup(
        id: "unknowns", title: "Peak in requests/s with one assumption at either end of its range", description: answer)
    ])
}

private func end(_ value: Double, _ text: String) -> (value: Double, text: String) {
  (value, text.isEmpty ? "" : text + ": " + NumberText.text(value))
}

private func words(_ span: AssumedSpan) -> String {
  NumberText.text(span.low) + " to " + NumberText.text(span.high)
}

extension SummaryRow {
  /// The smallest effect for which the section shows an assumption, as a fraction of the figure.
  fileprivate static let minMove = 0.05

  /// The spans of the assumptions that affect the figure, widest first; at most `AssumedText.maxBars`.
  var moving: [AssumedSpan] {
    let own = value?.approximate ?? 0
    return Array(assumedSpans.filter { $0.high - $0.low > Self.minMove * own }.prefix(AssumedText.maxBars))
  }
}

extension AssumedText {
  /// Returns a clause such as `the peak is 1 700 to 178 000 requests/s, depending on how late iOS starts a pushed
  /// refresh (5 s to 10 min)`. The clause is empty if no assumption about the system affects the figure.
  ///
  /// - Parameter subject: the start of the clause, such as `the busiest second carries`.
  static func reach(of row: SummaryRow?, subject: String = "the peak is") -> String {
    guard let row, let span = row.moving.first(where: { !$0.range.isOfUsers }) else { return "" }
    return subject + " " + FleetReports.words(span) + " requests/s, depending on " + words(span.range)
  }
}
