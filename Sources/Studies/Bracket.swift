package import FleetEngine
package import Scenario

/// What the presets prompt and lazy make of a scenario: how far undocumented constants reach (MODEL.md 4.8).
package struct Bracket: Hashable, Sendable {
  /// Figures under the presets that make a difference; under the others they are the scenario's own.
  package var summaries: [Preset: Summary]

  package init(summaries: [Preset: Summary]) { self.summaries = summaries }

  /// The presets between which results lie.
  package static let ends: [Preset] = [.prompt, .lazy]
}

/// The runs of a bracket: one replication each, with the seed of the scenario, so that they meet the people, networks
/// and draws of its first replication.
package struct BracketRuns: Sendable {
  private let scenario: Scenario
  /// The scenario itself prepared: most tables of the others are the same.
  private let engine: Engine
  private let zones: [String: ZoneTable]
  private let threads: Int
  private let control: RunControl

  package init(of engine: Engine, zones: [String: ZoneTable], threads: Int, control: RunControl) {
    scenario = engine.scenario
    self.engine = engine
    self.zones = zones
    self.threads = threads
    self.control = control
  }

  /// The ends of the bracket that can differ from the scenario.
  package static func presets(of scenario: Scenario) -> [Preset] {
    Bracket.ends.filter { !scenario.constants(of: $0).isEmpty }
  }

  /// Both ends, as far as they can differ.
  ///
  /// - Returns: nil when cancelled.
  package func bracket() throws(StudyError) -> Bracket? {
    var summaries: [Preset: Summary] = [:]
    for preset in BracketRuns.presets(of: scenario) {
      guard let summary = try summary(of: scenario.under(preset)) else { return nil }
      summaries[preset] = summary
    }
    return Bracket(summaries: summaries)
  }

  /// Figures with one constant alone as a preset has it.
  ///
  /// - Returns: nil when cancelled.
  package func summary(under preset: Preset, changing constant: UndocumentedConstant) throws(StudyError) -> Summary? {
    try summary(of: scenario.under(preset, changing: [constant]))
  }

  private func summary(of scenario: Scenario) throws(StudyError) -> Summary? {
    var scenario = scenario
    scenario.run.replications = 1
    let other: Engine
    do { other = try Engine(preparing: scenario, zones: zones, like: engine) } catch { throw .preparation(error) }
    do { return try other.run(threads: threads, control: control).map { Summary(of: $0) } } catch {
      throw .simulation(error)
    }
  }
}

/// Why a study has no result.
package enum StudyError: Error, Hashable, Sendable {
  case preparation(PreparationError)
  case simulation(SimulationError)
}
