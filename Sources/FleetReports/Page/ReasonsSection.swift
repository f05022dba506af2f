import Scenario
import Studies

/// Why do widgets refresh? Where all do for one cause, the causes of requests tell.
func reasonsSection(of report: ReportContent) -> ReportSection {
  let kinds = ScopeTotal.kinds(of: report)
  let all = ScopeTotal(.fleet, report)
  return ReportSection(
    id: "reasons", short: "Why", question: "Why do widgets refresh?", answer: answer(all, kinds),
    figures: (all?.runs ?? 0) > 0 ? [drawing(all, kinds)] : [],
    note: "Every refresh of the measured period by what started it, whether it sent requests or found its data in a "
      + "cache. Parts that count against the budget come first." + pushNote(report.run.scenario),
    details: [table(report).details("Refreshes by cause, as numbers")], saysNothing: (all?.causes.count ?? 0) < 2)
}

/// Why pushes make fewer refreshes than they reach phones; empty without pushes.
private func pushNote(_ scenario: Scenario) -> String {
  scenario.events.contains { $0.push != nil }
    ? " A push that meets a refresh which is due already joins it, and that keeps its cause; of several that wait for a "
      + "phone only the last counts: fewer refreshes are named after pushes than phones are pushed." : ""
}

private func answer(_ all: ScopeTotal?, _ kinds: [ScopeTotal]) -> String {
  guard let all, let first = all.causes.first else { return "No widget was refreshed in the measured period." }
  guard all.causes.count > 1 else { return "All refreshes come from \(first.description)." }
  let second = all.causes[1]
  let sentence =
    "Of the refreshes, \(NumberText.percent(all.share(first)))\(all.shareBracket(first)) come from "
    + "\(first.description), \(NumberText.percent(all.share(second)))\(all.shareBracket(second)) from "
    + "\(second.description)."
  let busiest = kinds.max { $0.perDay($0.runs) < $1.perDay($1.runs) }
  guard kinds.count > 1, let busiest, let cause = busiest.causes.first else { return sentence }
  return sentence
    + " The busiest kind is \(busiest.labels.kind) with \(NumberText.text(busiest.perDay(busiest.runs))) refreshes per "
    + "widget and day\(busiest.runsPerDayBracket), \(NumberText.percent(busiest.share(cause))) of them"
    + "\(busiest.shareBracket(cause)) from \(cause.description)."
}

/// Causes in the order of the bars: those that count against the budget first.
private func ordered(_ causes: [Cause]) -> [Cause] {
  Cause.allCases.filter { causes.contains($0) && $0.isCharged }
    + Cause.allCases.filter { causes.contains($0) && !$0.isCharged }
}

private func drawing(_ all: ScopeTotal?, _ kinds: [ScopeTotal]) -> Markup {
  let causes = ordered(all?.causes ?? [])
  let bars = kinds.map { kind in
    StackedBarFigure.Bar(
      name: kind.labels.kind, text: NumberText.text(kind.perDay(kind.runs)) + " a day",
      parts: causes.map { (kind.runsPerDay($0), $0.style) }.filter { $0.0 > 0 })
  }
  return StackedBarFigure(bars: bars).markup(
    id: "reasons", title: "Refreshes per widget and day, by kind and cause", description: answer(all, kinds),
    legend: causes.map { ($0.style, $0.name + " " + NumberText.percent(all?.share($0) ?? 0)) })
}

private func table(_ report: ReportContent) -> DataTable {
  let causes = ordered(ScopeTotal(.fleet, report)?.causes ?? [])
  let rows = ScopeTotal.all(of: report).flatMap { scope in
    causes.filter { scope.runs($0) > 0 }.map { cause in
      [
        scopeName(scope.labels), cause.name, cause.isCharged ? "yes" : "no",
        withUncertainty(report.summary.row(.runsPerDay, .mean, scope.labels.with(\.cause, cause.name))),
        NumberText.percent(scope.share(cause)),
      ]
    }
  }
  return DataTable(
    caption: IntervalText.caption("Refreshes per widget and day, by cause", report),
    columns: ["Whose", "Cause", "Counts against the budget", IntervalText.column("Mean", report), "Share"], rows: rows,
    textColumns: 3)
}
