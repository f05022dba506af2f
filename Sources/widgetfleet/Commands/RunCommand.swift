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
    if settings.isDryRun { return try DryRun(settings, console).run(source) }
    let engine = try prepare(source)
    if let device = settings.device { return try Replay(engine, settings, console).run(device: device) }
    let forecast = try checkMemory(engine, others: !bracketPresets(source).isEmpty)
    let output = try OutputPath(settings.folder(for: source.scenario))
    let testCases = try settings.junitPath.map { path throws(Failure) in try OutputFile(path) }
    let staged = try StagedFolder(for: output)
    defer { staged.abandon() }
    let control = RunControl()
    let total = engine.devicesSimulated * (source.scenario.run.replications + bracketPresets(source).count)
    let watch = Watch(control, Progress(settings, Environment(), total: total)) { staged.abandon() }
    let (report, judgement) = try watch.during { () throws(Failure) -> (Report, Judgement) in
      let result = try simulate(engine, source, control)
      let judgement = try judge(result, source, control, watch)
      let report = self.report(result, judgement, source)
      // The manifest is the last file of all.
      if settings.savesConditions, let first = result.replications.first {
        try staged.write(engine.conditions(of: first).text, to: ResultsLayout.conditions)
      }
      for file in settings.files { try staged.write(file.bytes(of: report), to: file.name) }
      try staged.commit()
      try testCases?.write(junitXML(of: report, isStrict: settings.isStrict))
      return (report, judgement)
    }
    describe(forecast)
    console.note(judgement.warnings)
    console.note("results: \(output.path.printable)/\(settings.files.contains(.page) ? ReportFile.page.name : "")\n")
    try console.output(settings.format == .json ? summaryJSON(of: report) : summaryTable(of: report))
    return judgement.fails(isStrict: settings.isStrict) && !settings.exitsWithZero ? .goalFailed : .success
  }

  /// The presets under which the scenario runs besides.
  private func bracketPresets(_ source: ScenarioSource) -> [Preset] {
    settings.hasBracket ? BracketRuns.presets(of: source.scenario) : []
  }

  private func prepare(_ source: ScenarioSource) throws(Failure) -> Engine {
    do {
      return try Engine(preparing: source.scenario, zones: source.zones)
    } catch {
      throw unprepared(error)
    }
  }

  /// Refuses what the machine cannot hold, before anything is begun.
  private func checkMemory(_ engine: Engine, others: Bool) throws(Failure) -> MemoryForecast {
    let forecast = MemoryForecast(of: engine, threads: threads, others: others)
    let limit = MachineMemory.limit
    guard forecast.peak > limit else { return forecast }
    throw .tooLarge(path: settings.operands[0], forecast: forecast, limit: limit)
  }

  private func simulate(
    _ engine: Engine, _ source: ScenarioSource, _ control: RunControl
  ) throws(Failure) -> RunResult {
    let stopwatch = Stopwatch()
    let result: RunResult?
    do { result = try engine.run(threads: threads, control: control) } catch { throw failure(error, source.scenario) }
    guard let result else { throw try unfinished(source.scenario) }
    describe(result, stopwatch, threads: threads)
    return result
  }

  /// The figures with those of the bracket, and the goals' verdicts.
  private func judge(
    _ result: RunResult, _ source: ScenarioSource, _ control: RunControl, _ watch: Watch
  ) throws(Failure) -> Judgement {
    let summary = Summary(of: result)
    let scenario = source.scenario
    guard settings.hasBracket else { return Judgement(scenario, summary) }
    let runs = BracketRuns(of: scenario, zones: source.zones, threads: threads, control: control)
    let judgement: Judgement?
    do {
      judgement = try Judgement(scenario, summary, runs) { watch.expect(more: $0 * result.devicesSimulated) }
    } catch {
      switch error {
      case .preparation(let error): throw unprepared(error)
      case .simulation(let error): throw failure(error, scenario)
      }
    }
    guard let judgement else { throw try unfinished(scenario) }
    return judgement
  }

  private func report(_ result: RunResult, _ judgement: Judgement, _ source: ScenarioSource) -> Report {
    let provenance = Provenance(version: Version.current, resolvedScenario: source.resolved)
    return Report(
      result: result, summary: judgement.summary, goals: judgement.goals, provenance: provenance,
      files: settings.files)
  }

  private var threads: Int { settings.threads }

  private func unprepared(_ error: PreparationError) -> Failure {
    .unsuitableInput(path: settings.operands[0], reason: "cannot be simulated: \(error.message)")
  }

  /// Why a run that was cancelled has no result.
  private func unfinished(_ scenario: Scenario) throws(Failure) -> Failure {
    try Interruption.check()
    return .bug("the simulation ended without a result", seed: scenario.run.seed)
  }

  private func failure(_ error: SimulationError, _ scenario: Scenario) -> Failure {
    let what = text(of: error, in: scenario)
    switch error {
    case .endlessInstant: return .endless(path: settings.operands[0], what: what)
    case .contradiction: return .bug(what, seed: scenario.run.seed)
    }
  }

  private func describe(_ forecast: MemoryForecast) {
    let used = MachineMemory.peak.map { ", \($0 / 1_000_000) MB used" } ?? ""
    console.detail("widgetfleet: \(forecast.peak / 1_000_000) MB of memory expected\(used)\n")
  }

  /// What -v says of a run's speed; Scripts/bench.sh reads it.
  private func describe(_ result: RunResult, _ stopwatch: Stopwatch, threads: Int) {
    let events = result.replications.reduce(0) { $0 + $1.eventCount }
    let runs = result.replications.reduce(0) { $0 + $1.runCount }
    let devices = result.devicesSimulated * result.replications.count
    console.detail(
      "widgetfleet: \(devices) devices, \(runs) runs, \(events) events in \(stopwatch.wallMilliseconds) ms, "
        + "\(stopwatch.processorMilliseconds) ms of processor time on \(threads) threads; "
        + "\(Engine.footprint.device) bytes per device and \(Engine.footprint.instance) per instance\n")
  }
}
