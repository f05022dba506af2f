import FleetEngine
import FleetReports
import Scenario
import Studies

/// The waves of a run: samples of increasing size that are simulated until one determines the verdict (MODEL.md 1.6).
struct Waves {
  let scenario: Scenario
  let settings: Settings
  let console: Console

  /// A wave that determined the verdict.
  struct Settled {
    var simulation: Simulation
    var engine: Engine
    var result: RunResult
    /// The metrics of the wave, including the offered load if needed.
    var summary: Summary
    var bracket: Bracket
  }

  /// The number of phones in each wave before the full run; empty if the run must have its full size.
  private var sizes: [Int] {
    let isFixed = settings.study.precision != nil || settings.requests != nil || settings.savesConditions
    return isFixed ? [] : SampleWaves(scenario).sizes.dropLast()
  }

  /// Simulates the waves.
  ///
  /// - Parameter claim: the claim on the results folder, which is released if the process must exit immediately.
  /// - Returns: the wave that determined the verdict; `nil` if there is none.
  func settled(_ claim: UnfinishedFolder) throws(Failure) -> Settled? {
    guard !sizes.isEmpty else { return nil }
    let control = settings.ranks.control()
    let meeting = try RankLink(control, settings, in: nil)
    let presets = settings.hasBracket ? BracketRuns.presets(of: scenario).count : 0
    let stages = sizes.map { Progress.Stage(name: "wave of \($0) phones", devices: (1 + presets) * $0) }
    let watch = Watch(control, Progress(settings, Environment(), stages: stages), pulse: meeting.pulse) {
      claim.release()
    }
    return try watch.during { () throws(Failure) -> Settled? in
      for size in sizes {
        let (wave, judgement) = try simulated(size, control)
        let rule = SettledVerdict(wave.simulation.scenario, judgement.summary, devices: size)
        if rule.isSettled(judgement.goals) { return wave }
        watch.showProvisional(provisional(wave, judgement))
      }
      return nil
    }
  }

  private func simulated(_ size: Int, _ control: RunControl) throws(Failure) -> (Settled, GoalEvaluation) {
    var scenario = scenario
    scenario.run.settledDevices = size
    let simulation = Simulation(scenario, path: settings.operands[0], settings, console)
    let engine = try simulation.prepared(withRows: settings.files.contains(.devices))
    let result = try simulation.result(of: engine, control)
    let variants = simulation.variants(of: engine, control)
    let offered = scenario.needsOfferedLoad
    return try simulation.finished { () throws(StudyError) -> (Settled, GoalEvaluation)? in
      let own = Summary(of: result)
      guard let summary = offered ? try variants.completed(own, of: scenario) : own else { return nil }
      let runs = BracketRuns(of: scenario, by: variants, offered: offered)
      guard let bracket = settings.hasBracket ? try runs.bracket() : Bracket(summaries: [:]) else { return nil }
      let wave = Settled(simulation: simulation, engine: engine, result: result, summary: summary, bracket: bracket)
      return try GoalEvaluation(scenario, summary, bracket, nil).map { (wave, $0) }
    }
  }

  private func provisional(_ wave: Settled, _ judgement: GoalEvaluation) -> String {
    let scenario = wave.simulation.scenario
    let report = Report(
      result: wave.result, summary: judgement.summary, goals: judgement.goals,
      provenance: Provenance(version: Version.current, resolvedScenario: scenario.resolvedText),
      files: settings.files, precision: nil, trials: StoredTrials())
    return "provisional: " + String(decoding: verdictLineAlone(of: report), as: UTF8.self)
  }
}
