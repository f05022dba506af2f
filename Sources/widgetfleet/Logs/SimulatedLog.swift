import BackendModel
import Calibration
import FleetEngine
import FleetReports
import RequestStatistics
import Scenario
import SimulationKernel

/// A scenario simulated in the time of a log, its requests counted as those of the log are.
struct SimulatedLog: Sendable {
  let settings: Settings
  let console: Console
  /// Milliseconds since 1970, whole steps of the loads.
  let span: Range<Int64>
  /// Days that are simulated of a longer log.
  var mostDays: Int64 = 14
  /// Threads of a simulation; nil: as many as the settings say.
  var threads: Int?

  /// More phones change a load of the fleet by less than a hundredth.
  private static let mostDevices = 10_000
  /// Simulations of a small fleet whose mean is taken: a mean of more is hardly smoother.
  private static let mostRepetitions = 16
  private static let day: Int64 = 86_400_000
  private static let otherSeed: UInt64 = 0x5EED_106

  /// The scenario with the calendar of the log and as many phones as are needed.
  func scenario(_ base: Scenario) -> Scenario {
    var scenario = base
    scenario.clock.startUnixMilliseconds = span.lowerBound
    let length = min(span.upperBound - span.lowerBound, mostDays * Self.day)
    let step = scenario.clock.step.milliseconds
    scenario.clock.duration = .milliseconds(max(step, (length + step - 1) / step * step))
    scenario.run.replications = 1
    // A log that `run --requests` wrote with the file's seed would look too good: other people, other days.
    scenario.run.seed ^= Self.otherSeed
    if scenario.run.simulate.count == nil, scenario.devicesSimulated > Self.mostDevices {
      scenario.run.simulate = .count(Self.mostDevices)
    }
    scenario.events = base.events.compactMap { $0.moved(from: base.clock, to: scenario.clock) }
    scenario.goals = []
    return scenario
  }

  /// What a scenario sends in the log's time; nil: it cannot be simulated there.
  func load(of base: Scenario, clocks: [ZoneClock], _ control: RunControl) throws(Failure) -> SimulatedLoad? {
    let scenario = scenario(base)
    guard let (picture, scale) = try picture(of: scenario, control) else { return nil }
    return SimulatedLoad(
      counts: counts(picture, scenario, scale), evidence: LogEvidence(picture, scenario, clocks: clocks), scale: scale)
  }

  /// How often a scenario is simulated for a mean: small fleets until they make up as many phones as a large one.
  func repetitions(of base: Scenario) throws(Failure) -> Int {
    let devices = try lives(of: base).devices
    return min(max(1, (Self.mostDevices + devices - 1) / devices), Self.mostRepetitions)
  }

  /// What a scenario sends in the mean of several simulations, per step; days are as busy as they are in the middle.
  ///
  /// - Returns: with the phones for which each simulated one of them all stands; nil: it cannot be simulated there.
  func mean(of base: Scenario, _ control: RunControl) throws(Failure) -> (counts: [Double], scale: Double)? {
    let count = try repetitions(of: base)
    var base = base
    base.fleet.dayFactorSigma = nil
    var sums: [Double] = []
    var scale = 1.0
    for repetition in 0..<UInt64(count) {
      var scenario = scenario(base)
      scenario.run.seed &+= repetition << 20
      guard let (picture, own) = try picture(of: scenario, control) else { return nil }
      let counts = counts(picture, scenario, own)
      sums = sums.isEmpty ? counts : zip(sums, counts).map { $0 + $1 }
      scale = own
    }
    return (sums.map { $0 / Double(count) }, scale / Double(count))
  }

  /// The requests of a scenario that has the calendar of the log, and the phones for which each simulated one stands.
  private func picture(
    of scenario: Scenario, _ control: RunControl
  ) throws(Failure) -> (LogPicture, scale: Double)? {
    let simulation = Simulation(scenario, path: settings.operands[0], settings, console, threads: threads)
    let engine = try simulation.prepared(others: false)
    guard let conditions = try conditions(of: engine, simulation, control) else { return nil }
    let receiver = CensusReceiver(scenario)
    _ = try simulation.simulated { () throws(SimulationError) -> Bool? in
      let isDone = try engine.repeatRequests(
        of: 0, conditions, sortedBy: .arrival, threads: simulation.threads, control: control,
        to: receiver)
      return isDone ? true : nil
    }
    return (receiver.picture, Double(scenario.fleet.devices) / Double(engine.devicesSimulated))
  }

  /// What phones meet at the backend; where it answers back, the scenario is lived once to know it.
  private func conditions(
    of engine: Engine, _ simulation: Simulation, _ control: RunControl
  ) throws(Failure) -> ConditionsTrajectory? {
    if let known = engine.knownConditions { return known }
    return try simulation.result(of: engine, control).replications.first.map(engine.conditions(of:))
  }

  /// How often each phone lives in a simulation of the log, and how many phones do.
  func lives(of base: Scenario) throws(Failure) -> (times: Int, devices: Int) {
    let scenario = scenario(base)
    let engine = try Simulation(scenario, path: settings.operands[0], settings, console).prepared(others: false)
    return (engine.knownConditions == nil ? 2 : 1, engine.devicesSimulated)
  }

  /// As far as was simulated.
  private func counts(_ picture: LogPicture, _ scenario: Scenario, _ scale: Double) -> [Double] {
    let end = span.lowerBound + scenario.clock.duration.milliseconds
    let bin = CalibrationReport.binMilliseconds
    let range = span.lowerBound / bin * bin..<min(end, (span.upperBound + bin - 1) / bin * bin) / bin * bin
    let minutes = picture.census.loads.counts(in: range, of: LoadSeries.of(.widget))
    let perBin = Int(bin / picture.census.loads.millisecondsPerBin)
    return stride(from: 0, to: minutes.count, by: perBin).map { start in
      scale * Double(minutes[start..<start + perBin].reduce(0, +))
    }
  }
}

extension Event {
  /// This event in another calendar; nil: it happens outside.
  fileprivate func moved(from old: Clock, to new: Clock) -> Event? {
    guard case .once(let instant) = timing else { return self }
    let moved = instant + .milliseconds(old.startUnixMilliseconds - new.startUnixMilliseconds)
    guard moved >= .start - new.warmup, moved < .start + new.duration else { return nil }
    var event = self
    event.timing = .once(moved)
    return event
  }
}

/// Counts simulated requests as those of a log.
private final class CensusReceiver: RequestReceiver {
  private let census = Guarded(LogCensus(within: LogCensus.Budgets()))
  private let names = LogNames()
  private let start: Int64
  /// By kind and number of the request in a run: the endpoint's name.
  private let paths: [[NameIndex]]
  private let kinds: [NameIndex]

  init(_ scenario: Scenario) {
    start = scenario.clock.startUnixMilliseconds
    let names = names
    paths = scenario.kinds.map { kind in
      kind.requests.flatMap { request in
        let name = names.paths.index(of: Array(scenario.endpoints[request.endpoint].name.utf8))
        return Array(repeating: name, count: request.count)
      }
    }
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
    let device = sent.device
    request.sender = StableHash.of(device)
    request.line = StableHash.of(
      (UInt32(sent.kind), UInt32(sent.number), sent.run, UInt32(sent.attempt), UInt32(sent.slot ?? 255), device))
    request.duration = Int32(clamping: sent.duration.milliseconds)
    request.status = UInt16(clamping: sent.status)
    request.path = paths[sent.kind][sent.number]
    request.kind = kinds[sent.kind]
    request.requestClass = .widget
    return request
  }

  var picture: LogPicture { LogPicture(census.withLock { $0 }, names) }
}
