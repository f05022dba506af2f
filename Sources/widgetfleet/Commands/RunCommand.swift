import FleetEngine
import FleetReports
import Glibc
import Scenario
import ScenarioFiles
import Studies

/// `widgetfleet run`: a scenario file in, a results folder and a table out.
struct RunCommand {
  private let settings: Settings
  private let console: Console

  init(_ settings: Settings, _ console: Console) {
    self.settings = settings
    self.console = console
  }

  func run() throws(Failure) -> ExitCode {
    let source = try ScenarioSource(path: settings.operands[0], assignments: settings.assignments)
    if !source.warnings.isEmpty { console.note(source.warnings.humanText) }
    let simulation = Simulation(source, path: settings.operands[0], settings, console)
    let engine = try simulation.prepared()
    if let device = settings.device { return try Replay(engine, settings, console).run(device: device) }
    let forecast = try simulation.checkMemory(engine, others: !bracketPresets(source).isEmpty)
    let output = try OutputPath(settings.out ?? "Reports/" + source.scenario.name)
    let staged = try StagedFolder(for: output)
    defer { staged.abandon() }
    let control = RunControl()
    let total = engine.devicesSimulated * (source.scenario.run.replications + bracketPresets(source).count)
    let watch = Watch(control, Progress(settings, Environment(), total: total)) { staged.abandon() }
    let (report, judgement) = try watch.during { () throws(Failure) -> (Report, Judgement) in
      let result = try simulation.result(of: engine, control)
      let judgement = try judge(result, simulation, control, watch)
      let report = self.report(result, judgement, source)
      // The manifest is the last file of all.
      if settings.savesConditions, let first = result.replications.first {
        try staged.write(engine.conditions(of: first).text, to: ResultsLayout.conditions)
      }
      for file in ReportFile.allCases { try staged.write(file.bytes(of: report), to: file.name) }
      try staged.commit()
      return (report, judgement)
    }
    describe(forecast)
    console.note(judgement.warnings)
    console.note("results: \(output.path.printable)/\(ReportFile.page.name)\n")
    try console.output(settings.format == .json ? summaryJSON(of: report) : summaryTable(of: report))
    return judgement.fails(isStrict: settings.isStrict) && !settings.exitsWithZero ? .goalFailed : .success
  }

  /// The presets under which the scenario runs besides.
  private func bracketPresets(_ source: ScenarioSource) -> [Preset] {
    settings.hasBracket ? BracketRuns.presets(of: source.scenario) : []
  }

  /// The figures with those of the bracket, and the goals' verdicts.
  private func judge(
    _ result: RunResult, _ simulation: Simulation, _ control: RunControl, _ watch: Watch
  ) throws(Failure) -> Judgement {
    let summary = Summary(of: result)
    let scenario = simulation.source.scenario
    guard settings.hasBracket else { return Judgement(scenario, summary) }
    let runs = BracketRuns(
      of: scenario, zones: simulation.source.zones, threads: simulation.threads, control: control)
    let judgement: Judgement?
    do {
      judgement = try Judgement(scenario, summary, runs) { watch.expect(more: $0 * result.devicesSimulated) }
    } catch {
      switch error {
      case .preparation(let error): throw simulation.unprepared(error)
      case .simulation(let error): throw simulation.failure(error)
      }
    }
    guard let judgement else { throw try simulation.unfinished() }
    return judgement
  }

  private func report(_ result: RunResult, _ judgement: Judgement, _ source: ScenarioSource) -> Report {
    let provenance = Provenance(version: Version.current, resolvedScenario: source.resolved)
    return Report(result: result, summary: judgement.summary, goals: judgement.goals, provenance: provenance)
  }

  private func describe(_ forecast: MemoryForecast) {
    let used = MachineMemory.peak.map { ", \($0 / 1_000_000) MB used" } ?? ""
    console.detail("widgetfleet: \(forecast.peak / 1_000_000) MB of memory expected\(used)\n")
  }
}
