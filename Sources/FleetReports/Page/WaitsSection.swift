import Scenario
import Studies

/// What holds refreshes back, and how late are they?
func waitsSection(of report: ReportContent) -> ReportSection {
  let waits = FigureList("Waits per widget and day", [FigureColumn("all", .waitsPerDay)] + byReason(.waitsPerDay))
  let lengths = FigureList("Mean length of a wait", byReason(.waitLength))
  let lateness = FigureList(
    "Lateness of scheduled refreshes", FigureColumn.statistics(.lateness, [.mean, .p50, .p95, .p99]))
  let reasons = WaitReason.allCases.map { ($0.name, Labels().with(\.reason, $0.name)) }
  let rows = FigureList.scopes(report)
  return ReportSection(
    id: "waits", short: "Waits", question: "What holds refreshes back, and how late are they?",
    answer: [waits, lengths, lateness].map { $0.sentence(report.summary) }.joined(),
    figures: FigureList(waits.title, [FigureColumn("", .waitsPerDay)]).bars(report, reasons, id: "waits"),
    note:
      "A wait is a refresh that was due and that the system withheld. Lateness runs from the date a refresh was asked for "
      + "to its start and includes the system's usual start delay.",
    details: [waits, lengths, lateness].flatMap { $0.table(report, rows) })
}

private func byReason(_ metric: Metric) -> [FigureColumn] {
  WaitReason.allCases.map { reason in FigureColumn(reason.name, metric) { $0.with(\.reason, reason.name) } }
}
