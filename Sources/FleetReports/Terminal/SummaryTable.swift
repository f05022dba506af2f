import Scenario
import SimulationKernel
import Studies

/// The result as a table for a terminal: the figures a planner asks for first.
package func summaryTable(of report: Report) -> [UInt8] {
  let table = TerminalTable(summary: report.summary, hasIntervals: report.result.replications.count > 1)
  var lines = [report.result.scenario.name, plain(facts(of: report)), ""]
  lines += table.lines(of: loadFigures(of: report) + runFigures(of: report) + waitFigures())
  if lines.contains(where: { $0.contains(" *") }) {
    lines += ["", "* fewer than 100 simulated requests: not resolved by the sample"]
  }
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
}

private func loadFigures(of report: Report) -> [TableFigure] {
  let windows = LoadWindow.all(of: report.result.scenario.clock)
  let endpoints = report.result.scenario.endpoints.map(\.name)
  let window = LoadSource(report).window
  return [TableFigure("requests", .requests, .total), TableFigure("bytes down", .bytesDown, .total)]
    + windows.map { peak("peak load, " + $0.name, $0) } + mean("mean load", windows.first)
    + (endpoints.count > 1 ? endpoints : []).flatMap { name in
      (window.map { [peak("  \(name), peak, " + $0.name, $0, name)] } ?? []) + mean("  \(name), mean", window, name)
    }
}

private func peak(_ name: String, _ window: LoadWindow, _ endpoint: String = "") -> TableFigure {
  TableFigure(name, .peakRPS, .max, Labels().with(\.endpoint, endpoint).with(\.window, window.name))
}

private func mean(_ name: String, _ window: LoadWindow?, _ endpoint: String = "") -> [TableFigure] {
  window.map { window in
    [TableFigure(name, .meanRPS, .mean, Labels().with(\.endpoint, endpoint).with(\.window, window.name))]
  } ?? []
}

private func runFigures(of report: Report) -> [TableFigure] {
  let kinds = report.result.scenario.kinds.map(\.name)
  let causes = report.result.causesSeen.map { cause in
    TableFigure("  " + cause.name, .runsPerDay, .mean, Labels().with(\.cause, cause.name))
  }
  return [
    TableFigure("refreshes per widget and day", .runsPerDay, .mean), TableFigure("  p95", .runsPerDay, .p95),
    TableFigure("  most", .runsPerDay, .max),
    TableFigure("  charged", .runsPerDay, .mean, Labels().with(\.charged, "yes")),
  ] + (causes.count > 1 ? causes : [])
    + (kinds.count > 1 ? kinds.map { TableFigure("  kind " + $0, .runsPerDay, .mean, Labels().with(\.kind, $0)) } : [])
}

private func waitFigures() -> [TableFigure] {
  [
    TableFigure("lateness", .lateness, .mean), TableFigure("  p95", .lateness, .p95),
    TableFigure("waits per widget and day", .waitsPerDay, .mean),
    TableFigure("  for the budget", .waitsPerDay, .mean, Labels().with(\.reason, WaitReason.budget.name)),
  ]
}

/// Columns aligned with spaces, numbers to the right.
private struct TerminalTable {
  var summary: Summary
  var hasIntervals: Bool

  func lines(of figures: [TableFigure]) -> [String] {
    let header = ["", "value", ""] + (hasIntervals ? ["95 % interval"] : [])
    let rows = [header] + figures.map(cells)
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 1 ? space + row[column] : row[column] + space
      }
      return plain(cells.joined(separator: "  ")).trimmingEnd()
    }
  }

  private func cells(_ figure: TableFigure) -> [String] {
    let row = summary.row(figure.metric, figure.statistic, figure.labels)
    let mark = row?.isResolved == false ? " *" : ""
    let value =
      figure.metric == .bytesDown ? NumberText.bytes(row?.value?.approximate) : NumberText.text(row?.value?.approximate)
    let unit = figure.metric == .bytesDown ? "" : figure.metric.unit
    return [figure.name, value, unit + mark] + (hasIntervals ? [interval(figure, row)] : [])
  }

  private func interval(_ figure: TableFigure, _ row: SummaryRow?) -> String {
    guard let interval = row?.interval else { return "" }
    let text = { figure.metric == .bytesDown ? NumberText.bytes($0) : NumberText.text($0) }
    return text(interval.low) + " to " + text(interval.high)
  }
}

/// The same text with spaces and signs that every terminal and every `awk` knows, and nothing that a terminal obeys.
private func plain(_ text: String) -> String {
  String(
    text.replacing(" ·", with: ",").map { character in
      switch character {
      case "\u{202F}", "\u{A0}": " "
      case "–", "−": "-"
      case let character where character.unicodeScalars.contains(where: \.isHarmful): "?"
      default: character
      }
    })
}

extension String {
  /// Without spaces at the end.
  fileprivate func trimmingEnd() -> String { String(reversed().drop { $0 == " " }.reversed()) }
}
