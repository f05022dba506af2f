import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies

/// A command's simulation of a scenario file.
struct Simulation {
  let scenario: Scenario
  let zones: [String: ZoneTable]
  /// The file path, as specified by the user.
  let path: String
  let threads: Int
  let console: Console
  private let ranks: Ranks

  /// Whether other ranks simulate the same fleet.
  var ranksAreShared: Bool { ranks.isShared }

  /// - Parameter threads: the number of threads; `nil` to use the number in the settings.
  init(_ scenario: Scenario, path: String, _ settings: Settings, _ console: Console, threads: Int? = nil) {
    ranks = settings.ranks
    self.scenario = scenario
    zones = zoneTables(for: scenario)
    self.path = path
    self.threads = threads ?? settings.threads
    self.console = console
  }

  /// Returns the maximum number of replications that fit into memory, but at most `limit`.
  func maxReplications(of engine: Engine, others: Bool, limit: Int) -> Int {
    let memory = ranks.memoryLimit
    var (fits, exceeds) = (0, limit + 1)
    while exceeds - fits > 1 {
      let middle = (fits + exceeds) / 2
      let forecast = MemoryForecast(
        of: engine, threads: threads, ranks: ranks.size, others: others, replications: middle)
      if forecast.peak <= memory { fits = middle } else { exceeds = middle }
    }
    return fits
  }

  /// - Parameters:
  ///   - withRows: whether devices.csv will be written.
  ///   - relative: the engine of a similar scenario.
  func prepared(withRows: Bool, like relative: Engine? = nil) throws(Failure) -> Engine {
    do {
      let engine = try Engine(preparing: scenario, zones: zones, like: relative)
      return withRows ? engine : engine.withoutRows
    } catch { throw unprepared(error) }
  }

  /// Returns the engine, without device rows, for a scenario that is similar to that of another engine.
  func prepared(_ scenario: Scenario, like engine: Engine) throws(Failure) -> Engine {
    do {
      return try Engine(preparing: scenario, zones: zones, like: engine).withoutRows
    } catch { throw unprepared(error) }
  }

  /// Returns an engine without device rows; rejects a scenario that does not fit into memory.
  func prepared(others: Bool, replications: Int? = nil, like relative: Engine? = nil) throws(Failure) -> Engine {
    let engine = try prepared(withRows: false, like: relative)
    _ = try checkMemory(engine, others: others, replications: replications)
    return engine
  }

  /// Returns a conservative estimate, with two digits, of the number of devices that would fit. It assumes that all
  /// memory usage is proportional to the number of devices.
  private static func fitting(_ forecast: MemoryForecast, _ limit: Int, devices: Int) -> Int {
    var (count, unit) = (Int(Double(devices) * Double(limit) / Double(forecast.peak)), 1)
    while count >= 100 { (count, unit) = (count / 10, unit * 10) }
    return count * unit
  }

  /// The maximum number of ranks suggested in messages.
  private static let maxRanks = 1_024

  /// Rejects a scenario that does not fit into memory, before any work starts.
  ///
  /// - Parameter others: whether further scenarios of the same size are simulated.
  /// - Parameter replications: the number of replications in memory at the same time; `nil` for all replications of the
  ///   scenario.
  func checkMemory(_ engine: Engine, others: Bool, replications: Int? = nil) throws(Failure) -> MemoryForecast {
    func forecast(_ ranks: Int) -> MemoryForecast {
      MemoryForecast(of: engine, threads: threads, ranks: ranks, others: others, replications: replications)
    }
    let own = forecast(ranks.size)
    let limit = ranks.memoryLimit
    guard own.peak > limit else { return own }
    let needed = (ranks.size..<Self.maxRanks).lazy.map { $0 + 1 }.first { forecast($0).peak <= limit }
    throw .tooLarge(
      path: path, forecast: own, limit: limit, fitting: Self.fitting(own, limit, devices: engine.devicesSimulated),
      ranks: needed)
  }

  func result(of engine: Engine, _ control: RunControl) throws(Failure) -> RunResult {
    try result(of: engine, control, atMost: scenario.run.replications) { _ in false }
  }

  /// Simulates one replication after another until `isEnough` returns `true` or `limit` is reached.
  func result(
    of engine: Engine, _ control: RunControl, atMost limit: Int, until isEnough: (RunResult) -> Bool
  ) throws(Failure) -> RunResult {
    try completed { () throws(SimulationError) in
      try engine.run(threads: threads, control: control, atMost: limit, until: isEnough)
    }
  }

  /// Simulates a single replication; replication numbers start at 0.
  func result(of engine: Engine, replication: Int, _ control: RunControl) throws(Failure) -> RunResult {
    try completed { () throws(SimulationError) in
      try engine.run(replication: replication, threads: threads, control: control)
    }
  }

  /// Returns a result and, if `-v` is given, prints the computing time.
  private func completed(_ run: () throws(SimulationError) -> RunResult?) throws(Failure) -> RunResult {
    let stopwatch = Stopwatch()
    let result = try simulated(run)
    describe(result, stopwatch)
    return result
  }

  /// Returns the metrics under the undocumented constants of a preset, from one replication with the scenario's seed.
  func summary(under preset: Preset, of engine: Engine, _ control: RunControl) throws(Failure) -> Summary {
    let runs = bracketRuns(of: engine, control)
    return try finished { () throws(StudyError) in try runs.summary(under: preset) }
  }

  /// Returns the metrics under each of several presets.
  func bracket(_ presets: [Preset], of engine: Engine, _ control: RunControl) throws(Failure) -> Bracket {
    var bracket = Bracket(summaries: [:])
    for preset in presets { bracket.summaries[preset] = try summary(under: preset, of: engine, control) }
    return bracket
  }

  private func bracketRuns(of engine: Engine, _ control: RunControl) -> BracketRuns {
    BracketRuns(of: scenario, by: variants(of: engine, control))
  }

  /// - Parameter expect: a function called before a run whose necessity depends on the results of another run.
  func variants(
    of engine: Engine, _ control: RunControl, expect: @escaping @Sendable () -> Void = {}
  ) -> VariantRuns {
    VariantRuns(of: engine, zones: zones, threads: threads, control: control, expect: expect)
  }

  /// Returns the metrics of a replication; replication numbers start at 0. For the first replication, the metrics
  /// include the offered load if a goal refers to it or to a peak at the servers.
  func summary(of engine: Engine, replication: Int, _ control: RunControl) throws(Failure) -> Summary {
    let result = try result(of: engine, replication: replication, control)
    let asks = scenario.goals.contains { $0.figure.metric == .serverPeakRPS }
    return replication == 0 ? try summary(of: result, engine, control, offered: asks) : Summary(of: result)
  }

  /// Returns the metrics of a result, including the offered load if a goal refers to it or the caller requests it.
  func summary(
    of result: RunResult, _ engine: Engine, _ control: RunControl, offered: Bool = false
  ) throws(Failure) -> Summary {
    let summary = Summary(of: result)
    guard offered || scenario.goals.contains(where: \.asksOfferedLoad) else { return summary }
    return try finished { () throws(StudyError) in
      try variants(of: engine, control).completed(summary, of: scenario)
    }
  }

  /// Returns the days of three example phones in a result.
  func phones(of result: RunResult, _ engine: Engine) throws(Failure) -> [TypicalPhone] {
    do { return try TypicalPhone.all(result, engine) } catch {
      throw .bug("a phone that was simulated cannot be simulated again: \(error)", seed: scenario.run.seed)
    }
  }

  private func unprepared(_ error: PreparationError) -> Failure {
    let place = error.path.isEmpty ? "" : "\(error.path.joined(separator: ".").printable): "
    return .unsuitableInput(path: path, reason: "cannot be simulated: \(place)\(error.message)")
  }

  /// Returns the value of a run. If the run was cancelled without a value, the command ends.
  func finished<Value>(_ run: () throws(StudyError) -> Value?) throws(Failure) -> Value {
    let value: Value?
    do { value = try run() } catch {
      switch error {
      case .preparation(let error): throw unprepared(error)
      case .simulation(let error): throw failure(error)
      }
    }
    if let value { return value }
    try Interruption.check()
    if ranks.isShared { throw .stopped(signal: 0) }
    throw .bug("the simulation ended without a result", seed: scenario.run.seed)
  }

  func simulated<Value>(_ run: () throws(SimulationError) -> Value?) throws(Failure) -> Value {
    try finished { () throws(StudyError) -> Value? in
      do throws(SimulationError) { return try run() } catch { throw .simulation(error) }
    }
  }

  func failure(_ error: SimulationError) -> Failure {
    let what = error.message(in: scenario)
    switch error {
    case .eventLivelock: return .endless(path: path, what: what)
    case .timeline: return .unsuitableInput(path: path, reason: "was stopped: \(what)")
    case .contradiction: return .bug(what, seed: scenario.run.seed)
    case .parted: return .parted(what)
    case .notKept(let error): return .notKept(error)
    }
  }

  /// Prints the speed of a run if `-v` is given. Scripts/bench.sh and Bench/Peers/run.py read this output.
  private func describe(_ result: RunResult, _ stopwatch: Stopwatch) {
    let events = result.replications.reduce(0) { $0 + $1.eventCount }
    let runs = result.replications.reduce(0) { $0 + $1.runCount }
    let devices = result.devicesSimulated * result.replications.count
    console.detail(
      "widgetfleet: \(devices) devices, \(runs) runs, \(events) events in \(stopwatch.wallMilliseconds) ms, "
        + "\(stopwatch.processorMilliseconds) ms of processor time, threads: up to \(threads); "
        + "\(Engine.footprint.device) bytes per device and \(Engine.footprint.instance) per instance\n")
  }
}
