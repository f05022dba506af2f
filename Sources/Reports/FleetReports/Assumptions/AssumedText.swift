import Scenario
import Studies

/// The assumptions that change a goal's verdict, as text.
struct AssumedText {
  let result: GoalResult

  init(_ result: GoalResult) { self.result = result }

  /// The assumption with the largest effect among those that change the verdict; `nil` if there is none or if it is
  /// about users.
  private var first: AssumedRange? { result.flips.first?.range.flatMap { $0.isOfUsers ? nil : $0 } }

  /// The assumption on which the verdict depends, such as `how late iOS starts a pushed refresh (5 s to 10 min)`; `nil`
  /// if it depends on all constants of a preset.
  var condition: String? {
    if let first { return Self.words(first) }
    let ranges = result.dependsOn.compactMap { AssumedRange.named($0) }
    guard let range = ranges.first else { return nil }
    if result.dependsOn.count == 1 { return Self.words(range) }
    return result.dependsOnSeveral ? range.name + " and \(ranges.count - 1) more assumptions together" : nil
  }

  /// The maximum number of assumptions that a chart or list shows.
  static let maxBars = 5

  /// Returns the name of an assumption, followed by the lower and upper bounds of its range.
  static func words(_ range: AssumedRange) -> String { range.name + " (" + range.span + ")" }

  /// The range of the figure over the range of the assumption, such as `that alone gives 1 700/s to 178 000/s:
  /// measure it, or plan for ...`. The text is empty if no assumption about the system changes the verdict.
  var reach: String {
    guard first != nil || result.dependsOnSeveral else { return "" }
    let effects = result.effects.filter { effect in first.map { effect.key == $0.key } ?? effect.isSudden }
    let values = ([result.value] + effects.map { $0.value }).compactMap { $0?.approximate }
    guard let low = values.min(), let high = values.max() else { return "" }
    let worst = [.atLeast, .more].contains(result.goal.comparison) ? low : high
    let (text, isAlone) = ({ GoalText.text($0, result.goal.figure) }, first != nil)
    return "\(isAlone ? "that alone gives" : "together they give") \(text(low)) to \(text(high)): measure "
      + "\(isAlone ? "it" : "them"), or plan for \(text(worst))"
  }

  /// Clauses that list the other assumptions that change the verdict. If no assumption about the system changes it, a
  /// clause states this instead.
  var others: [String] {
    let ranges = result.flips.compactMap(\.range)
    let system = Self.names(ranges.filter { !$0.isOfUsers && $0.key != first?.key })
    let users = Self.names(ranges.filter(\.isOfUsers))
    return [
      system.isEmpty ? "" : "it also depends on " + system,
      result.verdict == .pass ? unchanged : "",
      users.isEmpty ? "" : "your users can change it: measure " + users,
    ]
  }

  /// A clause such as `none of the 12 varied assumptions about iOS changes this`; empty if no assumption was varied.
  private var unchanged: String {
    let count = Set(result.effects.compactMap(\.range).filter { !$0.isOfUsers }.map(\.key)).count
    switch count {
    case 0: return ""
    case 1: return "the varied assumption about iOS does not change this"
    default: return "none of the \(count) varied assumptions about iOS changes this"
    }
  }

  /// The maximum number of assumptions that a clause lists by name.
  private static let maxNames = 1

  private static func names(_ ranges: [AssumedRange]) -> String {
    var keys: Set<String> = []
    let all = ranges.filter { keys.insert($0.key).inserted }.map(words)
    let rest = all.count > maxNames ? ["\(all.count - maxNames) more"] : []
    return (all.prefix(maxNames) + rest).joined(separator: " and ")
  }
}
