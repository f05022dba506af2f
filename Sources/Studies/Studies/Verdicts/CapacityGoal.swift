package import Scenario

/// The implicit goal that an endpoint's capacity sets unless another goal defines the accepted overload (Docs/GOALS.md,
/// the verdict of a run).
package struct CapacityGoal: Hashable, Sendable {
  /// The index into `Scenario.endpoints`.
  package var endpoint: Int
  /// A goal that limits the peak in the headline window to the capacity. If the capacity varies, the goal requires that
  /// no step exceeds it.
  package var goal: Goal

  /// Returns the implicit goals of all endpoints. An endpoint is omitted if an error goal accepts overload (at this
  /// endpoint or overall) or is identical to the implicit goal.
  ///
  /// - Parameter window: the headline window; if it is `nil`, no goals for peaks are returned.
  package static func all(of scenario: Scenario, _ window: LoadWindow?) -> [CapacityGoal] {
    let goals = scenario.goals.filter { $0.severity == .error }
    let accepted = Set(goals.filter { $0.figure.metric == .overloadSeconds }.map(\.figure.labels.endpoint))
    guard !accepted.contains("") else { return [] }
    return Overload.endpoints(of: scenario).compactMap { index in
      guard !accepted.contains(scenario.endpoints[index].name) else { return nil }
      guard let asked = goal(scenario, index, window), !goals.contains(where: asked.isRepeated) else { return nil }
      return CapacityGoal(endpoint: index, goal: asked)
    }
  }

  private static func goal(_ scenario: Scenario, _ index: Int, _ window: LoadWindow?) -> Goal? {
    let target = scenario.endpoints[index]
    let (id, labels) = ("capacity of \(target.name)", Labels().with(\.endpoint, target.name))
    let isFixed = target.autoscale == nil && !scenario.events.contains { $0.limitedEndpoint == index }
    guard isFixed, let capacity = target.capacity else {
      let (figure, step) = (FigureName(.overloadSeconds, .total, labels), scenario.clock.step.seconds)
      return Goal(
        id: id, text: "\(figure.text) < \(step)s", figure: figure, comparison: .less, limit: .value(step),
        severity: .error)
    }
    guard let window else { return nil }
    let figure = FigureName(.serverPeakRPS, .max, labels.with(\.window, window.name))
    return Goal(
      id: id, text: "\(figure.text) <= \(capacity)/s", figure: figure, comparison: .atMost, limit: .value(capacity),
      severity: .error)
  }
}

extension Goal {
  /// Returns whether another goal limits the same figure to the same number.
  fileprivate func isRepeated(by other: Goal) -> Bool {
    figure == other.figure && comparison == other.comparison && limit.number == other.limit.number
  }
}
