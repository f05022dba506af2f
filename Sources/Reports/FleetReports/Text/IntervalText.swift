import Scenario
import Studies

/// Where intervals stand, and why there are none with one replication.
enum IntervalText {
  /// `Mean (95 % interval)`; with one replication `Mean`.
  static func column(_ name: String, _ replications: Int) -> String {
    replications > 1 ? name + " (95 % interval)" : name
  }

  /// A caption, with whether its table has intervals.
  static func caption(_ text: String, _ report: ReportContent) -> String {
    text + (report.run.replications.count > 1 ? ", with 95 % intervals" : " (one replication, so no intervals)")
  }

  /// What whiskers in the figures of a study are, or why there are none.
  static func whiskers(_ study: SweepStudy) -> String {
    study.hasIntervals
      ? " Whiskers are 95 % intervals over replications." : " One replication of each setting has no intervals."
  }

  /// ` (95 % intervals over replications)`, or why there are none.
  static func inBrackets(_ study: SweepStudy) -> String {
    study.hasIntervals ? " (95 % intervals over replications)" : " (one replication each, so no intervals)"
  }
}

extension SweepStudy {
  /// Whether its settings were simulated more than once.
  var hasIntervals: Bool { runs.contains { $0.replications > 1 } }
}

extension Interval {
  /// `2 to 3`.
  func words(_ text: (Double) -> String = { NumberText.text($0) }) -> String { text(low) + " to " + text(high) }

  /// `2 to 3` in the unit of a figure.
  func words(_ figure: FigureName) -> String { words { GoalText.text($0, figure) } }
}

/// How far constants that Apple does not document move a figure, in one form everywhere (MODEL.md 4.8).
enum BracketText {
  /// ` (bracket 2 to 3)`, to stand behind a figure: from the least to the most of the scenario itself, prompt and lazy.
  ///
  /// Empty where no bracket was computed, and where its ends read like the figure.
  static func hull(_ row: SummaryRow?, _ text: (Double) -> String = { NumberText.text($0) }) -> String {
    let range = range(row, text)
    return range.isEmpty ? "" : " (bracket \(range))"
  }

  /// Range from the least to the most, without ` (bracket ...)` around it: `2 to 3`.
  static func range(_ row: SummaryRow?, _ text: (Double) -> String = { NumberText.text($0) }) -> String {
    GoalText.range([row?.value, row?.prompt, row?.lazy], text)
  }

  /// How far the bracket moves a recovery, which may be unknown under an end: `9 min to unknown`.
  ///
  /// - Parameter summary: of the row, whose other figures tell which ends were simulated.
  static func recovery(_ row: SummaryRow?, in summary: Summary, _ text: (Double) -> String) -> String {
    guard let row, let value = row.value?.approximate else { return "" }
    let ends = [\SummaryRow.prompt, \SummaryRow.lazy].filter { end in
      summary.rows.contains { $0[keyPath: end] != nil }
    }
    let isUnknown = ends.contains { row[keyPath: $0] == nil }
    guard isUnknown else { return range(row, text) }
    let least = ([value] + ends.compactMap { row[keyPath: $0]?.approximate }).min() ?? value
    return text(least) + " to " + NumberText.unknownWord
  }

  /// A cell of a table: the value, with its bracket where there is one.
  static func cell(_ row: SummaryRow?, _ text: (Double) -> String = { NumberText.text($0) }) -> String {
    guard let value = row?.value?.approximate else { return NumberText.unknown }
    return text(value) + hull(row, text)
  }

  /// A value with its unit and its bracket behind it: `2 times a day (bracket 1 to 3)`.
  static func sentence(_ row: SummaryRow?, _ unit: String) -> String {
    NumberText.text(row?.value?.approximate) + " " + unit + hull(row)
  }

  /// A share of a cell of a table; unknown without.
  static func percent(_ row: SummaryRow?) -> String { cell(row, NumberText.percent) }

  /// A span of a cell of a table; unknown without.
  static func seconds(_ row: SummaryRow?) -> String { cell(row, TimeText.seconds) }
}
