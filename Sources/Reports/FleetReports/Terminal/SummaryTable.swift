import Scenario
import SimulationKernel
import Studies

/// Returns only the verdict as a single line, for use in scripts.
///
/// - Parameter folder: the results folder to print on a second line; `nil` to print no second line.
package func verdictLineAlone(of report: Report, in folder: String? = nil) -> [UInt8] {
  answerOnly([verdictLine(of: report.content)] + (folder.map { ["Results: \($0)"] } ?? []))
}

/// Returns the headline figures of a result as a table for the terminal.
package func summaryTable(of report: Report) -> [UInt8] {
  let content = report.content
  let hasIntervals =
    report.result.replications.count > 1 || report.summary.rows.contains { $0.metric == .peakRPS && $0.isEstimate }
  let figures =
    loadFigures(of: content) + backendFigures(of: report) + runFigures(of: report) + waitFigures()
    + viewFigures(of: report) + energyFigures(of: report)
  let clock = report.result.scenario.clock
  let table = Table("", figures.map { $0.named(for: clock) }, columns(report.summary)).lines
  let count = report.result.replications.count
  let remarks = [
    MeasuredText.sentence(report.result.scenario),
    count > 1 ? "" : "one replication, so no intervals\(hasIntervals ? " except for loads" : "") (add -n 5)",
    table.contains { $0.contains(" *") }
      ? "* not resolved by the sample: the 95 % interval is wider than 5 % on either side" : "",
  ]
  let advice = RunVerdictText(content).verdict.word == .holds ? nil : TrialText.advice(content)
  return terminalText(
    [folded(report.result.scenario.name) + foldedFacts(facts(of: content)), table, placeLines(of: content)]
      + remarks.map { $0.isEmpty ? [] : folded($0) }
      + [verdictLines(of: report), folded(verdictLine(of: content)), advice.map { folded($0) } ?? []])
}

/// A line of the table before its figures are looked up.
private struct TableFigure {
  var name: String
  var metric: Metric
  var statistic: Statistic
  var labels: Labels

  init(_ name: String, _ metric: Metric, _ statistic: Statistic, _ labels: Labels = Labels()) {
    (self.name, self.metric, self.statistic, self.labels) = (name, metric, statistic, labels)
  }

  /// - Parameter isPart: whether the row shows a part of the figure in the row above.
  init(_ row: TableRow, _ statistic: Statistic, _ labels: Labels = Labels(), isPart: Bool = false) {
    self.init((isPart ? "  " : "") + row.rawValue, row.metrics[0], statistic, labels)
  }
}

private func loadFigures(of report: ReportContent) -> [TableFigure] {
  let scenario = report.run.scenario
  let window = LoadSource(report).window
  let endpoints = scenario.endpoints.count > 1 ? Array(scenario.endpoints.indices) : []
  return [TableFigure(.requests, .total)] + failureFigures(of: report) + [TableFigure(.bytesDown, .total)]
    + placeFigures(scenario, window, endpoint: nil) + offeredFigures(of: report, window, endpoints)
    + endpoints.flatMap { placeFigures(scenario, window, endpoint: $0) }
}

/// Returns the peak and the mean at each point where the load of an endpoint, or of all endpoints, is counted.
private func placeFigures(_ scenario: Scenario, _ window: LoadWindow?, endpoint: Int?) -> [TableFigure] {
  guard let window else { return [] }
  let name = endpoint.map { scenario.endpoints[$0].name } ?? ""
  return LoadPoint.all(scenario, endpoint: endpoint).flatMap { place -> [TableFigure] in
    let short = place.short(scenario, endpoint: endpoint)
    let lead = endpoint == nil ? short + ": " : "  \(name)" + (short.isEmpty ? ", " : " \(short), ")
    let isAlone = endpoint == nil && short.isEmpty
    let titles = isAlone ? [TableRow.peakLoad, .meanLoad] : [.peak, .mean]
    return zip(titles, [LoadPoint.Figure.peak, .mean]).compactMap { title, figure in
      place.name(figure, endpoint: name, window: window.name).map { name in
        TableFigure(
          (isAlone ? "" : lead) + title.rawValue + (figure == .peak ? ", " + window.name : ""), name.metric,
          name.statistic, name.labels)
      }
    }
  }
}

/// Returns the offered load of the servers if it differs from the load that they serve. If there are several endpoints,
/// the load of each endpoint is included.
private func offeredFigures(of report: ReportContent, _ window: LoadWindow?, _ endpoints: [Int]) -> [TableFigure] {
  ([nil] + endpoints.map { Optional($0) }).compactMap { endpoint in
    OfferedText(report: report).different(endpoint: endpoint, window).map { row in
      let whose = endpoint.map { "  " + report.run.scenario.endpoints[$0].name + "," } ?? "servers:"
      return TableFigure(
        "\(whose) \(TableRow.offeredPeak.rawValue), \(row.labels.window)", row.metric, row.statistic, row.labels)
    }
  }
}

/// Returns the failure rate if any requests fail. If there are several endpoints, the rates of those with failed
/// requests follow.
private func failureFigures(of report: ReportContent) -> [TableFigure] {
  let endpoints = report.run.scenario.endpoints.map(\.name)
  let parts = endpoints.count > 1 ? endpoints : []
  let figures =
    [TableFigure(.failing, .share, isPart: true)]
    + parts.map { TableFigure("    \($0)", .failures, .share, Labels().with(\.endpoint, $0)) }
  return figures.filter { (report.summary.value($0.metric, $0.statistic, $0.labels) ?? 0) > 0 }
}

/// Returns explanations of the short names of loads, if there are several loads or if there is a capacity.
private func placeLines(of report: ReportContent) -> [String] {
  let scenario = report.run.scenario
  let source = LoadSource(report)
  let lines = source.places(endpoint: nil).compactMap { place -> String? in
    let short = place.short(scenario, endpoint: nil)
    guard !short.isEmpty else { return nil }
    guard place != .phones else { return short + ": requests sent by the phones" }
    let base = scenario.endpoints.contains { $0.baseLoad != nil } ? ", base load included" : ""
    let capacity = source.capacityWords
    return short + ": requests received" + base + (capacity.isEmpty ? "" : capacity + "/s")
  }
  return lines.flatMap { folded($0) }
}

/// Returns figures about how long endpoints exceed their capacity and how long the echoes of events last.
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
  // A snapshot for the widget gallery does not count as a run.
  let causes = report.result.causesSeen.filter(\.isOfRuns).map { cause in
    TableFigure("  " + cause.name, .runsPerDay, .mean, Labels().with(\.cause, cause.name))
  }
  let ofKinds = kinds.map { kind in
    TableFigure("  \(TableRow.ofKind.rawValue) \(kind)", .runsPerDay, .mean, Labels().with(\.kind, kind))
  }
  return [
    TableFigure(.refreshes, .mean), TableFigure("  p95", .runsPerDay, .p95),
    TableFigure(.maximum, .max, isPart: true),
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

/// Returns the figures about views and caches, if there are any.
private func viewFigures(of report: Report) -> [TableFigure] {
  let views = TableFigure(.views, .mean)
  let stale = [
    TableFigure(.stale, .share, isPart: true), TableFigure(.staleAfterTheReload, .share, isPart: true),
  ]
  let age = [
    TableFigure("\(TableRow.dataAge.rawValue), median", .dataAge, .p50), TableFigure("  p95", .dataAge, .p95),
  ]
  let seen = SeenText.all(report.content).filter { $0.maximum != nil }.map {
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

/// Returns the battery charge that widgets use, if any.
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

private func columns(_ summary: Summary) -> [Column<TableFigure>] {
  let row = { (figure: TableFigure) in summary.row(figure.metric, figure.statistic, figure.labels) }
  return [
    Column("") { .text($0.name) }, Column(number: "value") { .text($0.text(row($0)?.value?.approximate)) },
    Column("") { .text($0.unit + (row($0)?.isResolved == false ? " *" : "")) },
    Column("95 % interval") { figure in
      let row = row(figure)
      let words = row?.interval.map {
        CompactRange.text($0.low, $0.high, beside: row?.value?.approximate, figure.text)
      }
      return .text(words ?? "")
    },
    Column("bracket") { figure in
      let row = row(figure)
      return .text(
        figure.metric == .recoveryTime
          ? BracketText.recovery(row, in: summary, figure.text)
          : CompactRange.bracket([row?.value] + (row?.bracketValues ?? []), figure.text))
    },
  ]
}

extension TableFigure {
  /// Returns a value as text. The text includes the unit if the unit depends on the magnitude of the value.
  fileprivate func text(_ value: Double?) -> String {
    switch (metric, statistic) {
    case (.bytesDown, _): NumberText.bytes(value)
    // The value is an estimate because it is based on whole seconds.
    case (.overloadSeconds, _) where (value ?? 1) < 0.05: "0"
    case (.dataAge, _), (.lateness, _), (.eventToView, _): TimeText.seconds(value)
    case (_, .share): NumberText.percent(value)
    default: NumberText.text(value)
    }
  }

  fileprivate var unit: String {
    switch (metric, statistic) {
    case (.bytesDown, _), (.dataAge, _), (.lateness, _), (.eventToView, _), (_, .share): ""
    default: name.contains(" in ") ? String(metric.unit.prefix { $0 != "/" }) : metric.unit
    }
  }

  /// Returns the figure. If the measured period is shorter than a day, its length is added to the figure's name.
  fileprivate func named(for clock: Clock) -> TableFigure {
    guard clock.duration < .day, metric.measure.perPeriod != metric.measure else { return self }
    var figure = self
    figure.name = name.replacing(" per day", with: " in " + TimeText.span(clock.duration))
    return figure
  }
}

/// Returns one line per goal with its verdict, failed goals first; empty if there are no goals.
func verdictLines(of report: Report) -> [String] {
  guard !report.goals.isEmpty else { return [] }
  let table = Table(
    "", report.goals,
    [
      Column("") { .text($0.verdict.rawValue) }, Column("goal") { .text($0.goal.id) },
      Column(number: "value") { .figure($0.value, $0.goal.figure) },
      Column("95 % interval") { result in
        let words = result.interval.map { interval in
          CompactRange.text(interval.low, interval.high, beside: result.value?.approximate) {
            GoalText.text($0, result.goal.figure)
          }
        }
        return .text(words ?? "")
      },
      Column("bracket") { result in
        .text(
          CompactRange.bracket([result.value] + result.bracketValues) { GoalText.text($0, result.goal.figure) })
      }, Column("asserts") { .text(GoalText.assertion($0.goal, report.result.scenario)) },
    ])
  let reasons = report.goals.filter { !$0.explanation.isEmpty }.flatMap { folded("\($0.goal.id): \($0.explanation)") }
  return folded(GoalText.sentence(report.goals)) + table.lines + reasons
}

/// Returns the last line of the table, which contains the verdict.
package func verdictLine(of report: ReportContent) -> String { RunVerdictText(report).line }

/// Returns text without control sequences. Special spaces and signs are replaced by ones that every terminal and `awk`
/// support.
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
