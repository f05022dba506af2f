import Scenario
import Studies

/// Returns one tile for each headline figure with a known value.
func keyFigures(of report: ReportContent) -> [Markup] {
  let summary = report.summary
  let requests = summary.row(.requests, .total)
  let figures =
    [
      (
        "Requests", NumberText.short(summary.value(.requests, .total)), "in the whole period" + failed(summary),
        BracketText.range(requests) { NumberText.short($0) }
      )
    ] + loadTiles(LoadSource(report)) + [
      (
        "Refreshes", NumberText.text(summary.value(.runsPerDay, .mean)),
        FigureList.title("per widget per day, mean", isOfPeriod: report.run.scenario.clock.duration < .day),
        BracketText.range(summary.row(.runsPerDay, .mean))
      )
    ] + ageTile(summary) + seenTiles(report)
  let known = figures.filter { $0.1 != NumberText.unknown }
  guard !known.isEmpty else { return [] }
  let tiles = Markup.tag(
    "section", ["class": "tiles", "aria-label": "Key figures"],
    known.map { name, value, unit, bracket in
      .tag(
        "div", ["class": "tile"],
        [
          .tag("p", ["class": "name"], name), .tag("p", ["class": "value"], value), .tag("p", ["class": "unit"], unit),
        ] + (bracket.isEmpty ? [] : [.tag("p", ["class": "unit"], "bracket " + bracket)]))
    })
  return [tiles]
}

/// Returns the share of failed requests as text, if it is at least 0.1 %.
private func failed(_ summary: Summary) -> String {
  let row = summary.row(.failures, .share)
  guard let share = row?.value?.approximate, share >= 0.001 else { return "" }
  return "; \(NumberText.percent(share)) fail" + BracketText.hull(row, NumberText.percent)
}

/// Returns tiles for the mean and the peak of the load, starting with the servers' load.
private func loadTiles(_ source: LoadSource) -> [(String, String, String, String)] {
  let scenario = source.report.run.scenario
  let unit = "requests per second" + (source.window == .second ? "" : " in the busiest " + source.windowText)
  let offered = OfferedText(report: source.report).different(endpoint: nil, source.window).map { row in
    (
      "Offered peak", NumberText.short(row.value?.approximate),
      unit + ", if every request were answered" + doubt(row, source.window),
      BracketText.range(row)
    )
  }
  return source.places(endpoint: nil).flatMap { place -> [(String, String, String, String)] in
    let words = place.words(scenario, endpoint: nil)
    let rest = words.isEmpty ? "" : ", " + words
    let (mean, peak) = (source.row(.mean, place: place), source.row(.peak, place: place))
    return [
      (
        "Mean load", NumberText.short(mean?.value?.approximate), "requests per second" + rest, BracketText.range(mean)
      ),
      (
        "Peak load", NumberText.short(peak?.value?.approximate),
        unit + rest + (place == .phones ? "" : source.capacityWords) + doubt(peak, source.window),
        BracketText.range(peak)
      ),
    ]
  } + [offered].compactMap { $0 }
}

/// Returns the interval of an estimate as text if the sample does not resolve the estimate; empty otherwise.
private func doubt(_ row: SummaryRow?, _ window: LoadWindow?) -> String {
  guard let row, let window, !row.isResolved, let interval = row.estimatedInterval else { return "" }
  return "; 95 % interval \(interval.words()) over \(TimeText.span(window.length))"
}

/// Returns the tile for the age of the data that views show, if there are any views.
private func ageTile(_ summary: Summary) -> [(String, String, String, String)] {
  let bracket = BracketText.range(summary.row(.dataAge, .p50), TimeText.seconds)
  return summary.value(.dataAge, .p50).map { [("Data age", TimeText.seconds($0), "median, when viewed", bracket)] }
    ?? []
}

/// Returns tiles with the times by which 90 % of the phones have shown the data of a push. Only the first pushes have a
/// tile.
private func seenTiles(_ report: ReportContent) -> [(String, String, String, String)] {
  SeenText.all(report).compactMap { seen in
    guard let row = seen.maximum, let seconds = row.value?.approximate, let time = seen.time(after: seconds) else {
      return nil
    }
    return (
      "90\u{A0}% have seen", TimeText.seconds(seconds), "after '\(seen.event.name)' starts, by \(time)",
      BracketText.range(row, TimeText.seconds)
    )
  }.prefix(2).map { $0 }
}
