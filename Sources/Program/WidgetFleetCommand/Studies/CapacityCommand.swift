import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import SimulationKernel
import Studies

/// The `widgetfleet capacity` command, which determines how many phones the goals allow and how much capacity the fleet
/// needs.
struct CapacityCommand: StudyCommand {
  let settings: Settings
  let console: Console

  /// The typical number of settings tried by a rough search and by the subsequent fine search.
  private static let usual = (rough: 5, fine: 5)

  func run() throws(Failure) -> ExitCode {
    // An overload of the servers is not an error here, because this command searches for overloads.
    let source = try ScenarioSource(path: path, assignments: settings.assignments, warnsOfLoad: false)
    if !source.warnings.isEmpty { console.note(source.warnings.humanText) }
    let scenario = source.scenario
    let problem = CapacityProblem(scenario, HeadlineWindow.of(scenario, []))
    guard !problem.levers.isEmpty else {
      throw .unsuitableInput(
        path: path,
        reason: "has nothing that could be too small: no goal of severity error and no endpoint with a capacity")
    }
    let presets = presets(judging: problem.scenario, problem.goals)
    let searches = problem.levers.count * (1 + presets.count)
    console.note(SampleWords.note(scenario, searching: effort(scenario)))
    try printTime(scenario, searches: searches)
    var expected = searches * lives(scenario)
    let study = try simulate(devices: expected) { control, watch throws(Failure) -> CapacityStudy in
      // A search may need more simulations than is typical.
      let begins = { (devices: Int) in
        let more = control.devicesDone.load(ordering: .relaxed) + devices - expected
        guard more > 0 else { return }
        watch.expect(more: more)
        expected += more
      }
      let work = CapacityWork(
        command: self, presets: presets, replications: replications(scenario), control: control, begins: begins)
      return try work.study(of: scenario)
    }
    try console.output(
      settings.format == .json ? study.document : study.text(answerOnly: settings.isQuiet))
    return study.isFeasible ? .success : .infeasible
  }

  /// Prints the expected duration of all searches, with and without `--quick`, if it is long.
  private func printTime(_ scenario: Scenario, searches: Int) throws(Failure) {
    let days = (scenario.clock.end - scenario.clock.beginning).seconds / 86_400
    let ofAll = lives(scenario) * searches
    guard !settings.isQuiet, Double(ofAll) * days >= RunSize.quick else { return }
    let (simulation, engine) = try prepared(scenario, others: false)
    let lives = simulation.growing(ofAll)
    let forecast = try simulation.forecast(devices: lives, runs: 1, like: engine)
    var quick = scenario
    quick.run.simulate = .quick
    let seconds = [scenario, quick].map { scenario in
      let (rough, fine) = (CapacityProblem.roughEffort(scenario), effort(scenario))
      return Double(searches)
        * (forecast.seconds(
          devices: simulation.growing(rough.devices), runs: Self.usual.rough, threads: simulation.threads)
          + forecast.seconds(
            devices: simulation.growing(fine.devices), runs: fine.replications * Self.usual.fine,
            threads: simulation.threads))
    }
    let sentence = RunSize.sentence(deviceDays: Double(lives) * days, seconds: seconds[0], quickest: seconds[1])
    if let sentence { console.note("widgetfleet: \(sentence)\n") }
  }

  /// Returns the number of devices simulated by one search.
  private func lives(_ scenario: Scenario) -> Int {
    Self.usual.rough * CapacityProblem.roughEffort(scenario).lives + Self.usual.fine * effort(scenario).lives
  }

  /// Returns the effort per setting in a typical search.
  private func effort(_ scenario: Scenario) -> CapacityEffort {
    let isSample = scenario.devicesOfSearch(replications: 1) < scenario.fleet.devices
    return CapacityProblem.effort(scenario, replications: replications(scenario), oneIsEnough: isSample)
  }

  /// Returns the number of replications given in the file or by the option; `nil` to use the default of the search.
  private func replications(_ scenario: Scenario) -> Int? {
    let isGiven = settings.assignments.contains { $0.origin == Option.replicationsOfCapacity.spelling }
    return isGiven || scenario.run.replications > 1 ? scenario.run.replications : nil
  }
}
