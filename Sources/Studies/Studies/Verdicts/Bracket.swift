package import FleetEngine
package import Scenario

/// The figures of a scenario under the presets prompt and lazy: the influence of undocumented constants (MODEL.md 4.8).
package struct Bracket: Hashable, Sendable {
  /// Figures under the presets that change results; under the others they are the scenario's own.
  package var summaries: [Preset: Summary]

  package init(summaries: [Preset: Summary]) { self.summaries = summaries }

  /// The presets between which results lie.
  package static let ends: [Preset] = [.prompt, .lazy]
}

/// The basis for judging goals; raw values are words of manifests and stores.
package enum Judging: String, Hashable, Sendable {
  /// The scenario and the ends of its bracket, as `run` judges.
  case bracket
  /// The scenario alone.
  case nominal
}

/// The runs of a bracket, one replication each. They use the scenario's seed, so that they have the people, networks
/// and draws of its first replication.
package struct BracketRuns: Sendable {
  private let scenario: Scenario
  private let variants: VariantRuns
  /// Whether the offered load is wanted, which may need a further run for each end.
  private let offered: Bool

  /// - Parameter scenario: a small variation of the one that is prepared for the variants.
  /// - Parameter offered: whether the ends' offered load is wanted where no goal names it.
  package init(of scenario: Scenario, by variants: VariantRuns, offered: Bool = false) {
    (self.scenario, self.variants, self.offered) = (scenario, variants, offered)
  }

  /// Returns the ends of the bracket that can differ from the scenario.
  package static func presets(of scenario: Scenario) -> [Preset] {
    Bracket.ends.filter { !scenario.constants(of: $0).isEmpty }
  }

  /// Returns the ends that a verdict on goals needs besides the scenario: none where no goal depends on the system.
  package static func presets(of scenario: Scenario, judging goals: [Goal]) -> [Preset] {
    goals.contains(where: \.dependsOnSystem) ? presets(of: scenario) : []
  }

  /// Returns both ends, as far as they can differ.
  ///
  /// - Returns: `nil` when cancelled.
  package func bracket() throws(StudyError) -> Bracket? {
    var summaries: [Preset: Summary] = [:]
    for preset in BracketRuns.presets(of: scenario) {
      guard let summary = try summary(under: preset) else { return nil }
      summaries[preset] = summary
    }
    return Bracket(summaries: summaries)
  }

  /// Returns the figures of one end.
  ///
  /// - Returns: `nil` when cancelled.
  package func summary(under preset: Preset) throws(StudyError) -> Summary? {
    try summary(of: scenario.under(preset), offered: offered)
  }

  /// Returns the figures with a single constant changed to a preset's value.
  ///
  /// - Returns: `nil` when cancelled.
  package func summary(under preset: Preset, changing constant: BracketConstant) throws(StudyError) -> Summary? {
    try summary(of: scenario.under(preset, changing: [constant]), offered: false)
  }

  private func summary(of scenario: Scenario, offered: Bool) throws(StudyError) -> Summary? {
    guard let summary = try variants.result(of: scenario).map({ Summary(of: $0) }) else { return nil }
    return offered || scenario.goals.contains(where: \.asksOfferedLoad)
      ? try variants.completed(summary, of: scenario) : summary
  }
}

/// The reason why a study has no result.
package enum StudyError: Error, Hashable, Sendable {
  case preparation(PreparationError)
  case simulation(SimulationError)
}
