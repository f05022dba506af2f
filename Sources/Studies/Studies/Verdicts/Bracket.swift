package import FleetEngine
package import Scenario

/// The figures of a scenario under the presets `prompt` and `lazy`, which show the influence of undocumented constants
/// (MODEL.md 4.8).
package struct Bracket: Hashable, Sendable {
  /// The figures under each preset that changes results. Under other presets, the figures equal the scenario's own.
  package var summaries: [Preset: Summary]

  package init(summaries: [Preset: Summary]) { self.summaries = summaries }

  /// The presets that bound the results.
  package static let ends: [Preset] = [.prompt, .lazy]
}

/// The runs on which the evaluation of goals is based; raw values are used in manifests and stores.
package enum Judging: String, Hashable, Sendable {
  /// The scenario and both bounds of its bracket, as in `run`.
  case bracket
  /// Only the scenario itself.
  case nominal
}

/// The runs of a bracket, which consist of one replication each.
///
/// All runs use the scenario's seed, and therefore the same users, networks and draws as the scenario's first
/// replication.
package struct BracketRuns: Sendable {
  private let scenario: Scenario
  private let variants: VariantRuns
  /// Whether the offered load is needed, which may require one additional run per bound.
  private let offered: Bool

  /// - Parameter scenario: the scenario, which may be a small variation of the one for which `variants` was prepared.
  /// - Parameter offered: whether the offered load at the bounds is needed even if no goal refers to it.
  package init(of scenario: Scenario, by variants: VariantRuns, offered: Bool = false) {
    (self.scenario, self.variants, self.offered) = (scenario, variants, offered)
  }

  /// Returns the presets of the bracket whose results can differ from the scenario's own.
  package static func presets(of scenario: Scenario) -> [Preset] {
    Bracket.ends.filter { !scenario.constants(of: $0).isEmpty }
  }

  /// Returns the ends of the bracket that are needed for verdicts on goals, in addition to the scenario; empty if no
  /// goal depends on the system.
  package static func presets(of scenario: Scenario, judging goals: [Goal]) -> [Preset] {
    goals.contains(where: \.dependsOnSystem) ? presets(of: scenario) : []
  }

  /// Returns the figures at both bounds, if they can differ from the scenario's own figures.
  ///
  /// - Returns: `nil` if cancelled.
  package func bracket() throws(StudyError) -> Bracket? {
    let presets = BracketRuns.presets(of: scenario)
    let found = try variants.several(presets.count, devices: scenario.devicesSimulated) {
      index, variants throws(StudyError) in
      try summary(of: scenario.under(presets[index]), by: variants, offered: offered)
    }
    return found.map { Bracket(summaries: Dictionary(uniqueKeysWithValues: zip(presets, $0))) }
  }

  /// Returns the figures at one bound.
  ///
  /// - Returns: `nil` if cancelled.
  package func summary(under preset: Preset) throws(StudyError) -> Summary? {
    try summary(of: scenario.under(preset), by: variants, offered: offered)
  }

  private func summary(
    of scenario: Scenario, by variants: VariantRuns, offered: Bool
  ) throws(StudyError) -> Summary? {
    guard let summary = try variants.result(of: scenario).map({ Summary(of: $0) }) else { return nil }
    return offered || scenario.goals.contains(where: \.asksOfferedLoad)
      ? try variants.completed(summary, of: scenario) : summary
  }
}

/// An error that explains why a study has no result.
package enum StudyError: Error, Hashable, Sendable {
  case preparation(PreparationError)
  case simulation(SimulationError)
}
