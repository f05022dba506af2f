import Scenario
import SimulationKernel
import Studies

/// What the widgets of a scope did, the mean over replications, as load of the fleet.
struct ScopeTotal {
  var scope: Scope
  var labels: Labels
  private var summary: Summary
  /// Widgets times days of the measured period.
  private var widgetDays: Double

  /// nil when the scope has no widgets.
  init?(_ scope: Scope, _ report: ReportContent) {
    labels = scope.labels(in: report.run.scenario)
    guard let widgets = report.summary.value(.widgets, .total, labels), widgets > 0 else { return nil }
    self.scope = scope
    summary = report.summary
    widgetDays = widgets * report.run.scenario.clock.duration.seconds / TimeAmount.day.seconds
  }

  var widgets: Double { summary.value(.widgets, .total, labels) ?? 0 }

  /// Runs of the whole period.
  var runs: Double { summary.value(.runs, .total, labels) ?? 0 }

  var views: Double { (summary.value(.viewsPerDay, .mean, labels) ?? 0) * widgetDays }

  /// Runs of the whole period that a cache answered.
  var cacheHits: Double { (summary.value(.cacheHitsPerDay, .mean, labels) ?? 0) * widgetDays }

  /// A count of the measured period per widget and 24 hours.
  func perDay(_ count: Double) -> Double { widgetDays > 0 ? count / widgetDays : 0 }

  func runs(_ cause: Cause) -> Double { summary.value(.runs, .total, labels.with(\.cause, cause.name)) ?? 0 }

  func runsPerDay(_ cause: Cause) -> Double { perDay(runs(cause)) }

  /// The share of the runs that a cause started; 0 without runs.
  func share(_ cause: Cause) -> Double { runs > 0 ? runs(cause) / runs : 0 }

  /// How far the bracket moves that share; empty without one.
  func shareBracket(_ cause: Cause) -> String {
    BracketText.shareHull(
      [summary.row(.runs, .total, labels.with(\.cause, cause.name))], of: [summary.row(.runs, .total, labels)])
  }

  /// How far the bracket moves refreshes per widget and day; empty without one.
  var runsPerDayBracket: String {
    BracketText.hull([summary.row(.runs, .total, labels)]) { perDay($0[0]) }
  }

  /// The causes that started a run, the commonest first.
  var causes: [Cause] {
    Cause.allCases.filter { runs($0) > 0 }.sorted { (runs($1), $0.rawValue) < (runs($0), $1.rawValue) }
  }

  /// Every scope with widgets, and those of kinds alone.
  static func all(of report: ReportContent) -> [ScopeTotal] {
    Scope.all(of: report.run.scenario).compactMap { ScopeTotal($0, report) }
  }

  static func kinds(of report: ReportContent) -> [ScopeTotal] {
    report.run.scenario.kinds.indices.compactMap { ScopeTotal(.kind($0), report) }
  }
}
