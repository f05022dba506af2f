import BackendModel
import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import SimulationKernel

/// A simulation of a scenario over the period of a log, whose requests are counted in the same way as those in the log.
struct SimulatedLog: Sendable {
  let settings: Settings
  let console: Console
  /// The simulated period in milliseconds since 1970; it consists of whole load steps.
  let span: Range<Int64>
  /// The maximum number of simulated days, which applies if the log is longer.
  var maxDays: Int64 = 14
  /// The resolution of the log's timestamps, in milliseconds.
  var resolution: Int64 = 1
  /// The number of threads for each simulation; `nil` to use the settings.
  var threads: Int?

  /// The maximum number of simulated phones. With more phones, the load of the fleet would change by less than 1 %.
  private static let maxDevices = 10_000
  /// The maximum number of simulations that are averaged for a small fleet. More simulations would make little
  /// difference to the mean.
  private static let maxRepetitions = 16
  private static let day: Int64 = 86_400_000
  private static let otherSeed: UInt64 = 0x5EED_106

  /// Returns the scenario with the calendar of the log and the required number of phones.
  func scenario(_ base: Scenario) -> Scenario {
    var scenario = base
    scenario.clock.startUnixMilliseconds = span.lowerBound
    let length = min(span.upperBound - span.lowerBound, maxDays * Self.day)
    let step = scenario.clock.step.milliseconds
    scenario.clock.duration = .milliseconds(max(step, (length + step - 1) / step * step))
    scenario.run.replications = 1
    // A log written by `run --requests` with the same seed would fit too well, so users and days use a different seed.
    scenario.run.seed ^= Self.otherSeed
    if scenario.run.simulate.count == nil, scenario.devicesSimulated > Self.maxDevices {
      scenario.run.simulate = .count(Self.maxDevices)
    }
    scenario.events = base.events.compactMap { $0.moved(from: base.clock, to: scenario.clock) }
    scenario.goals = []
    return scenario
  }

  private var logFields: LogFields { LogFields(resolution: resolution) }

  /// Returns the load of a scenario over the period of the log; `nil` if the scenario cannot be simulated over that
  /// period.
  func load(of base: Scenario, clocks: [ZoneClock], _ control: RunControl) throws(Failure) -> SimulatedLoad? {
    let scenario = scenario(base)
    guard let (picture, scale) = try picture(of: scenario, in: logFields, control) else { return nil }
    return SimulatedLoad(
      counts: counts(picture, scenario, scale), evidence: LogEvidence(picture, scenario, clocks: clocks), scale: scale)
  }

  /// Returns the number of simulations to average. A small fleet is simulated repeatedly until the total number of
  /// phones equals that of a large fleet.
  func repetitions(of base: Scenario) throws(Failure) -> Int {
    let devices = try lives(of: base).devices
    return min(max(1, (Self.maxDevices + devices - 1) / devices), Self.maxRepetitions)
  }

  /// Returns the mean load per step over several simulations. The random day factor shared by all phones is ignored.
  ///
  /// - Returns: the load, and the number of phones that each simulated phone represents; `nil` if the scenario cannot
  ///   be simulated over the period of the log.
  func mean(of base: Scenario, _ control: RunControl) throws(Failure) -> (counts: [Double], scale: Double)? {
    let count = try repetitions(of: base)
    var base = base
    base.fleet.dayFactorSigma = nil
    var sums: [Double] = []
    var scale = 1.0
    for repetition in 0..<UInt64(count) {
      var scenario = scenario(base)
      scenario.run.seed &+= repetition << 20
      guard let (picture, own) = try picture(of: scenario, in: logFields, control) else { return nil }
      let counts = counts(picture, scenario, own)
      sums = sums.isEmpty ? counts : zip(sums, counts).map { $0 + $1 }
      scale = own
    }
    return (sums.map { $0 / Double(count) }, scale / Double(count))
  }

  /// Returns the requests of a scenario with the calendar of the log, and the number of phones that each simulated
  /// phone represents.
  ///
  /// - Parameter guise: the level of detail at which requests are recorded.
  func picture(
    of scenario: Scenario, in logFields: LogFields, _ control: RunControl
  ) throws(Failure) -> (LogSummary, scale: Double)? {
    let simulation = Simulation(scenario, path: settings.scenarioPath, settings, console, threads: threads)
    let engine = try simulation.prepared(others: false)
    guard let conditions = try conditions(of: engine, simulation, control) else { return nil }
    let receiver = CensusReceiver(scenario, logFields)
    _ = try simulation.simulated { () throws(SimulationError) -> Bool? in
      let isDone = try engine.repeatRequests(
        of: 0, conditions, sortedBy: .arrival, threads: simulation.threads, control: control,
        to: receiver)
      return isDone ? true : nil
    }
    return (receiver.picture, Double(scenario.fleet.devices) / Double(engine.devicesSimulated))
  }

  /// Returns the backend conditions. If the backend reacts to the load, the scenario is simulated once to determine
  /// them.
  private func conditions(
    of engine: Engine, _ simulation: Simulation, _ control: RunControl
  ) throws(Failure) -> ConditionsTrajectory? {
    if let known = engine.knownConditions { return known }
    return try simulation.result(of: engine, control).replications.first.map(engine.conditions(of:))
  }

  /// Returns how many times each phone is simulated, and the number of phones.
  func lives(of base: Scenario) throws(Failure) -> (times: Int, devices: Int) {
    let scenario = scenario(base)
    let engine = try Simulation(scenario, path: settings.scenarioPath, settings, console).prepared(others: false)
    return (engine.knownConditions == nil ? 2 : 1, engine.devicesSimulated)
  }

  /// Returns the request counts for the simulated period.
  private func counts(_ picture: LogSummary, _ scenario: Scenario, _ scale: Double) -> [Double] {
    let end = span.lowerBound + scenario.clock.duration.milliseconds
    let (step, whole) = (MeasuredLoad.step, span.wholeSteps(of: MeasuredLoad.step))
    let range = whole.lowerBound..<min(end, whole.upperBound) / step * step
    return picture.census.loads.counts(in: range, per: step, of: LoadSeries.of(.widget)).map { scale * Double($0) }
  }
}

extension Event {
  /// Returns the event moved to a different calendar; `nil` if it lies outside that calendar.
  fileprivate func moved(from old: Clock, to new: Clock) -> Event? {
    guard case .once(let instant) = timing else { return self }
    let moved = instant + .milliseconds(old.startUnixMilliseconds - new.startUnixMilliseconds)
    guard moved >= .start - new.warmup, moved < .start + new.duration else { return nil }
    var event = self
    event.timing = .once(moved)
    return event
  }
}

/// A receiver that counts simulated requests in the same way as requests in a log.
private final class CensusReceiver: RequestReceiver {
  private let census = Locked(LogCensus(within: LogCensus.Budgets()))
  private let names = LogNames()
  private let start: Int64
  /// The endpoint names, indexed by kind and then by the number of the request within a run. Endpoints of tap requests
  /// come last.
  private let paths: [[NameIndex]]
  private let kinds: [NameIndex]
  /// The number of each kind's first tap request.
  private let tapsFrom: [Int]
  private let logFields: LogFields

  init(_ scenario: Scenario, _ logFields: LogFields) {
    self.logFields = logFields
    start = scenario.clock.startUnixMilliseconds
    let names = names
    paths = scenario.kinds.map { kind in
      (kind.requests + (kind.taps?.requests ?? [])).flatMap { request in
        let name = names.paths.index(of: Array(scenario.endpoints[request.endpoint].name.utf8))
        return Array(repeating: name, count: request.count)
      }
    }
    tapsFrom = scenario.kinds.map { $0.requests.reduce(0) { $0 + $1.count } }
    kinds = scenario.kinds.map { names.kinds.index(of: Array($0.name.utf8)) }
  }

  func blockSize(threads: Int) -> Int { 4_096 }

  func take(_ requests: inout [SentRequest]) -> Bool {
    let logged = requests.map(logged)
    requests.removeAll(keepingCapacity: true)
    census.withLock { census in for request in logged { census.add(request) } }
    return true
  }

  private func logged(_ sent: SentRequest) -> LoggedRequest {
    var request = LoggedRequest(at: start + sent.arrival.millisecondsSinceStart)
    let (device, number) = (sent.device, sent.number + (sent.cause == .action ? tapsFrom[sent.kind] : 0))
    request.sender = StableHash.of(device)
    request.line = StableHash.of(
      (UInt32(sent.kind), UInt32(number), sent.run, UInt32(sent.attempt), UInt32(sent.slot ?? 255), device))
    request.duration = Int32(clamping: sent.duration.milliseconds)
    request.status = UInt16(clamping: sent.status)
    request.path = paths[sent.kind][number]
    request.kind = kinds[sent.kind]
    request.requestClass = .widget
    return logFields.applied(to: request)
  }

  var picture: LogSummary { LogSummary(census.withLock { $0 }, names) }
}
