import FleetEngine
import FleetReports
import Scenario
import Studies

/// A scenario file that a command simulates.
struct Simulation {
  let scenario: Scenario
  let zones: [String: ZoneTable]
  /// As the user named the file.
  let path: String
  let threads: Int
  let console: Console

  init(
    _ scenario: Scenario, zones: [String: ZoneTable], path: String, _ settings: Settings, _ console: Console
  ) {
    self.scenario = scenario
    self.zones = zones
    self.path = path
    threads = settings.threads
    self.console = console
  }

  /// The most replications, up to a limit, that the machine can hold.
  func mostReplications(of engine: Engine, others: Bool, limit: Int) -> Int {
    let memory = MachineMemory.limit
    var (fits, exceeds) = (0, limit + 1)
    while exceeds - fits > 1 {
      let middle = (fits + exceeds) / 2
      let forecast = MemoryForecast(of: engine, threads: threads, others: others, replications: middle)
      if forecast.peak <= memory { fits = middle } else { exceeds = middle }
    }
    return fits
  }

  init(_ source: ScenarioSource, path: String, _ settings: Settings, _ console: Console) {
    self.init(source.scenario, zones: source.zones, path: path, settings, console)
  }

  func prepared() throws(Failure) -> Engine {
    do { return try Engine(preparing: scenario, zones: zones) } catch { throw unprepared(error) }
  }

  /// Refuses what the machine cannot hold, before anything is begun.
  ///
  /// - Parameter others: whether further scenarios of the same size are simulated beside it.
  /// - Parameter replications: held at once; nil: all that the scenario has.
  func checkMemory(_ engine: Engine, others: Bool, replications: Int? = nil) throws(Failure) -> MemoryForecast {
    let forecast = MemoryForecast(of: engine, threads: threads, others: others, replications: replications)
    let limit = MachineMemory.limit
    guard forecast.peak > limit else { return forecast }
    throw .tooLarge(path: path, forecast: forecast, limit: limit)
  }

  func result(of engine: Engine, _ control: RunControl) throws(Failure) -> RunResult {
    try result(of: engine, control, atMost: scenario.run.replications) { _ in false }
  }

  /// One replication after the other until there are `limit` or `isEnough` says so.
  func result(
    of engine: Engine, _ control: RunControl, atMost limit: Int, until isEnough: (RunResult) -> Bool
  ) throws(Failure) -> RunResult {
    let stopwatch = Stopwatch()
    let result: RunResult?
    do {
      result = try engine.run(threads: threads, control: control, atMost: limit, until: isEnough)
    } catch {
      throw failure(error)
    }
    guard let result else { throw try unfinished() }
    describe(result, stopwatch)
    return result
  }

  /// One replication alone, counted from 0.
  func result(of engine: Engine, replication: Int, _ control: RunControl) throws(Failure) -> RunResult {
    let stopwatch = Stopwatch()
    let result: RunResult?
    do { result = try engine.run(replication: replication, threads: threads, control: control) } catch {
      throw failure(error)
    }
    guard let result else { throw try unfinished() }
    describe(result, stopwatch)
    return result
  }

  /// Figures with the undocumented constants as a preset has them: one replication, with the scenario's seed.
  func summary(under preset: Preset, of engine: Engine, _ control: RunControl) throws(Failure) -> Summary {
    let summary: Summary?
    do { summary = try bracketRuns(of: engine, control).summary(under: preset) } catch { throw failure(error) }
    guard let summary else { throw try unfinished() }
    return summary
  }

  /// Figures under some presets.
  func bracket(_ presets: [Preset], of engine: Engine, _ control: RunControl) throws(Failure) -> Bracket {
    var bracket = Bracket(summaries: [:])
    for preset in presets { bracket.summaries[preset] = try summary(under: preset, of: engine, control) }
    return bracket
  }

  func bracketRuns(of engine: Engine, _ control: RunControl) -> BracketRuns {
    BracketRuns(of: engine, zones: zones, threads: threads, control: control)
  }

  func unprepared(_ error: PreparationError) -> Failure {
    .unsuitableInput(path: path, reason: "cannot be simulated: \(error.message)")
  }

  /// Why a run that was cancelled has no result.
  func unfinished() throws(Failure) -> Failure {
    try Interruption.check()
    return .bug("the simulation ended without a result", seed: scenario.run.seed)
  }

  func failure(_ error: StudyError) -> Failure {
    switch error {
    case .preparation(let error): unprepared(error)
    case .simulation(let error): failure(error)
    }
  }

  func failure(_ error: SimulationError) -> Failure {
    let what = text(of: error, in: scenario)
    switch error {
    case .endlessInstant: return .endless(path: path, what: what)
    case .contradiction, .parted: return .bug(what, seed: scenario.run.seed)
    }
  }

  /// What -v says of a run's speed; Scripts/bench.sh and Bench/Peers/run.py read it.
  private func describe(_ result: RunResult, _ stopwatch: Stopwatch) {
    let events = result.replications.reduce(0) { $0 + $1.eventCount }
    let runs = result.replications.reduce(0) { $0 + $1.runCount }
    let devices = result.devicesSimulated * result.replications.count
    console.detail(
      "widgetfleet: \(devices) devices, \(runs) runs, \(events) events in \(stopwatch.wallMilliseconds) ms, "
        + "\(stopwatch.processorMilliseconds) ms of processor time, threads: \(threads) at most; "
        + "\(Engine.footprint.device) bytes per device and \(Engine.footprint.instance) per instance\n")
  }
}
