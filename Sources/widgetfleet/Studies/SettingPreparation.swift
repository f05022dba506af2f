import FleetEngine
import Scenario

/// Prepares the settings of a study one after the other: most of them have most of their tables of quantiles in common.
final class SettingPreparation {
  private let command: SweepCommand
  /// The setting whose tables serve again.
  private var relative: Engine?
  private var uses = 0

  /// After so many settings the tables begin anew, so that those of distributions that are varied do not pile up.
  private static let mostUses = 100

  init(_ command: SweepCommand) { self.command = command }

  /// A setting as it is simulated: without rows of devices, and refused when the machine cannot hold it.
  func prepared(_ scenario: Scenario) throws(Failure) -> (Simulation, Engine) {
    let simulation = Simulation(scenario, path: command.settings.operands[0], command.settings, command.console)
    let hasOthers = !command.presets(judging: scenario).isEmpty
    if uses >= Self.mostUses { (relative, uses) = (nil, 0) }
    let engine = try simulation.prepared(others: hasOthers, replications: 1, like: relative)
    if relative == nil { relative = engine }
    uses += 1
    return (simulation, engine)
  }
}
