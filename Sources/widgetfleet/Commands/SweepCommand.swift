import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// `widgetfleet sweep`: a scenario under many settings with the same draws.
struct SweepCommand {
  let settings: Settings
  let console: Console

  func run() throws(Failure) -> ExitCode {
    let (plan, base) = try plan()
    // What cannot be simulated is refused before hours are spent on the settings before it.
    for setting in plan.settings { _ = try prepared(setting.scenario) }
    let output = try OutputPath(settings.out ?? "Reports/\(base.name)-sweep")
    let work = try SweepWork(plan, base, output, settings, console)
    console.note(price(of: plan).note)
    let study: SweepStudy
    let effects: SweepEffects
    do { (study, effects) = try results(of: work, plan, base, output) } catch { throw work.left(after: error) }
    work.remove()
    if !effects.note.isEmpty { console.note("note: \(effects.note)\n") }
    console.note("results: \(output.path.printable)/\(SweepFile.page.name)\n")
    try console.output(
      settings.format == .json ? sweepJSON(of: study, version: Version.current) : sweepTable(of: study))
    let isInVain = !study.goals.isEmpty && !study.runs.contains { $0.passes }
    return isInVain && !settings.exitsWithZero ? .goalFailed : .success
  }

  /// Simulates what is left, and writes the folder.
  private func results(
    of work: SweepWork, _ plan: SweepReader.Outcome, _ base: Scenario, _ output: OutputPath
  ) throws(Failure) -> (SweepStudy, SweepEffects) {
    let staged = try StagedFolder(for: output)
    defer { staged.abandon() }
    let control = settings.ranks.control()
    let progress = Progress(settings, Environment(), total: work.devicesLeft)
    let watch = Watch(control, progress, kept: { SweepWork.kept }) { staged.abandon() }
    return try watch.during { () throws(Failure) -> (SweepStudy, SweepEffects) in
      try work.simulate(prepared, control)
      let (study, manifest) = study(plan, base, try work.runs())
      let effects = SweepEffects(of: study)
      for file in SweepFile.allCases {
        if let bytes = file.bytes(of: study, effects, manifest) {
          try staged.write(bytes, to: file.name)
        } else {
          try work.copy(to: staged.path(of: file.name))
        }
      }
      try staged.commit()
      return (study, effects)
    }
  }

  /// The study of a plan, and where it comes from.
  func study(_ plan: SweepReader.Outcome, _ base: Scenario, _ runs: [SweepRun]) -> (SweepStudy, SweepManifest) {
    let study = SweepStudy(
      axes: plan.axes, goals: base.goals, judging: settings.study.judging, scenario: base, runs: runs)
    let provenance = Provenance(version: Version.current, resolvedScenario: base.resolvedText)
    return (
      study,
      SweepManifest(
        provenance: provenance, method: plan.method.rawValue, scenario: base.name, seed: base.run.seed)
    )
  }

  /// What all settings take; what one takes is that of the one that takes most.
  func price(of plan: SweepReader.Outcome) -> StudyPrice {
    let settings = plan.settings.map { ($0.scenario.run.replications, presets(judging: $0.scenario)) }
    let most = settings.max { $0.0 + $0.1.count < $1.0 + $1.1.count }
    return StudyPrice(
      replications: most?.0 ?? 1, presets: most?.1 ?? [], runs: settings.reduce(0) { $0 + $1.0 + $1.1.count })
  }

  /// The presets under which a setting is simulated besides.
  func presets(judging scenario: Scenario) -> [Preset] {
    settings.study.judging == .nominal ? [] : BracketRuns.presets(of: scenario, judging: scenario.goals)
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

  func prepared(_ scenario: Scenario) throws(Failure) -> (Simulation, Engine) {
    let simulation = Simulation(scenario, path: settings.operands[0], settings, console)
    return (simulation, try simulation.prepared(others: !presets(judging: scenario).isEmpty, replications: 1))
  }
}
