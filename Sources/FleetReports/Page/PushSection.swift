import Scenario
import Studies

/// How long until phones show what was pushed? nil without pushes, and where nobody looks.
func pushSection(of report: ReportContent) -> ReportSection? {
  let summary = report.summary
  guard let shown = summary.value(.pushToView, .share), let views = summary.value(.viewsPerDay, .mean), views > 0 else {
    return nil
  }
  let curves = report.run.scenario.kinds.indices.compactMap { curve(of: $0, report) }
  let figure = AgeFigure(
    curves: Array(curves.prefix(8)), limits: [], unit: "% of phones", title: "time from the push, or less")
  return ReportSection(
    id: "push", short: "Push to screen", question: "How long until phones show what was pushed?",
    answer: pushAnswer(summary, shown),
    figures: curves.isEmpty
      ? []
      : [
        figure.markup(
          id: "push", title: "Share of the pushed phones that show it within a time",
          description: pushAnswer(summary, shown),
          legend: curves.count > 1 ? curves.prefix(8).map { ($0.style, $0.name) } : [])
      ],
    note:
      "From the instant at which the push is sent to a phone to the first view there of a widget of the kind whose data "
      + "came after it; the span over which pushes are sent comes on top, and is not in these times. Pushes that follow before that are part of the same wait. What a refresh brings while somebody looks counts at "
      + "the next view. Quantiles count phones that never show it as longer than all others.",
    details: [table(report).details("From push to screen, as numbers")])
}

/// The first sentence: half, nearly all, and what is never seen.
func pushAnswer(_ summary: Summary, _ shown: Double) -> String {
  let (half, most) = (summary.row(.pushToView, .p50), summary.row(.pushToView, .p95))
  let never = 1 - shown
  let rest = never > 0 ? "\(NumberText.percent(never)) do not within the measured period" : ""
  guard let median = half?.value?.approximate else {
    return "What was pushed is seen on \(NumberText.percent(shown)) of the phones within the measured period."
  }
  let head =
    "Half of the phones show what was pushed within \(TimeText.seconds(median))"
    + BracketText.hull(half, TimeText.seconds)
  let tail = most?.value.map { ", 95 % of them within \(TimeText.seconds($0.approximate))" } ?? ""
  return head + tail + (rest.isEmpty ? "." : "; " + rest + ".")
}

/// The share of phones that show a kind's push within a time; nil where none does.
private func curve(of kind: Int, _ report: ReportContent) -> AgeFigure.Curve? {
  let ages = report.run.pushToView(in: .kind(kind))
  let name = report.run.scenario.kinds[kind].name
  guard ages.total > 0, let shown = report.summary.value(.pushToView, .share, Labels().with(\.kind, name)) else {
    return nil
  }
  return AgeFigure.Curve(name: name, style: "series-\(kind % 8)", ages: ages, part: shown)
}

private func table(_ report: ReportContent) -> DataTable {
  let summary = report.summary
  let periods = Herd.periods.map(Herd.name)
  let scopes = ScopeTotal.all(of: report).filter { summary.value(.pushToView, .share, $0.labels) != nil }
  let rows = scopes.map { scope -> [String] in
    let quantiles = [Statistic.p50, .p95, .p99].map {
      BracketText.seconds(summary.row(.pushToView, $0, scope.labels))
    }
    let within = periods.map { period in
      BracketText.percent(summary.row(.pushToView, .share, scope.labels.with(\.period, period)))
    }
    return [scopeName(scope.labels)] + quantiles + within
      + [BracketText.percent(summary.row(.pushToView, .share, scope.labels))]
  }
  return DataTable(
    caption: "Time from a push to the first view of what it brought, and the share seen within a time",
    columns: ["Whose", "p50", "p95", "p99"] + periods.map { "Within " + $0 } + ["At all"], rows: rows)
}
