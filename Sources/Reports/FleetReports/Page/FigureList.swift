import Scenario
import Studies

/// A column in a table of figures. The column shows one statistic of a metric, and its labels are added to those of
/// each row.
struct FigureColumn {
  var title: String
  var statistic: Statistic { name(Labels()).statistic }
  /// Whether the column counts runs that are charged to the budget.
  var isCharged: Bool { name(Labels()).labels.charged == "yes" }
  private var name: (Labels) -> FigureName

  /// - Parameter statistic: the statistic; `nil` for the metric's first statistic.
  init(
    _ title: String, _ metric: Metric, _ statistic: Statistic? = nil, _ labels: @escaping (Labels) -> Labels = { $0 }
  ) {
    self.title = title
    name = { FigureName(metric, statistic ?? metric.statistics[0], labels($0)) }
  }

  /// Returns one column per statistic, with the statistic's name as its title. The title of p50 is `median`.
  static func statistics(
    _ metric: Metric, _ statistics: [Statistic], _ labels: @escaping (Labels) -> Labels = { $0 }
  ) -> [FigureColumn] {
    statistics.map { FigureColumn($0 == .p50 ? "median" : $0.rawValue, metric, $0, labels) }
  }

  func row(_ labels: Labels, _ summary: Summary) -> SummaryRow? {
    summary.figure(name(labels)).flatMap { $0.value == nil ? nil : $0 }
  }

  func value(_ labels: Labels, _ summary: Summary) -> Double? { row(labels, summary)?.value?.approximate }

  /// Returns a value with its unit. The unit `/day` is omitted because it is part of the column titles.
  func text(_ value: Double) -> String {
    let text = GoalText.text(value, name(Labels()))
    return text.hasSuffix("/day") ? String(text.dropLast(4)) : text
  }
}

/// A list of figures with a common title, which can be shown as a sentence, as table columns or as bars.
struct FigureList {
  /// The names and labels of the rows.
  typealias Rows = [(name: String, labels: Labels)]

  var title: String
  var columns: [FigureColumn]

  init(_ title: String, _ columns: [FigureColumn]) { (self.title, self.columns) = (title, columns) }

  /// Returns the rows for all widgets together, for each cohort and for each kind.
  static func scopes(_ report: ReportContent) -> Rows {
    Scope.all(of: report.run.scenario).map { scope in
      let labels = scope.labels(in: report.run.scenario)
      return (scopeName(labels), labels)
    }
  }

  /// Returns one row per kind.
  static func kinds(_ report: ReportContent) -> Rows {
    report.run.scenario.kinds.map { ($0.name, Labels().with(\.kind, $0.name)) }
  }

  /// Returns a sentence such as `Lateness: mean 4.2 min (bracket 1 min to 8 min), p95 14 min. `; empty if no figure is
  /// known. Zeros are omitted, except for the first figure.
  func sentence(_ summary: Summary, _ labels: Labels = Labels()) -> String {
    let parts = columns.enumerated().compactMap { index, column -> String? in
      guard let row = column.row(labels, summary), let value = row.value?.approximate, index == 0 || value != 0 else {
        return nil
      }
      return column.title + " " + column.text(value) + BracketText.hull(row, column.text)
    }
    let isOfPeriod = columns.contains { $0.row(labels, summary)?.isOfPeriod == true }
    return parts.isEmpty
      ? "" : FigureList.title(title, isOfPeriod: isOfPeriod) + ": " + parts.joined(separator: ", ") + ". "
  }

  /// Returns a table of all rows and columns that have at least one known figure; empty if there are none.
  func table(_ report: ReportContent, _ rows: Rows, head: String = "Scope") -> [Markup] {
    let known = columns.filter { column in rows.contains { column.row($0.labels, report.summary) != nil } }
    let shown = rows.filter { row in known.contains { $0.row(row.labels, report.summary) != nil } }
    let names = Column<Rows.Element>(head) { .text($0.name) }
    let figures = known.map { column in
      Column<Rows.Element>(number: column.title) { row in
        .text(cell(column, column.row(row.labels, report.summary)))
      }
    }
    let title = FigureList.title(title, isOfPeriod: report.run.scenario.clock.duration < .day)
    return Table(IntervalText.caption(title, report), shown, [names] + figures).details(title + ", as a table")
  }

  /// Returns the title for figures of a measured period that is shorter than a day.
  static func title(_ title: String, isOfPeriod: Bool) -> String {
    isOfPeriod ? title.replacing("per day", with: "in this period") : title
  }

  private func cell(_ column: FigureColumn, _ row: SummaryRow?) -> String {
    guard let row, let value = row.value?.approximate else { return NumberText.unknown }
    let interval = row.interval.map { " (\($0.words(column.text)))" } ?? ""
    return column.text(value) + interval + BracketText.hull(row, column.text)
  }

  /// Returns one bar for each known figure; empty if all figures are 0. The bars of the second column are paler.
  ///
  /// - Parameter whole: the value of a bar that fills the full width; `nil` to use the value of the longest bar.
  func bars(_ report: ReportContent, _ rows: Rows, id: String, whole: Double? = nil) -> [Markup] {
    let bars = rows.flatMap { row in
      columns.enumerated().compactMap { index, column -> BarRow? in
        guard let value = column.value(row.labels, report.summary) else { return nil }
        let name = [row.name, columns.count > 1 ? column.title : ""].filter { !$0.isEmpty }.joined(separator: ", ")
        return BarRow(name, value, column.text(value), style: index == 0 ? "bar" : "ghost")
      }
    }
    guard bars.contains(where: { $0.parts[0].to > 0 }) else { return [] }
    let title = FigureList.title(title, isOfPeriod: report.run.scenario.clock.duration < .day)
    return [Chart.bars(bars, whole: whole).markup(id: id, title: title, description: sentence(report.summary))]
  }
}

/// Returns `all widgets`, `cohort west` or `kind weather`.
func scopeName(_ labels: Labels) -> String {
  if !labels.cohort.isEmpty { return "cohort " + labels.cohort }
  return labels.kind.isEmpty ? "all widgets" : "kind " + labels.kind
}

/// Returns a value, followed by its interval in brackets if it has one.
func withInterval(_ row: SummaryRow?) -> String {
  let value = NumberText.text(row?.value?.approximate)
  guard let interval = row?.interval else { return value }
  return value + " (" + interval.words() + ")"
}

extension Cause {
  /// Returns the column of a metric for this cause.
  func column(_ metric: Metric, _ statistic: Statistic? = nil) -> FigureColumn {
    FigureColumn(name, metric, statistic) { $0.with(\.cause, name) }
  }
}
