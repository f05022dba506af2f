import Scenario
import Studies

/// Returns the section on the assumptions that move the headline's peak most; `nil` if none were varied.
func unknownsSection(of report: ReportContent) -> ReportSection? {
  guard let row = LoadSource(report).peakRow, !row.effects.isEmpty else { return nil }
  let spans = row.moving
  guard let first = spans.first else {
    return ReportSection(
      "unknowns", answer: "None of what Apple does not document moves the peak by more than 5\u{A0}%.")
  }
  let bars = spans.map { span in
    var bar = BarRow(span.range.name + ", " + span.range.span, "", parts: [])
    bar.text = words(span)
    bar.parts = [(span.low, span.high, "bar")]
    return bar
  }
  let answer = "The peak hinges most on \(AssumedText.words(first.range)): \(words(first)) requests/s."
  return ReportSection(
    "unknowns", answer: answer,
    figures: [
      Chart.bars(bars).markup(
        id: "unknowns", title: "The peak with one assumption at its ends", description: answer)
    ])
}

private func words(_ span: AssumedSpan) -> String {
  NumberText.text(span.low) + " to " + NumberText.text(span.high)
}

extension SummaryRow {
  /// The smallest move that is shown, as a share of the figure.
  private static let minMove = 0.05

  /// The spans of the assumptions that move the figure, widest first; at most `AssumedText.maxBars`.
  var moving: [AssumedSpan] {
    let own = value?.approximate ?? 0
    return Array(assumedSpans.filter { $0.high - $0.low > Self.minMove * own }.prefix(AssumedText.maxBars))
  }
}

extension AssumedText {
  /// Returns `how late iOS starts a pushed refresh (5 s to 10 min) alone makes it 1 700 to 178 000`; empty if nothing
  /// about the system moves the figure.
  static func reach(of row: SummaryRow?) -> String {
    guard let row, let span = row.moving.first(where: { !$0.range.isOfUsers }) else { return "" }
    return words(span.range) + " alone makes it " + FleetReports.words(span)
  }
}
