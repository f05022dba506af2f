import Scenario
import Studies

/// Text about intervals, and about the reason why a single replication has no intervals.
enum IntervalText {
  /// Returns the title of a column: `Mean (95 % interval)` or, if there is only one replication, `Mean`.
  static func column(_ name: String, _ replications: Int) -> String {
    replications > 1 ? name + " (95 % interval)" : name
  }

  /// Returns a caption that also states whether the table contains intervals.
  static func caption(_ text: String, _ report: ReportContent) -> String {
    text + (report.run.replications.count > 1 ? ", with 95 % intervals" : " (one replication, so no intervals)")
  }

  /// Returns an explanation of the whiskers in a study's charts, or of the reason why there are none.
  static func whiskers(_ study: SweepStudy) -> String {
    study.hasIntervals
      ? " Whiskers are 95 % intervals over replications."
      : " With one replication per setting, there are no intervals."
  }

  /// Returns ` (95 % intervals over replications)` or, if there are no intervals, the reason why.
  static func inBrackets(_ study: SweepStudy) -> String {
    study.hasIntervals ? " (95 % intervals over replications)" : " (one replication each, so no intervals)"
  }
}

extension SweepStudy {
  /// Whether any setting was simulated more than once.
  var hasIntervals: Bool { runs.contains { $0.replications > 1 } }
}

extension Interval {
  /// Returns the interval as a range, such as `2 to 3`.
  func words(_ text: (Double) -> String = { NumberText.text($0) }) -> String { text(low) + " to " + text(high) }

  /// Returns the interval as a range in the unit of a figure, such as `2 to 3`.
  func words(_ figure: FigureName) -> String { words { GoalText.text($0, figure) } }
}

/// Text about the bracket of a figure over constants that Apple does not document. It has the same form in all output
/// (MODEL.md 4.8).
enum BracketText {
  /// Returns text such as ` (bracket 2 to 3)`, which follows a figure. The range covers the scenario itself and the
  /// presets `prompt` and `lazy`.
  ///
  /// The text is empty if no bracket was computed, or if both ends have the same text as the figure.
  static func hull(_ row: SummaryRow?, _ text: (Double) -> String = { NumberText.text($0) }) -> String {
    let range = range(row, text)
    return range.isEmpty ? "" : " (bracket \(range))"
  }

  /// Returns the range of a bracket without the word `bracket`, such as `2 to 3`.
  static func range(_ row: SummaryRow?, _ text: (Double) -> String = { NumberText.text($0) }) -> String {
    GoalText.range([row?.value] + (row?.bracketValues ?? []), text)
  }

  /// Returns the bracket of a recovery time. An end is `unknown` if the time is unknown under a preset, as in `9 min to
  /// unknown`.
  ///
  /// - Parameter summary: the summary that contains the row. Its other figures indicate which presets were simulated.
  static func recovery(_ row: SummaryRow?, in summary: Summary, _ text: (Double) -> String) -> String {
    guard let row, let value = row.value?.approximate else { return "" }
    let ends = [\SummaryRow.prompt, \SummaryRow.lazy].filter { end in
      summary.rows.contains { $0[keyPath: end] != nil }
    }
    let isUnknown = ends.contains { row[keyPath: $0] == nil }
    guard isUnknown else { return range(row, text) }
    let minimum = ([value] + ends.compactMap { row[keyPath: $0]?.approximate }).min() ?? value
    return text(minimum) + " to " + NumberText.unknownWord
  }

  /// Returns the text of a table cell: a value, followed by its bracket if there is one.
  static func cell(_ row: SummaryRow?, _ text: (Double) -> String = { NumberText.text($0) }) -> String {
    guard let value = row?.value?.approximate else { return NumberText.unknown }
    return text(value) + hull(row, text)
  }

  /// Returns a value with its unit and its bracket, such as `2 times a day (bracket 1 to 3)`.
  static func sentence(_ row: SummaryRow?, _ unit: String) -> String {
    NumberText.text(row?.value?.approximate) + " " + unit + hull(row)
  }

  /// Returns the text of a table cell with a percentage; a dash if there is no value.
  static func percent(_ row: SummaryRow?) -> String { cell(row, NumberText.percent) }

  /// Returns the text of a table cell with a duration; a dash if there is no value.
  static func seconds(_ row: SummaryRow?) -> String { cell(row, TimeText.seconds) }
}
