import Scenario
import Studies

/// What holds refreshes back, and how late are they?
func waitsSection(of report: ReportContent) -> ReportSection {
  let summary = report.summary
  let reasons = WaitReason.allCases
    .filter { (summary.value(.waitsPerDay, .mean, Labels().with(\.reason, $0.name)) ?? 0) > 0 }
    .sorted { perDay($0, summary) > perDay($1, summary) }
  return ReportSection(
    id: "waits", short: "Waits", question: "What holds refreshes back, and how late are they?",
    answer: waitsAnswer(summary, reasons) + lateAnswer(summary),
    figures: reasons.isEmpty ? [] : [drawing(summary, reasons)],
    note:
      "A wait is a refresh that was due and that the system withheld. Lateness runs from the date a refresh was asked for "
      + "to its start and includes the system's usual start delay.",
    details: [
      waitTable(report).details("Waits by reason, as numbers"), latenessTable(report).details("Lateness, as numbers"),
    ])
}

private func perDay(_ reason: WaitReason, _ summary: Summary) -> Double {
  summary.value(.waitsPerDay, .mean, Labels().with(\.reason, reason.name)) ?? 0
}

private func waitsAnswer(_ summary: Summary, _ reasons: [WaitReason]) -> String {
  guard let first = reasons.first, let all = summary.value(.waitsPerDay, .mean) else {
    return "No refresh was withheld. "
  }
  let length = TimeText.seconds(summary.value(.waitLength, .mean, Labels().with(\.reason, first.name)))
  let share = perDay(first, summary) / all
  let often = share >= 1 ? "always" : "in \(NumberText.percent(share)) of the cases"
  let bracket = BracketText.hull(summary.row(.waitsPerDay, .mean))
  return "A widget waits \(NumberText.text(all)) times a day\(bracket), \(often) because \(first.description), "
    + "then for \(length) on average. "
}

private func lateAnswer(_ summary: Summary) -> String {
  guard let mean = summary.value(.lateness, .mean) else { return "No scheduled refresh was measured." }
  let bracket = BracketText.hull(summary.row(.lateness, .mean), TimeText.seconds)
  return "Scheduled refreshes start \(TimeText.seconds(mean)) late on average\(bracket), one in twenty more than "
    + "\(TimeText.seconds(summary.value(.lateness, .p95)))."
}

private func drawing(_ summary: Summary, _ reasons: [WaitReason]) -> Markup {
  let bars = reasons.map { reason in
    let length = summary.value(.waitLength, .mean, Labels().with(\.reason, reason.name))
    return (
      name: reason.name, value: perDay(reason, summary),
      text: NumberText.text(perDay(reason, summary)) + " a day, " + TimeText.seconds(length) + " each", style: "bar"
    )
  }
  return BarFigure(bars: bars).markup(
    id: "waits", title: "Waits per widget and day, by reason", description: waitsAnswer(summary, reasons))
}

private func waitTable(_ report: ReportContent) -> DataTable {
  let rows = Scope.all(of: report.run.scenario).flatMap { scope -> [[String]] in
    let labels = scope.labels(in: report.run.scenario)
    return WaitReason.allCases.map { reason in
      let labels = labels.with(\.reason, reason.name)
      return [
        scopeName(labels), reason.name, withUncertainty(report.summary.row(.waitsPerDay, .mean, labels)),
        BracketText.seconds(report.summary.row(.waitLength, .mean, labels)),
      ]
    }
  }
  return DataTable(
    caption: "Waits that ended in the measured period",
    columns: ["Whose", "Reason", "Per widget and day", "Mean length"],
    rows: rows, textColumns: 2)
}

private func latenessTable(_ report: ReportContent) -> DataTable {
  let rows = Scope.all(of: report.run.scenario).map { scope in
    let labels = scope.labels(in: report.run.scenario)
    let spans = [Statistic.mean, .p50, .p95, .p99].map {
      BracketText.seconds(report.summary.row(.lateness, $0, labels))
    }
    return [scopeName(labels)] + spans
  }
  return DataTable(
    caption: "Lateness of scheduled refreshes", columns: ["Whose", "Mean", "p50", "p95", "p99"], rows: rows)
}

extension WaitReason {
  /// Why, to stand inside a sentence.
  var description: String {
    switch self {
    case .locked: "the device is locked"
    case .idle: "nobody uses the device"
    case .lowPower: "the device saves power"
    case .budget: "the budget is spent"
    }
  }
}
