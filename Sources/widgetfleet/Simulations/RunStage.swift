import FleetEngine
import Scenario

/// The stages of a run, with their names as shown in its progress.
enum RunStage {
  static let log = "the log of requests"
  /// The runs that vary each assumption alone.
  static let screen = "what is assumed"
  /// The runs that find the offered load if requests fail.
  static let offered = "every request answered"
  static let withoutOutages = "without outages"
  static let trials = "what the findings advise"

  static func scenario(_ scenario: Scenario) -> String {
    scenario.run.replications == 1 ? "the scenario" : "\(scenario.run.replications) replications"
  }

  /// Returns the stages in order; those that may not run have no devices.
  ///
  /// - Parameter screened: the number of devices that vary what is assumed.
  static func all(
    of engine: Engine, presets: [Preset], screened: Int, hasLog: Bool, leavesOutagesOut: Bool
  ) -> [Progress.Stage] {
    let runs =
      [(scenario(engine.scenario), engine.scenario.run.replications), (log, hasLog ? 1 : 0)]
      + presets.map { ($0.rawValue, 1) } + [
        (offered, 0), (screen, 0), (withoutOutages, leavesOutagesOut ? 1 : 0), (trials, 0),
      ]
    return runs.map { name, count in
      Progress.Stage(name: name, devices: name == screen ? screened : count * engine.devicesLived)
    }
  }
}
