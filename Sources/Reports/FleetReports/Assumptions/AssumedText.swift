import Scenario
import Studies

/// The assumptions that turn a goal's verdict, in words.
struct AssumedText {
  let result: GoalResult

  init(_ result: GoalResult) { self.result = result }

  /// The system's assumption with the largest effect that turns the verdict.
  private var first: AssumedRange? { result.flips.first?.range.flatMap { $0.isOfUsers ? nil : $0 } }

  /// Returns `how late iOS starts a pushed refresh (5 s to 10 min)`; `nil` if no assumption of the system turns the
  /// verdict.
  var hinge: String? { first.map(Self.words) }

  /// The max number of assumptions that are drawn or listed.
  static let maxBars = 5

  /// Returns an assumption with its ends.
  static func words(_ range: AssumedRange) -> String { range.name + " (" + range.span + ")" }

  /// Returns `that alone gives 1 700/s to 178 000/s: measure it, or plan for 178 000/s`; empty if no assumption of the
  /// system turns the verdict.
  var reach: String {
    guard let first else { return "" }
    let values = values(first)
    guard let low = values.min(), let high = values.max() else { return "" }
    let worst = [.atLeast, .more].contains(result.goal.comparison) ? low : high
    let text = { GoalText.text($0, result.goal.figure) }
    return "that alone gives \(text(low)) to \(text(high)): measure it, or plan for \(text(worst))"
  }

  /// Clauses on the other assumptions that turn the verdict, or that none of the system does.
  var others: [String] {
    let ranges = result.flips.compactMap(\.range)
    let system = Self.names(ranges.filter { !$0.isOfUsers && $0.key != first?.key })
    let users = Self.names(ranges.filter(\.isOfUsers))
    return [
      system.isEmpty ? "" : "it also depends on " + system,
      result.verdict == .pass && result.hasScreen ? "no assumption about iOS alone changes this" : "",
      users.isEmpty ? "" : "measure " + users + ", which would change it",
    ]
  }

  /// The max number of assumptions that are named.
  private static let maxNames = 2

  private static func names(_ ranges: [AssumedRange]) -> String {
    var keys: Set<String> = []
    let all = ranges.filter { keys.insert($0.key).inserted }.map(words)
    let rest = all.count > maxNames ? ["\(all.count - maxNames) more"] : []
    return (all.prefix(maxNames) + rest).joined(separator: " and ")
  }

  /// The scenario's own value, and those at the ends of a range.
  private func values(_ range: AssumedRange) -> [Double] {
    ([result.value] + result.effects.filter { $0.key == range.key }.map { $0.value }).compactMap { $0?.approximate }
  }
}
