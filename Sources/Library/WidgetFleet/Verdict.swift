import Scenario
import Studies

/// The conclusion from a simulation, as `widgetfleet run` prints it.
///
/// ```swift
/// #expect(day.verdict.word == .holds, "\(day.verdict)")
/// ```
public struct Verdict: Hashable, Sendable, CustomStringConvertible {
  /// The conclusion in one word.
  public enum Word: String, Sendable {
    /// All goals are met under all simulated assumptions.
    case holds = "HOLDS"
    /// A goal is missed.
    case doesNotHold = "DOES NOT HOLD"
    /// The answer depends on an assumption about the system.
    case depends = "DEPENDS"
    /// The sample is too small.
    case cannotTell = "CANNOT TELL"
    /// The scenario has neither goals nor capacities.
    case noLimitSet = "NO LIMIT SET"
  }

  /// The conclusion in one word.
  public let word: Word
  /// The scenario's goals in order, followed by those that its capacities imply.
  public let goals: [GoalOutcome]

  init(_ verdict: RunVerdict) {
    word = Word(verdict.word)
    goals = verdict.checks.map { GoalOutcome($0) }
  }

  /// The word, and the goals that are not met.
  public var description: String {
    ([word.rawValue] + goals.filter { !$0.isMet }.map(\.description)).joined(separator: "; ")
  }
}

extension Verdict.Word {
  fileprivate init(_ word: RunVerdict.Word) {
    self =
      switch word {
      case .holds: .holds
      case .fails: .doesNotHold
      case .depends: .depends
      case .unknown: .cannotTell
      case .unlimited: .noLimitSet
      }
  }
}

/// The outcome of a goal.
///
/// ```swift
/// let missed = day.verdict.goals.filter { !$0.isMet }.map(\.id)
/// ```
public struct GoalOutcome: Hashable, Sendable, CustomStringConvertible {
  /// The goal's id.
  public let id: String
  /// The goal as written in the scenario.
  public let text: String
  /// Whether the goal is met under all simulated assumptions.
  public let isMet: Bool
  /// The value of the goal's figure; `nil` if it is unknown.
  public let value: Double?
  /// The limit in the unit of the figure; `nil` if it is unknown.
  public let limit: Double?
  /// The reason if it is uncertain whether the goal is met; empty otherwise.
  public let reason: String

  init(_ check: RunCheck) {
    let result = check.result
    (id, text) = (result.goal.id, result.goal.text)
    isMet = check.outcome == .holds
    (value, limit) = (result.value?.approximate, result.limit)
    reason = result.explanation
  }

  /// The id, the goal, its value and the reason.
  public var description: String {
    "\(id): \(text), is \(value.map { "\($0)" } ?? "unknown")" + (reason.isEmpty ? "" : " (\(reason))")
  }
}
