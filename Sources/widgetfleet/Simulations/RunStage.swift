import FleetEngine
import Scenario

/// The stages of a run, with their names as shown in the progress.
enum RunStage {
  static let log = "the request log"
  /// The runs that identify the undocumented constants on which a goal depends.
  static let hinges = "goal dependencies"
  /// The runs that determine the offered load if requests fail.
  static let offered = "the offered load"
  static let withoutOutages = "without outages"
  static let trials = "the suggested changes"

  static func scenario(_ scenario: Scenario) -> String {
    scenario.run.replications == 1 ? "the scenario" : "\(scenario.run.replications) replications"
  }

  /// Returns the stages in order; stages that may not run have no devices.
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
