import Scenario
import Studies

/// Is N enough?
func sizeSection(of report: ReportContent) -> ReportSection {
  let windows = WindowChance.all(report)
  let widths = RelativeWidth.all(report)
  return ReportSection(
    id: "size", short: "Is N enough", question: "Is N enough?",
    answer: askedAnswer(report) + chanceAnswer(windows) + replicationAnswer(report, widths)
      + driftAnswer(Drift(of: report.run), budgets: Drift.ofBudgets(report.summary)),
    figures: [askedTable(report)?.markup, windowDrawing(windows), widthDrawing(widths)].compactMap { $0 },
    note:
      "A peak made of c simulated requests moves by about 1/√c by chance alone: below 100 requests, by a tenth and more. "
      + "An interval over replications holds everything that chance does, and halves with four times as many.",
    details: [windowTable(windows).details("Peaks and their chance, as numbers")]
      + (widths.isEmpty ? [] : [widthTable(widths).details("Intervals, as numbers")]))
}

/// What chance does to the peak in one window.
private struct WindowChance {
  var window: LoadWindow
  /// Simulated requests in the busiest window, the least of all replications.
  var count: Double
  var isResolved: Bool

  /// One standard deviation of a Poisson count, as a share of it.
  var deviation: Double { count > 0 ? 1 / count.squareRoot() : 1 }

  static func all(_ report: ReportContent) -> [WindowChance] {
    let run = report.run
    return LoadWindow.all(of: run.scenario.clock).compactMap { window in
      let row = report.summary.row(.peakRPS, .max, Labels().with(\.window, window.name))
      let peaks = run.replications.compactMap {
        WindowedLoad($0.stepCounts(endpoint: nil), window: window, clock: run.scenario.clock)?.peak
      }
      guard !peaks.isEmpty, peaks.contains(where: { $0 > 0 }) else { return nil }
      return WindowChance(window: window, count: Double(peaks.min() ?? 0), isResolved: row?.isResolved ?? true)
    }
  }
}

/// How wide the interval of a figure is.
private struct RelativeWidth {
  var name: String
  var row: SummaryRow
  /// Half the interval as a share of the value.
  var share: Double

  static func all(_ report: ReportContent) -> [RelativeWidth] {
    let window = LoadSource(report).window?.name ?? ""
    let rows: [(String, SummaryRow?)] = [
      ("peak load", report.summary.row(.peakRPS, .max, Labels().with(\.window, window))),
      ("requests", report.summary.row(.requests, .total)),
      ("refreshes per widget and day", report.summary.row(.runsPerDay, .mean)),
      ("stale views", report.summary.row(.staleViews, .share)),
      ("data age, p95", report.summary.row(.dataAge, .p95)),
      ("overload", report.summary.row(.overloadSeconds, .total)),
      ("energy per widget and day", report.summary.row(.energyPerDay, .mean)),
    ]
    return rows.compactMap { name, row in
      guard let row, let interval = row.interval, let value = row.value?.approximate, value > 0 else { return nil }
      return RelativeWidth(name: name, row: row, share: (interval.high - interval.low) / 2 / value)
    }
  }
}

private func chanceAnswer(_ windows: [WindowChance]) -> String {
  guard let finest = windows.first else { return "There is no load to tell. " }
  guard let resolved = windows.first(where: \.isResolved) else {
    return "No: even in \(TimeText.span(windows[windows.count - 1].window.length)) the busiest window counts only "
      + "\(NumberText.text(windows[windows.count - 1].count)) simulated requests. "
  }
  let chance = "chance moves it by about \(NumberText.percent(resolved.deviation))"
  let length = TimeText.span(resolved.window.length)
  return resolved.window == finest.window
    ? "Yes for the peak in \(length): \(chance). "
    : "For peaks in \(length) and longer: \(chance); shorter ones need more simulated devices. "
}

private func replicationAnswer(_ report: ReportContent, _ widths: [RelativeWidth]) -> String {
  let count = report.run.replications.count
  guard count > 1 else { return "With one replication nothing is known of days that differ: run with -n 5." }
  guard let widest = widths.max(by: { $0.share < $1.share }) else { return "" }
  let wanted = (Double(count) * (widest.share / 0.05) * (widest.share / 0.05)).rounded(.up)
  let more = widest.share > 0.05 ? "; for 5\u{A0}% about \(NumberText.whole(wanted)) replications are needed" : ""
  return "Over \(count) replications the widest of the intervals below, \(widest.name), is "
    + "±\u{202F}\(NumberText.percent(widest.share))\(more)."
}

private func windowDrawing(_ windows: [WindowChance]) -> Markup? {
  guard !windows.isEmpty else { return nil }
  let figure = BarFigure(
    bars: windows.map {
      (
        name: "peak in " + TimeText.span($0.window.length), value: $0.deviation,
        text: "±\u{202F}" + NumberText.percent($0.deviation), style: $0.isResolved ? "bar" : "ghost"
      )
    })
  return Figure(
    id: "size-chance", title: "What chance alone does to the peak, one standard deviation",
    description: chanceAnswer(windows), legend: legend(windows), draw: figure.draw, height: figure.height
  ).markup
}

private func legend(_ windows: [WindowChance]) -> [(swatch: String, text: String)] {
  guard windows.contains(where: { !$0.isResolved }) else { return [] }
  let resolved = windows.contains(where: \.isResolved) ? [(swatch: "policy", text: "resolved by the sample")] : []
  return resolved + [(swatch: "band", text: "fewer than 100 simulated requests")]
}

private func widthDrawing(_ widths: [RelativeWidth]) -> Markup? {
  guard !widths.isEmpty else { return nil }
  let figure = BarFigure(
    bars: widths.map { ($0.name, $0.share, "±\u{202F}" + NumberText.percent($0.share), "bar") })
  return Figure(
    id: "size-intervals", title: "Half of the 95 % interval over replications, as a share of the figure",
    description: widths.map { "\($0.name) ±\(NumberText.percent($0.share))" }.joined(separator: ", "),
    draw: figure.draw, height: figure.height
  ).markup
}

private func windowTable(_ windows: [WindowChance]) -> DataTable {
  DataTable(
    caption:
      "The busiest window of each length: the simulated requests in it, and one standard deviation of their number",
    columns: ["Window", "Simulated requests", "Chance", "Resolved"],
    rows: windows.map {
      [
        TimeText.span($0.window.length), NumberText.text($0.count), "±\u{202F}" + NumberText.percent($0.deviation),
        $0.isResolved ? "yes" : "no",
      ]
    })
}

private func widthTable(_ widths: [RelativeWidth]) -> DataTable {
  DataTable(
    caption: "Figures with their 95 % intervals over replications",
    columns: ["Figure", "Unit", "Mean (95 % interval)", "±"],
    rows: widths.map { [$0.name, $0.row.unit, withInterval($0.row), NumberText.percent($0.share)] }, textColumns: 2)
}
