import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// Returns the section on the age of the data that views show; `nil` if no widget is viewed.
func ageSection(of report: ReportContent) -> ReportSection? {
  let ages = FigureList(
    "Age of the data when viewed", FigureColumn.statistics(.dataAge, [.mean, .p50, .p95, .p99]))
  let stale = FigureList(
    "Share of views with stale data",
    [
      FigureColumn("at the view", .staleViews),
      FigureColumn("after the refresh it triggers", .staleViewsAfter),
    ])
  let views = FigureList(
    "Views per widget per day", [FigureColumn("mean", .viewsPerDay), FigureColumn("without data", .emptyViews)])
  let kinds = FigureList.kinds(report).filter { (report.summary.value(.viewsPerDay, .mean, $0.labels) ?? 0) > 0 }
  guard !kinds.isEmpty else { return nil }
  let rows = FigureList.scopes(report)
  return ReportSection(
    "age",
    answer: [stale, FigureList(ages.title, Array(ages.columns[1...2]))].map { $0.sentence(report.summary) }.joined(),
    figures: curves(report, ages.sentence(report.summary)) + stale.bars(report, kinds, id: "stale", whole: 1),
    details: [stale, ages, views].flatMap { $0.table(report, rows) })
}

/// Returns curves of the age of data for the kinds with the most views, at most eight of them.
private func curves(_ report: ReportContent, _ description: String) -> [Markup] {
  let kinds = report.run.scenario.kinds.enumerated().map { ($0, $1, report.run.dataAge(in: .kind($0))) }
    .filter { $2.total > 0 }.sorted { $0.2.total > $1.2.total }.prefix(8)
  guard !kinds.isEmpty else { return [] }
  let figure = Chart.ages(
    kinds.map { Chart.Ages(name: $1.name, style: "series-\($0 % 8)", ages: $2) },
    limits: Set(kinds.compactMap(\.1.staleAfter)).sorted(), of: "views", title: "age of the data when viewed, at most")
  return [
    figure.markup(
      id: "age", title: "Share of views by age of the data, cumulative", description: description,
      legend: kinds.map { index, kind, _ in
        ("series-\(index % 8)", kind.name + (kind.staleLimit.map { ", stale after " + $0 } ?? ""))
      })
  ]
}

/// Returns the section on how quickly phones show the data of a push; `nil` if there are no pushes or no views.
func pushSection(of report: ReportContent) -> ReportSection? {
  let summary = report.summary
  guard let shown = summary.value(.pushToView, .share), let views = summary.value(.viewsPerDay, .mean), views > 0 else {
    return nil
  }
  let curves = report.run.scenario.kinds.indices.compactMap { curve(of: $0, report) }
  let figure = Chart.ages(Array(curves.prefix(8)), limits: [], of: "phones", title: "time since the push, at most")
  return ReportSection(
    "push",
    answer: ([pushAnswer(summary, shown)] + SeenText.all(report).prefix(3).map(\.sentence).filter { !$0.isEmpty })
      .joined(separator: " "),
    figures: curves.isEmpty
      ? []
      : [
        figure.markup(
          id: "push", title: "Share of phones that show pushed data, by time since the push",
          description: pushAnswer(summary, shown),
          legend: curves.count > 1 ? curves.prefix(8).map { ($0.style, $0.name) } : [])
      ],
    details: seenList("Time from a push to the first view of its data", .pushToView).table(
      report, FigureList.scopes(report))
      + FigureList("Pushes sent", [FigureColumn("pushes", .pushes)]).table(
        report, sentEvents(report), head: "Event")
      + seenList("Time from an event's start to the first view of its data", .eventToView).table(
        report, SeenText.all(report).map { ($0.event.name, $0.labels) }, head: "Event"))
}

/// Returns the push events, with their labels.
private func sentEvents(_ report: ReportContent) -> [(String, Labels)] {
  report.run.scenario.events.filter { $0.push != nil }.map { ($0.name, Labels().with(\.event, $0.name)) }
}

/// Returns the first sentence, which states the times until half and nearly all of the phones show the data, and the
/// share of phones that never do.
func pushAnswer(_ summary: Summary, _ shown: Double) -> String {
  let (half, maximum) = (summary.row(.pushToView, .p50), summary.row(.pushToView, .p95))
  let never = 1 - shown
  let rest = never > 0 ? "\(NumberText.percent(never)) do not show it within the measured period" : ""
  guard let median = half?.value?.approximate else {
    return "\(NumberText.percent(shown)) of the phones show pushed data within the measured period."
  }
  let head =
    "Half of the phones show pushed data within \(TimeText.seconds(median))"
    + BracketText.hull(half, TimeText.seconds)
  let tail = maximum?.value.map { ", 95\u{A0}% within \(TimeText.seconds($0.approximate))" } ?? ""
  return head + tail + (rest.isEmpty ? "." : "; " + rest + ".")
}

/// Returns the cumulative share of phones that show the data of a kind's push over time; `nil` if no phone does.
private func curve(of kind: Int, _ report: ReportContent) -> Chart.Ages? {
  let ages = report.run.pushToView(in: .kind(kind))
  let name = report.run.scenario.kinds[kind].name
  guard ages.total > 0, let shown = report.summary.value(.pushToView, .share, Labels().with(\.kind, name)) else {
    return nil
  }
  return Chart.Ages(name: name, style: "series-\(kind % 8)", ages: ages, part: shown)
}

/// Returns figures about the time until users see a push: quantiles, and the shares of phones that show it within a
/// given time or at all.
private func seenList(_ title: String, _ metric: Metric) -> FigureList {
  let within = Herd.periods.map(Herd.name).map { period in
    FigureColumn("within " + period, metric, .share) { $0.with(\.period, period) }
  }
  return FigureList(
    title,
    FigureColumn.statistics(metric, metric.statistics.filter { $0.probability != nil }) + within
      + [FigureColumn("ever", metric, .share)])
}
