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
    let engine = try prepare(source)
    let forecast = try checkMemory(engine)
    let output = try OutputPath(settings.out ?? "Reports/" + source.scenario.name)
    let staged = try StagedFolder(for: output)
    defer { staged.abandon() }
    let control = RunControl()
    let total = engine.devicesSimulated * source.scenario.run.replications
    let watch = Watch(control, Progress(settings, Environment(), total: total)) { staged.abandon() }
    let report = try watch.during { () throws(Failure) in
      let report = try simulate(engine, source, control)
      for file in ReportFile.allCases { try staged.write(file.bytes(of: report), to: file.name) }
      try staged.commit()
      return report
    }
    describe(forecast)
    console.note("results: \(output.path.printable)/\(ReportFile.page.name)\n")
    try console.output(settings.format == .json ? summaryJSON(of: report) : summaryTable(of: report))
    return .success
  }

  private func prepare(_ source: ScenarioSource) throws(Failure) -> Engine {
    do {
      return try Engine(preparing: source.scenario, zones: source.zones)
    } catch {
      throw .unsuitableInput(path: settings.operands[0], reason: "cannot be simulated: \(error.message)")
    }
  }

  /// Refuses what the machine cannot hold, before anything is begun.
  private func checkMemory(_ engine: Engine) throws(Failure) -> MemoryForecast {
    let forecast = MemoryForecast(of: engine, threads: settings.jobs ?? Processors.count)
    let limit = MachineMemory.limit
    guard forecast.peak > limit else { return forecast }
    throw .tooLarge(path: settings.operands[0], forecast: forecast, limit: limit)
  }

  private func simulate(
    _ engine: Engine, _ source: ScenarioSource, _ control: RunControl
  ) throws(Failure) -> Report {
    let threads = settings.jobs ?? Processors.count
    let stopwatch = Stopwatch()
    guard let result = try result(of: engine, threads, control) else {
      try Interruption.check()
      throw .bug("the simulation ended without a result", seed: source.scenario.run.seed)
    }
    describe(result, stopwatch, threads: threads)
    let provenance = Provenance(version: Version.current, resolvedScenario: source.resolved)
    return Report(result: result, summary: Summary(of: result), provenance: provenance)
  }

  private func result(of engine: Engine, _ threads: Int, _ control: RunControl) throws(Failure) -> RunResult? {
    do {
      return try engine.run(threads: threads, control: control)
    } catch {
      let what = text(of: error, in: engine.scenario)
      switch error {
      case .endlessInstant: throw .endless(path: settings.operands[0], what: what)
      case .contradiction: throw .bug(what, seed: engine.scenario.run.seed)
      }
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
