import Scenario
import Studies

/// Where intervals stand, and why there are none with one replication.
enum IntervalText {
  /// `Mean (95 % interval)`; with one replication `Mean`.
  static func column(_ name: String, _ replications: Int) -> String {
    replications > 1 ? name + " (95 % interval)" : name
  }

  static func column(_ name: String, _ report: ReportContent) -> String {
    column(name, report.run.replications.count)
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
