import Scenario
import Studies

/// How sure are these figures?
func sizeSection(of report: ReportContent) -> ReportSection {
  let windows = WindowChance.all(report)
  let headline = LoadSource(report).window
  let widths = RelativeWidth.all(report)
  return ReportSection(
    id: "size", short: "How sure", question: "How sure are these figures?",
    answer: askedAnswer(report) + chanceAnswer(windows, headline) + replicationAnswer(report, widths)
      + driftAnswer(Drift(of: report.run), budgets: Drift.ofBudgets(report.summary))
      + rowAnswer(report),
    figures: [askedTable(report)?.markup, windowDrawing(windows, headline), widthDrawing(widths)].compactMap { $0 },
    note:
      "The peak of a sampled fleet is estimated: where the sample shows how the load goes, and how far chance moves it at "
      + "the size of the fleet. More devices make it surer, more replications do not. Of figures that are counted an interval "
      + "over replications holds everything that chance does, and halves with four times as many.",
    details: (windows.isEmpty ? [] : [windowTable(windows).details("Peaks and their intervals, as numbers")])
      + (widths.isEmpty ? [] : [widthTable(widths).details("Intervals, as numbers")]))
}

/// How well the peak in one window is known, or, where every device was simulated, how far another day moves it.
private struct WindowChance {
  var window: LoadWindow
  var row: SummaryRow
  /// Interval of a sample's estimate, or of the peak on other days.
  var interval: Interval

  /// Half of the interval as a share of the peak.
  var share: Double { row.halfWidth ?? 0 }
  var isSample: Bool { row.metric != .otherDayPeakRPS }
  var range: String { "\(NumberText.text(interval.low)) and \(NumberText.text(interval.high))" }

  static func all(_ report: ReportContent) -> [WindowChance] {
    LoadWindow.all(of: report.run.scenario.clock).compactMap { window in
      let labels = Labels().with(\.window, window.name)
      let atServers = LoadPlace.first(report.run.scenario, endpoint: nil).name(.peak, window: window.name)
      let rows = [
        atServers.flatMap { report.summary.figure($0) }, report.summary.row(.otherDayPeakRPS, .p50, labels),
      ]
      guard let row = rows.compactMap({ $0 }).first(where: \.isEstimate), let interval = row.estimatedInterval,
        (row.value?.approximate ?? 0) > 0
      else { return nil }
      return WindowChance(window: window, row: row, interval: interval)
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
    let window = LoadSource(report).window
    let span = window.map { " over " + TimeText.span($0.length) } ?? ""
    let rows: [(String, SummaryRow?)] = [
      ("peak load" + span, report.summary.row(.peakRPS, .max, Labels().with(\.window, window?.name ?? ""))),
      ("requests", report.summary.row(.requests, .total)),
      ("refreshes per widget and day", report.summary.row(.runsPerDay, .mean)),
      ("stale views", report.summary.row(.staleViews, .share)),
      ("data age, p95", report.summary.row(.dataAge, .p95)),
      ("overload", report.summary.row(.overloadSeconds, .total)),
      ("energy per widget and day", report.summary.row(.energyPerDay, .mean)),
    ]
    return rows.compactMap { name, row in
      row.flatMap { row in
        row.isEstimate ? nil : row.halfWidth.map { RelativeWidth(name: name, row: row, share: $0) }
      }
    }
  }
}

private func chanceAnswer(_ windows: [WindowChance], _ headline: LoadWindow?) -> String {
  guard let finest = windows.first, let longest = windows.last else { return "There is no load to tell. " }
  let shown = windows.first { $0.window == headline } ?? finest
  let length = TimeText.span(shown.window.length)
  guard shown.isSample else {
    return "Every device was simulated: the peak in \(length) is what this day brings. Another day like it, with other "
      + "people, brings 95 % of the time between \(shown.range) requests per second. "
  }
  if shown.row.isResolved {
    return "Yes for the peak in \(length): it is known within ±\u{202F}\(NumberText.percent(shown.share)). "
  }
  let resolved = windows.first { $0.row.isResolved && $0.window.length > shown.window.length }
  return "No for the peak in \(length): it lies between \(shown.range) requests per second. "
    + (resolved.map { "Peaks in \(TimeText.span($0.window.length)) are known within 5 %. " }
      ?? "Even in \(TimeText.span(longest.window.length)) it is known only within "
      + "±\u{202F}\(NumberText.percent(longest.share)). ")
}

private func replicationAnswer(_ report: ReportContent, _ widths: [RelativeWidth]) -> String {
  let count = report.run.replications.count
  guard count > 1 else { return "With one replication nothing is known of days that differ: run with -n 5." }
  guard let widest = widths.max(by: { $0.share < $1.share }) else { return "" }
  let wanted = widest.row.replications(within: 0.05).map(NumberText.whole) ?? NumberText.unknown
  let more = widest.share > 0.05 ? "; for 5\u{A0}% about \(wanted) replications are needed" : ""
  return "Over \(count) replications the widest of the intervals below, \(widest.name), is "
    + "±\u{202F}\(NumberText.percent(widest.share))\(more)."
}

/// Tells of how many devices devices.csv has rows, where not of all.
private func rowAnswer(_ report: ReportContent) -> String {
  guard let sample = report.rowSample else { return "" }
  return " The rows of devices.csv are those of a sample: \(NumberText.whole(Double(sample))) of the "
    + "\(NumberText.whole(Double(report.run.devicesSimulated))) devices that were simulated."
}

private func windowDrawing(_ windows: [WindowChance], _ headline: LoadWindow?) -> Markup? {
  guard let first = windows.first else { return nil }
  let figure = Chart.bars(
    windows.map {
      BarRow(
        "peak in " + TimeText.span($0.window.length), $0.share, "±\u{202F}" + NumberText.percent($0.share),
        style: !$0.isSample || $0.row.isResolved ? "bar" : "ghost")
    })
  return figure.markup(
    id: "size-chance",
    title: first.isSample
      ? "How well the sample knows the peak: half of the 95 % interval" : "How far another day moves the peak, 95 %",
    description: chanceAnswer(windows, headline), legend: legend(windows))
}

private func legend(_ windows: [WindowChance]) -> [(swatch: String, text: String)] {
  guard windows.contains(where: { $0.isSample && !$0.row.isResolved }) else { return [] }
  let resolved = windows.contains(where: \.row.isResolved) ? [(swatch: "policy", text: "resolved by the sample")] : []
  return resolved + [(swatch: "band", text: "known within 5 % only with more devices")]
}

private func widthDrawing(_ widths: [RelativeWidth]) -> Markup? {
  guard !widths.isEmpty else { return nil }
  let figure = Chart.bars(widths.map { BarRow($0.name, $0.share, "±\u{202F}" + NumberText.percent($0.share)) })
  return figure.markup(
    id: "size-intervals", title: "Half of the 95 % interval over replications, as a share of the figure",
    description: widths.map { "\($0.name) ±\(NumberText.percent($0.share))" }.joined(separator: ", "))
}

private func windowTable(_ windows: [WindowChance]) -> DataTable {
  let isSample = windows.contains(where: \.isSample)
  return DataTable(
    caption: isSample
      ? "The busiest window of each length in the fleet, as the sample tells it"
      : "The busiest window of each length on another day like this one",
    columns: ["Window", "Requests per second", isSample ? "95 % interval" : "On other days, 95 %", "±"]
      + (isSample ? ["Resolved"] : []),
    rows: windows.map {
      [
        TimeText.span($0.window.length), NumberText.text($0.row.value?.approximate),
        $0.interval.words(), NumberText.percent($0.share),
      ] + (isSample ? [$0.row.isResolved ? "yes" : "no"] : [])
    })
}

private func widthTable(_ widths: [RelativeWidth]) -> DataTable {
  DataTable(
    caption: "Figures with their 95 % intervals over replications",
    columns: ["Figure", "Unit", "Mean (95 % interval)", "±"],
    rows: widths.map { [$0.name, $0.row.unit, withInterval($0.row), NumberText.percent($0.share)] }, textColumns: 2)
}
