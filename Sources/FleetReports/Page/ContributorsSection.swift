import Scenario
import Studies

/// Who contributes?
func contributorsSection(of report: ReportContent) -> ReportSection {
  let parts = Contribution.parts(of: report)
  return ReportSection(
    id: "who", short: "Who", question: "Who contributes to the load?", answer: answer(report, parts),
    figures: parts.contains { $0.requestShare > 0 } ? [drawing(parts)] : [],
    note: "Each pair of bars compares a part's share of the requests with its share of the widgets: a longer upper bar "
      + "means that its widgets ask more often than others. Cohorts add up to all, and so do kinds.",
    details: [table(parts).details("Cohorts and kinds, as numbers")],
    saysNothing: max(report.run.scenario.fleet.cohorts.count, report.run.scenario.kinds.count) < 2)
}

/// What one cohort or kind has and does.
private struct Contribution {
  var total: ScopeTotal
  var requests: Double
  var requestShare: Double
  var widgetShare: Double
  var bytes: Double?
  var failures: Double?
  var joules: Double?

  var name: String { scopeName(total.labels) }

  static func parts(of report: ReportContent) -> [Contribution] {
    let summary = report.summary
    let widgets = summary.value(.widgets, .total) ?? 0
    let requests = summary.value(.requests, .total) ?? 0
    return ScopeTotal.all(of: report).dropFirst().map { total in
      let own = summary.value(.requests, .total, total.labels) ?? 0
      return Contribution(
        total: total, requests: own, requestShare: requests > 0 ? own / requests : 0,
        widgetShare: widgets > 0 ? total.widgets / widgets : 0,
        bytes: summary.value(.bytesDown, .total, total.labels),
        failures: summary.value(.failures, .total, total.labels),
        joules: summary.value(.energyPerDay, .mean, total.labels))
    }
  }
}

private func answer(_ report: ReportContent, _ parts: [Contribution]) -> String {
  guard parts.contains(where: { $0.requestShare > 0 }) else { return "Nobody: no request was sent." }
  let cohorts = parts.filter { !$0.total.labels.cohort.isEmpty }
  let kinds = parts.filter { !$0.total.labels.kind.isEmpty }
  let sentences = [cohorts, kinds].compactMap { parts -> String? in
    guard parts.count > 1, let most = parts.max(by: { $0.requestShare < $1.requestShare }) else { return nil }
    return "\(most.name) sends \(NumberText.percent(most.requestShare)) of the requests with "
      + "\(NumberText.percent(most.widgetShare)) of the widgets"
  }
  guard let first = sentences.first else {
    let all = (kinds + cohorts).first.map(\.name) ?? "all widgets"
    return "There is one cohort and one kind: \(all) sends everything."
  }
  return first.asSentence + (sentences.count > 1 ? "; " + sentences[1] : "") + "."
}

private func drawing(_ parts: [Contribution]) -> Markup {
  let shown = parts.sorted { $0.requestShare > $1.requestShare }.prefix(10)
  let bars = parts.filter { part in shown.contains { $0.name == part.name } }.flatMap { part in
    [
      (part.name + ", requests", part.requestShare, NumberText.percent(part.requestShare), "bar"),
      (part.name + ", widgets", part.widgetShare, NumberText.percent(part.widgetShare), "ghost"),
    ]
  }
  return BarFigure(bars: bars.map { (name: $0.0, value: $0.1, text: $0.2, style: $0.3) }, whole: 1).markup(
    id: "who", title: "Share of the requests and of the widgets" + (parts.count > 10 ? ", the ten largest parts" : ""),
    description: shown.first.map { "The largest part is \($0.name) with \(NumberText.percent($0.requestShare))." } ?? ""
  )
}

private func table(_ parts: [Contribution]) -> DataTable {
  DataTable(
    caption: "What cohorts and kinds contribute in the whole period; joules per widget and day",
    columns: ["Whose", "Widgets", "Refreshes", "Requests", "Share", "Failures", "Down", "Joules"],
    rows: parts.map { part in
      [
        part.name, NumberText.text(part.total.widgets), NumberText.text(part.total.runs),
        NumberText.text(part.requests),
        NumberText.percent(part.requestShare), NumberText.text(part.failures), NumberText.bytes(part.bytes),
        NumberText.text(part.joules),
      ]
    })
}
