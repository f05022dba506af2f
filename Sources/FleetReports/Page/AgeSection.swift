import FleetEngine
import Scenario
import SimulationKernel
import Studies

/// How old is what people see?
func ageSection(of report: ReportContent) -> ReportSection {
  let seen = SeenKind.all(of: report)
  return ReportSection(
    id: "age", short: "Data age", question: "How old is what people see?", answer: ageAnswer(report, seen),
    figures: seen.isEmpty ? [] : [curves(report, seen)] + stale(report, seen),
    note:
      "The age of the data on screen at each view, before a refresh that the view may start. A steep rise means that "
      + "most people see data of the same age; a curve far to the right that they see old data."
      + (seen.contains { $0.limit != nil } ? " Dashed lines mark the ages from which on data counts as stale." : ""),
    details: [table(report).details("Views and the age of their data, as numbers")], saysNothing: seen.isEmpty)
}

/// A kind that was looked at.
private struct SeenKind {
  var total: ScopeTotal
  /// The age from which on its data counts as stale.
  var limit: TimeAmount?
  var style: String
  /// Age of the data at its views.
  var ages: SpanBins

  var name: String { total.labels.kind }

  static func all(of report: ReportContent) -> [SeenKind] {
    let kinds = report.run.scenario.kinds
    return kinds.indices.compactMap { index in
      guard let total = ScopeTotal(.kind(index), report), total.views > 0 else { return nil }
      return SeenKind(
        total: total, limit: kinds[index].staleAfter, style: "series-\(index % 8)",
        ages: report.run.dataAge(in: .kind(index)))
    }
  }
}

private func ageAnswer(_ report: ReportContent, _ seen: [SeenKind]) -> String {
  guard !seen.isEmpty else { return "Nobody looked at a widget in the measured period." }
  let summary = report.summary
  guard let median = summary.value(.dataAge, .p50), let p95 = summary.value(.dataAge, .p95) else {
    return "No widget had anything to show when it was looked at."
  }
  let head =
    "Half of the views show data younger than \(TimeText.seconds(median))"
    + BracketText.hull(summary.row(.dataAge, .p50), TimeText.seconds) + ", one in twenty shows data older than "
    + "\(TimeText.seconds(p95)). "
  return head + staleAnswer(summary) + stalest(summary, seen)
}

private func staleAnswer(_ summary: Summary) -> String {
  guard let before = summary.value(.staleViews, .share) else {
    return "No kind says from what age on its data is stale."
  }
  guard before > 0 else { return "No view shows stale data." }
  let after = summary.value(.staleViewsAfter, .share) ?? before
  let row = summary.row(.staleViews, .share)
  let bracket = BracketText.hull(row, NumberText.percent)
  return
    "Stale data is shown at \(NumberText.percent(before)) of the views\(bracket), still at \(NumberText.percent(after)) "
    + "after the refresh that the view starts." + BracketText.pushSentence(row, "the share of stale views")
}

/// The kind with the largest share of stale views, where there are several.
private func stalest(_ summary: Summary, _ seen: [SeenKind]) -> String {
  let shares = seen.compactMap { kind in
    summary.row(.staleViews, .share, kind.total.labels).flatMap { row in
      row.value.map { (name: kind.name, share: $0.approximate, row: row) }
    }
  }
  guard shares.count > 1, let most = shares.max(by: { $0.share < $1.share }), most.share > 0 else { return "" }
  return " The stalest kind is \(most.name) with \(BracketText.percent(most.row))."
}

private func curves(_ report: ReportContent, _ seen: [SeenKind]) -> Markup {
  let shown = seen.sorted { $0.total.views > $1.total.views }.prefix(8)
  let drawn = seen.filter { kind in shown.contains { $0.name == kind.name } && kind.ages.total > 0 }
  let figure = AgeFigure(
    curves: drawn.sorted { isFresher($0, $1) }.map {
      AgeFigure.Curve(name: $0.name, style: $0.style, ages: $0.ages)
    },
    limits: Set(drawn.compactMap(\.limit)).sorted())
  let rest = seen.count > shown.count ? ", the 8 kinds looked at most" : ""
  return figure.markup(
    id: "age", title: "Share of views that show data of at most an age" + rest, description: ageAnswer(report, seen),
    legend: drawn.map { kind in
      (kind.style, kind.name + (kind.limit.map { ", stale after " + TimeText.span($0) } ?? ""))
    })
}

private func isFresher(_ left: SeenKind, _ right: SeenKind) -> Bool {
  (left.ages.quantileSeconds(0.5) ?? 0) < (right.ages.quantileSeconds(0.5) ?? 0)
}

private func stale(_ report: ReportContent, _ seen: [SeenKind]) -> [Markup] {
  let bars = seen.filter { $0.limit != nil }.flatMap { kind in
    [(Metric.staleViews, "at the view", "bar"), (.staleViewsAfter, "after the refresh that the view starts", "ghost")]
      .compactMap { metric, when, style in
        report.summary.value(metric, .share, kind.total.labels).map {
          (name: kind.name + ", " + when, value: $0, text: NumberText.percent($0), style: style)
        }
      }
  }
  guard bars.contains(where: { $0.value > 0 }) else { return [] }
  let figure = BarFigure(bars: bars, whole: 1)
  return [
    figure.markup(id: "stale", title: "Share of views of stale data", description: staleAnswer(report.summary))
  ]
}

private func table(_ report: ReportContent) -> DataTable {
  let summary = report.summary
  let rows = ScopeTotal.all(of: report).map { scope -> [String] in
    let ages = [Statistic.mean, .p50, .p95, .p99].map { BracketText.seconds(summary.row(.dataAge, $0, scope.labels)) }
    let stale = [Metric.staleViews, .staleViewsAfter].map { BracketText.percent(summary.row($0, .share, scope.labels)) }
    return [scopeName(scope.labels), withInterval(summary.row(.viewsPerDay, .mean, scope.labels))] + ages + stale
      + [NumberText.percent(emptyShare(scope, report))]
  }
  return DataTable(
    caption: "Views per widget and day, the age of the data that they show, and how many show stale data or none",
    columns: ["Whose", "Views a day", "Age, mean", "p50", "p95", "p99", "Stale", "Stale after", "Without data"],
    rows: rows)
}

/// The share of a scope's views that had no data to show; nil without views.
private func emptyShare(_ scope: ScopeTotal, _ report: ReportContent) -> Double? {
  guard scope.views > 0 else { return nil }
  let scale = Scale(of: report.run)
  let replications = Double(report.run.replications.count)
  let aged = Double(report.run.dataAge(in: scope.scope).total) * Double(scale.fleet) / Double(scale.simulated)
  let share = 1 - aged / replications / scope.views
  // Views are a mean over replications: the last bits may differ.
  return share > 1e-9 ? share : 0
}
