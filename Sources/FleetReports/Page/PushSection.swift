import Scenario
import Studies

/// How long until phones show what was pushed? nil without pushes, and where nobody looks.
func pushSection(of report: ReportContent) -> ReportSection? {
  let summary = report.summary
  guard let shown = summary.value(.pushToView, .share), let views = summary.value(.viewsPerDay, .mean), views > 0 else {
    return nil
  }
  let curves = report.run.scenario.kinds.indices.compactMap { curve(of: $0, report) }
  let figure = Chart.ages(
    Array(curves.prefix(8)), limits: [], of: "phones", title: "time from the push, or less")
  return ReportSection(
    id: "push", short: "Push to screen", question: "How long until phones show what was pushed?",
    answer: ([pushAnswer(summary, shown)] + SeenText.all(report).prefix(3).map(\.sentence).filter { !$0.isEmpty })
      .joined(separator: " "),
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
      + "came after it. Times from an event's start have in them the span over which its pushes are sent, the curves have "
      + "not. Pushes that follow before that view are part of the same wait, but count alone from their own event's "
      + "start. What a refresh brings while somebody looks counts at the next view. Quantiles count phones that never "
      + "show it as longer than all others.",
    details: [table(report).details("From push to screen, as numbers")] + startTable(report))
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
private func curve(of kind: Int, _ report: ReportContent) -> Chart.Ages? {
  let ages = report.run.pushToView(in: .kind(kind))
  let name = report.run.scenario.kinds[kind].name
  guard ages.total > 0, let shown = report.summary.value(.pushToView, .share, Labels().with(\.kind, name)) else {
    return nil
  }
  return Chart.Ages(name: name, style: "series-\(kind % 8)", ages: ages, part: shown)
}

private func table(_ report: ReportContent) -> DataTable {
  table(
    .pushToView, FigureList.scopes(report).map { ($0.labels, $0.name) }, of: "Whose", report.summary,
    caption: "Time from a push to the first view of what it brought, and the share seen within a time")
}

/// Times from the start of each event as a table; empty where no event has a start.
private func startTable(_ report: ReportContent) -> [Markup] {
  let events = SeenText.all(report).map { ($0.labels, $0.event.name) }
  let title = "Time from an event's start to the first view of what it pushed, and the share seen within a time"
  let table = table(.eventToView, events, of: "Event", report.summary, caption: title)
  return table.rows.isEmpty ? [] : [table.details("From the event's start to screen, as numbers")]
}

/// A row for each of some labels that the metric has figures of.
private func table(
  _ metric: Metric, _ labels: [(Labels, String)], of column: String, _ summary: Summary, caption: String
) -> DataTable {
  let periods = Herd.periods.map(Herd.name)
  let quantiles = metric.statistics.filter { $0.probability != nil }
  let rows = labels.filter { summary.value(metric, .share, $0.0) != nil }.map { labels, name in
    [name] + quantiles.map { BracketText.seconds(summary.row(metric, $0, labels)) }
      + periods.map { BracketText.percent(summary.row(metric, .share, labels.with(\.period, $0))) }
      + [BracketText.percent(summary.row(metric, .share, labels))]
  }
  return DataTable(
    caption: caption,
    columns: [column] + quantiles.map(\.rawValue) + periods.map { "Within " + $0 } + ["At all"], rows: rows)
}
