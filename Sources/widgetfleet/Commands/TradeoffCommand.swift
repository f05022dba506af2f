import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// `widgetfleet tradeoff`: what each setting costs the backend, the people and the batteries, in one figure.
struct TradeoffCommand {
  let settings: Settings
  let console: Console

  private var sweep: SweepCommand { SweepCommand(settings: settings, console: console) }

  func run() throws(Failure) -> ExitCode {
    let (plan, base) = try sweep.plan()
    let check = SettingPreparation(sweep)
    for setting in plan.settings { _ = try check.prepared(setting.scenario) }
    let task = SweepTask(plan, base, sweep)
    let output = try sweep.output(task, "tradeoff")
    let staged = try StagedFolder(for: output)
    defer { staged.abandon() }
    console.note(sweep.price(of: plan).note)
    let control = settings.ranks.control()
    let meeting = try RankMeeting(control, settings, beside: output)
    defer { meeting.end() }
    let progress = Progress(settings, Environment(), total: devices(plan))
    let watch = Watch(control, progress, pulse: meeting.pulse, abandon: { staged.abandon() })
    let tradeoff = try watch.during { () throws(Failure) -> Tradeoff in
      let preparation = SettingPreparation(sweep)
      let runs = try plan.settings.map { setting throws(Failure) in try run(of: setting, preparation, control) }
      let (study, manifest) = sweep.study(task, runs)
      let tradeoff = try self.tradeoff(study, base)
      for file in TradeoffFile.allCases { try staged.write(file.bytes(of: tradeoff, manifest), to: file.name) }
      try staged.commit()
      return tradeoff
    }
    console.note("results: \(output.path.printable)/\(TradeoffFile.page.name)\n")
    try console.output(
      settings.format == .json
        ? tradeoffJSON(of: tradeoff, version: Version.current)
        : tradeoffTable(of: tradeoff, answerAlone: settings.isQuiet))
    return tradeoff.rule == .noneMeetsGoals && !settings.exitsWithZero ? .goalFailed : .success
  }

  /// To be simulated in all.
  private func devices(_ plan: SweepReader.Outcome) -> Int {
    plan.settings.reduce(0) { sum, setting in
      let count = setting.scenario.run.replications + sweep.presets(judging: setting.scenario).count
      return sum + setting.scenario.devicesLived * count
    }
  }

  /// One replication after the other, so that no more than one is held.
  private func run(
    of setting: SweepSetting, _ preparation: SettingPreparation, _ control: RunControl
  ) throws(Failure) -> SweepRun {
    let scenario = setting.scenario
    let (simulation, engine) = try preparation.prepared(scenario)
    let parts = try (0..<scenario.run.replications).map { replication throws(Failure) in
      try simulation.summary(of: engine, replication: replication, control)
    }
    var bracket = try simulation.bracket(sweep.presets(judging: scenario), of: engine, control)
    bracket.summaries = bracket.summaries.mapValues { $0.essential(scenario.goals) }
    return SweepRun(
      values: setting.values, replications: parts.count,
      summary: Summary(merging: parts, of: scenario).essential(scenario.goals), goals: scenario.goals, bracket: bracket)
  }

  private func tradeoff(_ study: SweepStudy, _ base: Scenario) throws(Failure) -> Tradeoff {
    guard let tradeoff = Tradeoff(study, base: base) else {
      throw .unsuitableInput(
        path: settings.operands[0],
        reason: "has nothing to trade off: under no setting does a request reach an endpoint and a refresh come late")
    }
    return tradeoff
  }
}
