import Scenario
import Studies

/// The effects of assumptions on a goal or figure, as read from the results of a run (MODEL.md 4.8).
package struct AssumedReport: Sendable {
  private let row: SummaryRow
  private let scenario: Scenario

  /// - Parameter name: the identifier of a goal, or a figure in the notation used in goals.
  /// - Returns: `nil` if no assumptions were varied for this goal or figure in the run.
  package init?(_ name: String, in content: ReportContent) {
    let figure = content.goals.first { $0.goal.id == name }.map(\.goal.figure)
    let wanted = figure.map { content.summary.figure($0)?.name.text ?? "" } ?? name
    let row = content.summary.rows.first { !$0.effects.isEmpty && $0.name.text == wanted }
    guard let row else { return nil }
    (self.row, scenario) = (row, content.run.scenario)
  }

  /// Returns the names of the goals and figures in a results folder that can be explained, goals first.
  package static func names(in content: ReportContent) -> [String] {
    let varied = content.summary.rows.filter { !$0.effects.isEmpty }.map(\.name)
    let goals = content.goals.filter { goal in
      content.summary.figure(goal.goal.figure).map { varied.contains($0.name) } ?? false
    }
    return goals.map(\.goal.id) + varied.map(\.text)
  }

  /// The assumptions that affect the figure, largest effect first.
  private var spans: [AssumedSpan] { row.assumedSpans.filter { $0.high > $0.low } }

  /// The lowest and highest values of the figure when several assumptions are at the ends of their ranges; `nil` if
  /// assumptions were not combined.
  private var together: (low: Double, high: Double)? {
    let values = row.effects.filter(\.isSudden).map(\.value.approximate) + [row.value?.approximate].compactMap { $0 }
    guard values.count > 1, let low = values.min(), let high = values.max() else { return nil }
    return (low, high)
  }

  /// The report as text for the terminal.
  package var text: [UInt8] {
    let text = { GoalText.text($0, row.name) }
    let name = GoalText.name(row.name, [scenario])
    let own = row.value.map { text($0.approximate) } ?? NumberText.unknownWord
    let lines = spans.flatMap { span in
      folded(
        "\(text(span.low)) to \(text(span.high)): \(AssumedText.words(span.range)), \(span.range.key), "
          + span.range.evidence.rawValue, indent: 2)
    }
    let all = together.map { folded("\(text($0.low)) to \(text($0.high)): several of them together", indent: 2) } ?? []
    return terminalText([
      folded("\(name): \(own). With the same draws, but one assumption at either end of its range, it becomes:"),
      lines.isEmpty ? folded("No assumption moves it.", indent: 2) : lines + all,
    ])
  }

  /// The report as a JSON document.
  package var document: [UInt8] {
    let value: JSONValue = [
      "schema": "widgetfleet.assumptions/v1", "scenario": scenario.name, "figure": row.name.text,
      "unit": row.name.unit.rawValue, "value": row.value?.approximate, "assumptions": spans.map(json(of:)),
      "together": together.map { [$0.low, $0.high] },
    ]
    return value.bytes(lines: 2)
  }
}
