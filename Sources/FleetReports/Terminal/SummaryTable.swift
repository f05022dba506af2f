import Scenario
import SimulationKernel
import Studies

/// The verdict alone, in one line: what scripts ask for.
package func verdictLineAlone(of report: Report) -> [UInt8] {
  answerAlone([verdictLine(of: report.content)])
}

/// The result as a table for a terminal: the figures a planner asks for first.
package func summaryTable(of report: Report) -> [UInt8] {
  let content = report.content
  let table = TerminalTable(
    summary: report.summary,
    hasIntervals: report.result.replications.count > 1
      || report.summary.rows.contains { $0.metric == .peakRPS && $0.isEstimate },
    hasBracket: report.summary.rows.contains {
      $0.prompt != nil && $0.prompt != $0.value || $0.lazy != nil && $0.lazy != $0.value
    })
  var lines = folded(report.result.scenario.name) + foldedFacts(facts(of: content)) + [""]
  lines += table.lines(
    of: loadFigures(of: content) + backendFigures(of: report) + runFigures(of: report) + waitFigures()
      + viewFigures(of: report) + energyFigures(of: report))
  lines += placeLines(of: content)
  let measured = MeasuredText.sentence(report.result.scenario)
  if !measured.isEmpty { lines += [""] + folded(measured) }
  if report.result.replications.count == 1 {
    let others = table.hasIntervals ? "no intervals but those of loads" : "no intervals"
    lines += ["", "one replication, so \(others) (-n 5 gives them)"]
  }
  if lines.contains(where: { $0.contains(" *") }) {
    lines += ["", "* not resolved by the sample: the 95 % interval reaches further than 5 %"]
  }
  lines += verdictLines(of: report) + [""] + folded(verdictLine(of: content))
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}

/// One line of the table, before its figures are looked up.
private struct TableFigure {
  var name: String
  var metric: Metric
  var statistic: Statistic
  var labels: Labels

  init(_ name: String, _ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()) {
    self.name = name
    self.metric = metric
    self.statistic = statistic
    self.labels = labels
  }

  /// - Parameter isPart: whether the row is a part of the one above it.
  init(_ row: TableRow, _ statistic: Statistic, _ labels: Labels = Labels(), isPart: Bool = false) {
    self.init((isPart ? "  " : "") + row.rawValue, row.metrics[0], statistic, labels)
  }
}

private func loadFigures(of report: ReportContent) -> [TableFigure] {
  let scenario = report.run.scenario
  let window = LoadSource(report).window
  let all = LoadPlace.all(scenario, endpoint: nil).flatMap { place in
    let short = place.short(scenario, endpoint: nil)
    let (peak, mean) =
      short.isEmpty
      ? (TableRow.peakLoad.rawValue, TableRow.meanLoad.rawValue)
      : ("\(short): \(TableRow.peak.rawValue)", "\(short): \(TableRow.mean.rawValue)")
    return [
      window.flatMap { figure(peak + ", " + $0.name, .peak, place, $0) },
      window.flatMap { figure(mean, .mean, place, $0) },
    ].compactMap { $0 }
  }
  let endpoints = scenario.endpoints.count > 1 ? Array(scenario.endpoints.indices) : []
  let parts = endpoints.flatMap { index in
    LoadPlace.all(scenario, endpoint: index).flatMap { place -> [TableFigure] in
      let name = scenario.endpoints[index].name
      let short = place.short(scenario, endpoint: index)
      let title = "  \(name)" + (short.isEmpty ? "" : " \(short)")
      return [
        window.flatMap { figure("\(title), \(TableRow.peak.rawValue), \($0.name)", .peak, place, $0, name) },
        window.flatMap { figure("\(title), \(TableRow.mean.rawValue)", .mean, place, $0, name) },
      ].compactMap { $0 }
    }
  }
  return [TableFigure(.requests, .total)] + failureFigures(of: report)
    + [TableFigure(.bytesDown, .total)] + all + offeredFigures(of: report, window, endpoints) + parts
}

/// The load of servers that answer every request, where theirs is another: of all together, and of several each.
private func offeredFigures(of report: ReportContent, _ window: LoadWindow?, _ endpoints: [Int]) -> [TableFigure] {
  ([nil] + endpoints.map { Optional($0) }).compactMap { endpoint in
    OfferedText(report: report).different(endpoint: endpoint, window).map { row in
      let whose = endpoint.map { "  " + report.run.scenario.endpoints[$0].name + "," } ?? "servers:"
      return TableFigure(
        "\(whose) \(TableRow.offeredPeak.rawValue), \(row.labels.window)", row.metric, row.statistic, row.labels)
    }
  }
}

/// What share of the requests fails, where any does; of several endpoints, at each where any does.
private func failureFigures(of report: ReportContent) -> [TableFigure] {
  let endpoints = report.run.scenario.endpoints.map(\.name)
  let parts = endpoints.count > 1 ? endpoints : []
  let figures =
    [TableFigure(.failing, .share, isPart: true)]
    + parts.map { TableFigure("    \($0)", .failures, .share, Labels().with(\.endpoint, $0)) }
  return figures.filter { (report.summary.value($0.metric, $0.statistic, $0.labels) ?? 0) > 0 }
}

/// What the short names of loads mean, where there is more than one load or a capacity.
private func placeLines(of report: ReportContent) -> [String] {
  let scenario = report.run.scenario
  let source = LoadSource(report)
  let lines = source.places(endpoint: nil).compactMap { place -> String? in
    let short = place.short(scenario, endpoint: nil)
    guard !short.isEmpty else { return nil }
    guard place != .phones else { return short + ": what the phones send" }
    let base = scenario.endpoints.contains { $0.baseLoad != nil } ? ", base load included" : ""
    let capacity = source.capacityWords
    return short + ": what reaches them" + base + (capacity.isEmpty ? "" : capacity + "/s")
  }
  return lines.isEmpty ? [] : [""] + lines.flatMap { folded($0) }
}

private func figure(
  _ title: String, _ figure: LoadPlace.Figure, _ place: LoadPlace, _ window: LoadWindow, _ endpoint: String = ""
) -> TableFigure? {
  place.name(figure, endpoint: endpoint, window: window.name).map {
    TableFigure(title, $0.metric, $0.statistic, $0.labels)
  }
}

/// How long endpoints are above their capacity, and how long events echo.
private func backendFigures(of report: Report) -> [TableFigure] {
  report.summary.rows.compactMap { row in
    switch (row.metric, row.statistic) {
    case (.overloadSeconds, _) where !row.labels.endpoint.isEmpty:
      TableFigure("  \(row.labels.endpoint), \(TableRow.aboveCapacity.rawValue)", row.metric, row.statistic, row.labels)
    case (.cdnStaleAnswers, _):
      TableFigure("  \(row.labels.endpoint), \(TableRow.staleAnswers.rawValue)", row.metric, row.statistic, row.labels)
    case (.recoveryTime, .max):
      TableFigure("\(TableRow.recovery.rawValue) \(row.labels.event)", row.metric, row.statistic, row.labels)
    default: nil
    }
  }
}

private func runFigures(of report: Report) -> [TableFigure] {
  let kinds = report.result.scenario.kinds.map(\.name)
  // A snapshot for the gallery is no run.
  let causes = report.result.causesSeen.filter { $0 != .gallery }.map { cause in
    TableFigure("  " + cause.name, .runsPerDay, .mean, Labels().with(\.cause, cause.name))
  }
  let ofKinds = kinds.map { kind in
    TableFigure("  \(TableRow.ofKind.rawValue) \(kind)", .runsPerDay, .mean, Labels().with(\.kind, kind))
  }
  return [
    TableFigure(.refreshes, .mean), TableFigure("  p95", .runsPerDay, .p95),
    TableFigure(.most, .max, isPart: true),
    TableFigure("  charged", .runsPerDay, .mean, Labels().with(\.charged, "yes")),
  ] + (causes.count > 1 ? causes : [])
    + (kinds.count > 1 ? ofKinds : [])
}

private func waitFigures() -> [TableFigure] {
  [
    TableFigure(.lateness, .mean), TableFigure("  p95", .lateness, .p95),
    TableFigure(.waits, .mean),
    TableFigure(.waitsForBudget, .mean, Labels().with(\.reason, WaitReason.budget.name), isPart: true),
  ]
}

/// Views and caches, where there are any.
private func viewFigures(of report: Report) -> [TableFigure] {
  let views = TableFigure(.views, .mean)
  let stale = [
    TableFigure(.stale, .share, isPart: true), TableFigure(.staleAfterTheReload, .share, isPart: true),
  ]
  let age = [
    TableFigure("\(TableRow.dataAge.rawValue), median", .dataAge, .p50), TableFigure("  p95", .dataAge, .p95),
  ]
  let seen = SeenText.all(report.content).filter { $0.most != nil }.map {
    TableFigure("\(TableRow.seen.rawValue) \($0.event.name)", .eventToView, .p90, $0.labels)
  }
  let hits = [
    TableFigure(.cacheHits, .mean),
    TableFigure(.requestsSaved, .total, isPart: true),
    TableFigure(.requestsOfTaps, .share, Labels().with(\.cause, Cause.tap.name)),
  ]
  let isSeen = { (figure: TableFigure) in
    (report.summary.value(figure.metric, figure.statistic, figure.labels) ?? 0) > 0
  }
  let known = stale.filter { report.summary.row($0.metric, $0.statistic) != nil }
  return (isSeen(views) ? [views] + known + age + seen : []) + hits.filter(isSeen)
}

/// What the battery pays, where anything is spent.
private func energyFigures(of report: Report) -> [TableFigure] {
  let energy = TableFigure(.energy, .mean)
  guard (report.summary.value(energy.metric, .mean) ?? 0) > 0 else { return [] }
  let components = EnergyComponent.allCases.map { component in
    TableFigure("  " + component.name, .energyPerDay, .mean, Labels().with(\.component, component.name))
  }
  let isSpent = { (figure: TableFigure) in (report.summary.value(figure.metric, .mean, figure.labels) ?? 0) > 0 }
  let battery = [
    TableFigure(.battery, .mean), TableFigure("  p95", .batteryPercentPerDay, .p95),
  ]
  return [energy] + components.filter(isSpent)
    + (report.summary.value(.batteryPercentPerDay, .mean) == nil ? [] : battery)
}

/// Columns aligned with spaces, numbers to the right.
private struct TerminalTable {
  var summary: Summary
  var hasIntervals: Bool
  var hasBracket: Bool

  func lines(of figures: [TableFigure]) -> [String] {
    let header = ["", "value", ""] + (hasIntervals ? ["95 % interval"] : []) + (hasBracket ? ["bracket"] : [])
    return alignedLines([header] + figures.map(cells), numberColumns: [1])
  }

  private func cells(_ figure: TableFigure) -> [String] {
    let row = summary.row(figure.metric, figure.statistic, figure.labels)
    let mark = row?.isResolved == false ? " *" : ""
    let value = Self.text(row?.value?.approximate, figure)
    let bracket =
      figure.metric == .recoveryTime
      ? BracketText.recovery(row, in: summary) { Self.text($0, figure) }
      : CompactRange.bracket([row?.value, row?.prompt, row?.lazy]) { Self.text($0, figure) }
    return [figure.name, value, Self.unit(of: figure) + mark] + (hasIntervals ? [interval(figure, row)] : [])
      + (hasBracket ? [bracket] : [])
  }

  private func interval(_ figure: TableFigure, _ row: SummaryRow?) -> String {
    row?.interval.map { interval in
      CompactRange.text(interval.low, interval.high, beside: row?.value?.approximate) { Self.text($0, figure) }
    } ?? ""
  }

  /// A value, with its unit where that depends on its size.
  private static func text(_ value: Double?, _ figure: TableFigure) -> String {
    switch (figure.metric, figure.statistic) {
    case (.bytesDown, _): NumberText.bytes(value)
    // An estimate of whole seconds.
    case (.overloadSeconds, _) where (value ?? 1) < 0.05: "0"
    case (.dataAge, _), (.lateness, _), (.eventToView, _): TimeText.seconds(value)
    case (_, .share): NumberText.percent(value)
    default: NumberText.text(value)
    }
  }

  private static func unit(of figure: TableFigure) -> String {
    switch (figure.metric, figure.statistic) {
    case (.bytesDown, _), (.dataAge, _), (.lateness, _), (.eventToView, _), (_, .share): ""
    default: figure.metric.unit
    }
  }
}

/// Rewrites a text with spaces and signs that every terminal and every `awk` knows, and nothing that a terminal obeys.
func plain(_ text: String) -> String {
  String(
    text.replacing(" ·", with: ",").map { character in
      switch character {
      case "\u{202F}", "\u{A0}": " "
      case "–", "−": "-"
      case let character where character.unicodeScalars.contains(where: \.isHidden): "?"
      default: character
      }
    })
}
