import Scenario
import Studies

/// Returns the section on the required capacity.
func capacitySection(of report: ReportContent) -> ReportSection {
  let source = LoadSource(report)
  let rates = source.course(endpoint: nil)?.ascendingRates ?? []
  let queue = FigureList(
    "Endpoints and their capacity",
    [
      FigureColumn("time above capacity", .overloadSeconds), FigureColumn("requests in that time", .overloadRequests),
      FigureColumn("longest queue", .queueLength),
      FigureColumn("refused by the queue", .failures) { $0.with(\.reason, FailureReason.refused.name) },
    ])
  let limited = Overload.endpoints(of: report.run.scenario).map { report.run.scenario.endpoints[$0].name }
  return ReportSection(
    "capacity",
    answer: capacityAnswer(source) + source.finerSentence + offeredSentence(source),
    figures: rates.isEmpty ? [] : [drawing(rates, source)],
    details: queue.table(report, limited.map { ($0, Labels().with(\.endpoint, $0)) }, head: "Endpoint"))
}

private func capacityAnswer(_ source: LoadSource) -> String {
  guard let row = source.peakRow, let peak = row.value?.approximate, peak > 0 else {
    return "There is no load, so any capacity is enough."
  }
  let maximum = source.title("\(NumberText.text(peak)) requests per second") + BracketText.hull(row)
  let rare = BracketText.cell(source.row(.p999))
  if !source.finerSentence.isEmpty {
    return
      "The busiest \(source.windowText) carries \(maximum) on average; one \(source.windowText) in a thousand carries "
      + "more than \(rare)."
  }
  return isFailing(source)
    ? "The busiest \(source.windowText) carries \(maximum), while requests fail\(offered(source)). 'widgetfleet capacity' "
      + "finds a sufficient capacity."
    : "A capacity of \(maximum) covers every \(source.windowText); \(rare) covers all but one in a thousand."
}

/// Returns a sentence with the highest load that reaches an endpoint's queue and the endpoint's capacity; empty if no
/// endpoint has a capacity.
private func offeredSentence(_ source: LoadSource) -> String {
  let scenario = source.report.run.scenario
  let peaks = scenario.endpoints.enumerated().compactMap { index, endpoint in
    endpoint.capacity.flatMap { capacity in
      source.row(.peak, endpoint: index).map { (endpoint: endpoint, capacity: capacity, row: $0) }
    }
  }
  let rate = { (row: SummaryRow) in row.value?.approximate ?? 0 }
  guard let worst = peaks.max(by: { rate($0.row) < rate($1.row) }), rate(worst.row) > 0 else { return "" }
  return " At most \(BracketText.cell(worst.row)) requests per second reach \(worst.endpoint.name)"
    + (worst.endpoint.baseLoad == nil ? "" : " (base load included)")
    + ", against a capacity of \(NumberText.text(worst.capacity))."
}

/// Returns a clause such as `; it would carry 1 665 if every request were answered`; empty if the offered load is
/// unknown.
private func offered(_ source: LoadSource) -> String {
  OfferedText(report: source.report).different(endpoint: nil, source.window).map {
    "; it would carry \(BracketText.cell($0)) if every request were answered"
  } ?? ""
}

/// Returns whether so many requests fail that phones would send a different load if the capacity were higher. Failures
/// during outages are not counted.
private func isFailing(_ source: LoadSource) -> Bool {
  let (scenario, offered) = (source.report.run.scenario, OfferedText(report: source.report))
  return scenario.endpoints.enumerated().contains { index, endpoint in
    let labels = Labels().with(\.endpoint, endpoint.name)
    let share = source.report.summary.row(.failures, .share, labels)?.value?.approximate
    return endpoint.capacity != nil && (share ?? 0) >= 0.001
      && (offered.isOverloaded(endpoint: index) || offered.different(endpoint: index, source.window) != nil)
  }
}

private func drawing(_ rates: [Double], _ source: LoadSource) -> Markup {
  Chart.duration(rates).markup(
    id: "capacity", title: source.title("Load duration curve") + ", all endpoints",
    description: "Loads from the highest, \(NumberText.text(rates.last)) requests per second, to the lowest, "
      + "\(NumberText.text(rates.first)).")
}
