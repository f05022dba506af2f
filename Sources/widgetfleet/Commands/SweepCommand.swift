import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// `widgetfleet sweep`: a scenario under many settings with the same draws.
struct SweepCommand {
  private let settings: Settings
  private let console: Console

  init(_ settings: Settings, _ console: Console) {
    self.settings = settings
    self.console = console
  }

  func run() throws(Failure) -> ExitCode {
    let (plan, base) = try plan()
    // What cannot be simulated is refused before hours are spent on the settings before it.
    for setting in plan.settings { _ = try prepared(setting) }
    let output = try OutputPath(settings.out ?? "Reports/\(base.name)-sweep")
    let staged = try StagedFolder(for: output)
    defer { staged.abandon() }
    let control = RunControl()
    let watch = Watch(control, Progress(settings, Environment(), total: devices(plan))) { staged.abandon() }
    let study = try watch.during { () throws(Failure) -> SweepStudy in
      let runs = try plan.settings.map { setting throws(Failure) in try run(of: setting, control) }
      let study = SweepStudy(axes: plan.axes, goals: base.goals, runs: runs)
      let manifest = SweepManifest(
        provenance: Provenance(version: Version.current, resolvedScenario: base.resolvedText),
        method: plan.method.rawValue, scenario: base.name, seed: base.run.seed)
      for file in SweepFile.allCases { try staged.write(file.bytes(of: study, manifest), to: file.name) }
      try staged.commit()
      return study
    }
    console.note("results: \(output.path.printable)/\(SweepFile.page.name)\n")
    try console.output(
      settings.format == .json ? sweepJSON(of: study, version: Version.current) : sweepTable(of: study))
    let isInVain = !study.goals.isEmpty && !study.runs.contains { $0.passes }
    return isInVain && !settings.exitsWithZero ? .goalFailed : .success
  }

  func plan() throws(Failure) -> (SweepReader.Outcome, Scenario) {
    let path = settings.operands[0]
    let plan = SweepReader.read(
      text: try InputFile.read(path), fileName: path == "-" ? "<stdin>" : path,
      settings: settings.assignments.map { SetArgument($0.text) }, options: settings.study.sweep,
      sampler: SweepDesign.points)
    guard let base = plan.base else { throw .invalidScenario(problems: plan.diagnostics.humanText) }
    return (plan, base)
  }

  /// To be simulated in all.
  func devices(_ plan: SweepReader.Outcome) -> Int {
    plan.settings.reduce(0) { sum, setting in
      let run = setting.scenario.run
      return sum + (run.simulate ?? setting.scenario.fleet.devices) * run.replications
    }
  }

  func prepared(_ setting: SweepSetting) throws(Failure) -> (Simulation, Engine) {
    let scenario = setting.scenario
    let simulation = Simulation(
      scenario, zones: zoneTables(for: scenario), path: settings.operands[0], settings, console)
    let engine = try simulation.prepared()
    _ = try simulation.checkMemory(engine, others: false)
    return (simulation, engine)
  }

  func run(of setting: SweepSetting, _ control: RunControl) throws(Failure) -> SweepRun {
    let (simulation, engine) = try prepared(setting)
    let scenario = setting.scenario
    let summary = Summary(of: try simulation.result(of: engine, control))
    return SweepRun(
      values: setting.values, replications: scenario.run.replications, summary: summary,
      goals: Judgement(scenario, summary).goals)
  }
}
