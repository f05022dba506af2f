import FleetEngine
import Scenario

/// The stages of a run, with their names as shown in its progress.
enum RunStage {
  static let log = "the log of requests"
  /// The runs that find the undocumented constants on which a goal depends.
  static let hinges = "what the goals depend on"
  /// The runs that find the offered load if requests fail.
  static let offered = "every request answered"
  static let withoutOutages = "without outages"
  static let trials = "what the findings advise"

  static func scenario(_ scenario: Scenario) -> String {
    scenario.run.replications == 1 ? "the scenario" : "\(scenario.run.replications) replications"
  }

  /// Returns the stages in order; those that may not run have no devices.
  static func all(
    of engine: Engine, presets: [Preset], hasLog: Bool, leavesOutagesOut: Bool
  ) -> [Progress.Stage] {
    let runs =
      [(scenario(engine.scenario), engine.scenario.run.replications), (log, hasLog ? 1 : 0)]
      + presets.map { ($0.rawValue, 1) } + [
        (offered, 0), (hinges, 0), (withoutOutages, leavesOutagesOut ? 1 : 0), (trials, 0),
      ]
    return runs.map { Progress.Stage(name: $0.0, devices: $0.1 * engine.devicesLived) }
  }
}
