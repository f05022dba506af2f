import FleetEngine
import Scenario

/// The stages of a run, as named in the progress display.
enum RunStage {
  static let log = "the request log"
  /// The runs that vary one assumption at a time.
  static let screen = "assumptions"
  /// The runs that determine the offered load if any requests fail.
  static let offered = "the offered load"
  static let withoutOutages = "without outages"
  static let trials = "the suggested changes"

  static func scenario(_ scenario: Scenario) -> String {
    scenario.run.replications == 1 ? "the scenario" : "\(scenario.run.replications) replications"
  }

  /// Returns the stages in order. Stages that might not run have no devices.
  ///
  /// - Parameters:
  ///   - isSettled: whether a wave has simulated the scenario and its presets.
  ///   - screened: the number of devices in the runs that vary the assumptions.
  static func all(
    of engine: Engine, isSettled: Bool = false, presets: [Preset], screened: Int, hasLog: Bool, leavesOutagesOut: Bool
  ) -> [Progress.Stage] {
    let runs =
      [(scenario(engine.scenario), isSettled ? 0 : engine.scenario.run.replications), (log, hasLog ? 1 : 0)]
      + presets.map { ($0.rawValue, isSettled ? 0 : 1) } + [
        (offered, 0), (screen, 0), (withoutOutages, leavesOutagesOut ? 1 : 0), (trials, 0),
      ]
    return runs.map { name, count in
      Progress.Stage(name: name, devices: name == screen ? screened : count * engine.devicesTotal)
    }
  }
}
