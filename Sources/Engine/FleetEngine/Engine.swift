package import BackendModel
package import DeviceModel
import Numerics
package import Scenario
package import SimulationKernel
package import Synchronization

/// A scenario prepared to run: tables from GSL, device ranges, zones.
package struct Engine: Sendable {
  package let scenario: Scenario
  /// Devices really simulated of each cohort at the start of the clock.
  private let startSizes: [Int]
  /// Devices of each cohort that live, those that come later too.
  package let cohortSizes: [Int]
  var plan: FleetPlan
  /// Owns what the plan points to, together with `samplers`.
  private let storage: SamplerStorage
  private let samplers: SamplerBuilder
  /// Owns what `learned` adds to the plan.
  private var learnedStorage: SamplerStorage?
  /// When events come.
  package let eventSpans: [EventSpan]
  var rowSelection: RowSelection
  /// Phones of each cohort from which a replication learns what widgets ask of their budgets (MODEL.md 1.4).
  package var phonesOfDemand = DemandPilot.phones

  /// - Parameter zones: a table for every zone that the scenario names, covering its calendar.
  /// - Parameter relative: of a scenario that differs in little, whose tables of quantiles serve again.
  /// - Throws: `PreparationError` when a distribution cannot be tabulated.
  package init(
    preparing scenario: Scenario, zones: [String: ZoneTable], like relative: Engine? = nil
  ) throws(PreparationError) {
    self.scenario = scenario
    storage = SamplerStorage()
    startSizes = CohortSizes.atStart(scenario)
    cohortSizes = CohortSizes.all(scenario)
    rowSelection = RowSelection(of: scenario, devices: cohortSizes.reduce(0, +))
    var builder = try FleetPlanBuilder(scenario, zones: zones, storage: storage, samplers: relative?.samplers)
    plan = try builder.plan(cohortSizes: startSizes)
    samplers = builder.samplers
    eventSpans = builder.eventSpans()
  }

  /// This engine with what widgets ask of their budgets, learned from phones of a replication's own: what is not known of
  /// it is part of the spread between replications (MODEL.md 1.4).
  ///
  /// A phone that time never passes on fails in the run.
  ///
  /// - Parameter isStopped: asked before each phone, with the events of the last one.
  /// - Returns: nil when it is stopped.
  func learned(for replication: Int, isStopped: (Int64) -> Bool = { _ in false }) -> Engine? {
    guard scenario.clock.settle > .zero else { return self }
    let storage = SamplerStorage()
    let pilot = DemandPilot(
      plan, shape: tallyShape, phones: phonesOfDemand, replication: replication, storage: storage)
    var engine = self
    engine.learnedStorage = storage
    do throws(DemandPilot.Obstacle) { engine.plan.cohorts = try pilot.cohorts(isStopped) } catch {
      return if case .stopped = error { nil } else { self }
    }
    return engine
  }

  /// This engine without an account of the phones' energy, with radios that are always ready: for the benchmark.
  package var withoutEnergy: Engine {
    var engine = self
    engine.plan.keepsEnergy = false
    return engine
  }

  /// Devices really simulated in each replication, of those that there are at the start of the clock.
  package var devicesSimulated: Int { startSizes.reduce(0, +) }

  /// Devices that live in each replication: those that come later too.
  package var devicesLived: Int { cohortSizes.reduce(0, +) }

  /// The part of a cohort's devices that one belongs to: those of the start of the clock, or those that come later.
  func part(of device: Int, cohort: Int) -> (place: Int, size: Int) {
    let place = device - cohortSizes[..<cohort].reduce(0, +)
    let atStart = startSizes[cohort]
    return place < atStart ? (place, atStart) : (place - atStart, cohortSizes[cohort] - atStart)
  }

  /// Bytes that a device needs while it is simulated.
  package static var footprint: DeviceSimulator.Footprint { DeviceSimulator.footprint }

  /// Simulates every replication on `threads` threads of this rank, which leads the others (`Follower`); the same result
  /// for any number of threads and ranks.
  ///
  /// - Returns: nil when `control` was cancelled before the end, at this or another rank.
  /// - Throws: `SimulationError` when the scenario never lets time pass, or when the counts of the result contradict
  ///   each other.
  package func run(threads: Int, control: RunControl) throws(SimulationError) -> RunResult? {
    try run(threads: threads, control: control, atMost: scenario.run.replications) { _ in false }
  }

  /// Simulates one replication after the other until there are `limit` or `isEnough` says so; the scenario of the result
  /// has as many as there are.
  package func run(
    threads: Int, control: RunControl, atMost limit: Int, until isEnough: (RunResult) -> Bool
  ) throws(SimulationError) -> RunResult? {
    var run = emptyResult
    for replication in 0..<limit {
      guard let result = try result(of: replication, threads: threads, control: control) else { return nil }
      run.replications.append(result)
      run.scenario.run.replications = run.replications.count
      if isEnough(run) { break }
    }
    return run
  }

  /// Simulates one replication alone; the scenario of the result has no other.
  ///
  /// - Parameter replication: counted from 0.
  /// - Returns: nil when `control` was cancelled before the end, at this or another rank.
  package func run(
    replication: Int, threads: Int, control: RunControl
  ) throws(SimulationError) -> RunResult? {
    guard let result = try result(of: replication, threads: threads, control: control) else { return nil }
    var run = emptyResult
    run.replications = [result]
    run.scenario.run.replications = 1
    return run
  }

  private var emptyResult: RunResult {
    RunResult(
      scenario: scenario, devicesSimulated: devicesSimulated, cohortSizes: cohortSizes, replications: [],
      eventSpans: eventSpans)
  }

  /// One replication: in steps where the backend answers back, device by device where it does not (MODEL.md 6.7).
  private func result(
    of replication: Int, threads: Int, control: RunControl
  ) throws(SimulationError) -> ReplicationResult? {
    try ReplicationLead(engine: self, replication: replication, threads: threads, control: control).result()
  }

  /// The sizes of what each thread counts.
  var tallyShape: Tally.Shape {
    Tally.Shape(
      endpoints: scenario.endpoints.count, cohorts: scenario.fleet.cohorts.count, kinds: scenario.kinds.count,
      step: scenario.clock.step, duration: scenario.clock.duration, events: scenario.events.count,
      deviceGroups: groupCount)
  }

  /// One device's life in a replication, event by event.
  ///
  /// - Parameter conditions: what the backend did, where it answers back; `ConditionsTrajectory` of a run with the same
  ///   scenario and seed.
  package func diary(
    ofDevice device: Int, replication: Int = 0, conditions: ConditionsTrajectory?
  ) throws(DiaryError) -> DeviceDiary {
    try diaries(ofDevices: [device], replication: replication, conditions: conditions)[0]
  }

  /// Several devices' lives in a replication, by themselves, up to an instant.
  package func diaries(
    ofDevices devices: [Int], replication: Int = 0, conditions: ConditionsTrajectory?, until: Instant = .never
  ) throws(DiaryError) -> [DeviceDiary] {
    for device in devices where !(0..<devicesLived).contains(device) {
      throw .noDevice(device, devices: devicesLived)
    }
    if plan.hasFeedback, conditions == nil { throw .needsConditions }
    if let conditions, !fits(conditions) { throw .otherConditions }
    let storage = SamplerStorage()
    let engine = learned(for: replication) ?? self
    defer { withExtendedLifetime((engine, storage)) {} }
    let table = conditions?.prepared(in: storage)
    return try devices.map { device throws(DiaryError) in
      do throws(EndlessInstant) {
        return try DeviceDiary(
          plan: engine.plan, shape: tallyShape, (device, cohort(of: device), replication), conditions: table,
          until: until)
      } catch {
        throw .endless(SimulationError(error))
      }
    }
  }

  private func fits(_ conditions: ConditionsTrajectory) -> Bool {
    conditions.endpoints == scenario.endpoints.map(\.name) && conditions.grid == scenario.clock.grid
  }

  /// The time zone of a device's diary.
  package func zoneName(of diary: DeviceDiary) -> String { FleetPlanBuilder.zoneNames(of: scenario)[diary.zone] }

  /// The local time of a device at an instant.
  package func localTime(at instant: Instant, in diary: DeviceDiary) -> LocalTime {
    plan.clocks[diary.zone].reading(at: instant)
  }

  /// The conditions of a replication's run: what the backend did, or what outages alone did.
  package func conditions(of result: ReplicationResult) -> ConditionsTrajectory {
    result.backend?.conditions ?? conditionsByOutages
  }

  /// The conditions of every run where nothing that devices do changes them; nil: the backend answers back.
  package var knownConditions: ConditionsTrajectory? { plan.hasFeedback ? nil : conditionsByOutages }

  private var conditionsByOutages: ConditionsTrajectory {
    ConditionsTrajectory.fromOutages(
      scenario.endpoints.indices.map { plan.endpoints[$0] }, names: scenario.endpoints.map(\.name),
      grid: scenario.clock.grid)
  }
}

/// Why a simulation has no result.
package enum SimulationError: Error, Hashable, Sendable {
  /// The scenario lets events of a device follow each other without time passing.
  ///
  /// `events` names what happens over and over.
  case endlessInstant(device: Int, cohort: Int, instant: Instant, events: [String])
  /// Counts of a replication contradict each other, which is a bug of ours: one sentence for each.
  case contradiction(replication: Int, [String])
  /// The ranks cannot go on together.
  case parted(CollectiveError)
  /// What is done cannot be kept, or what was kept cannot be gone on with.
  case notKept(JournalError)

  /// Events of one device at one instant that are taken for no accident.
  package static let mostEventsAtOnce = EndlessInstant.mostEvents

  init(_ failure: EndlessInstant) {
    self = .endlessInstant(
      device: failure.device, cohort: failure.cohort, instant: failure.instant, events: failure.events)
  }
}

/// Why a scenario could not be prepared.
package struct PreparationError: Error, Hashable, Sendable {
  /// One sentence for the user.
  package var message: String
  /// Keys of the part that cannot be prepared, from the top, items of lists by their number from 0; empty: unknown.
  package var path: [String]

  package init(message: String, path: [String] = []) { (self.message, self.path) = (message, path) }
}

/// The progress of a running engine, how to stop it, its collective, and its journal.
package final class RunControl: Sendable {
  /// Devices finished over all replications, by this rank; of a replication in steps a share of its devices.
  package let devicesDone = Atomic<Int>(0)
  /// Set to stop the engine at the next device.
  package let isCancelled = Atomic<Bool>(false)
  /// Events and steps after which the engine stops as if it were cancelled; nil: it goes on to the end.
  let mostEvents: Int64?
  private let events = Atomic<Int64>(0)

  /// The ranks that simulate the fleet together.
  package let collective: any Collective
  /// How many of them are on this machine.
  let ranksHere: Int
  /// A scenario as a text from which another rank makes the same scenario.
  let text: @Sendable (Scenario) -> [UInt8]
  /// Whether threads share steps in which there is next to nothing to do, too: for tests.
  let sharesAllSteps = Atomic<Bool>(false)
  private let kept: Guarded<(any Journal)?>

  package init(
    collective: any Collective = Alone(), ranksHere: Int = 1, journal: (any Journal)? = nil,
    mostEvents: Int64? = nil, text: @escaping @Sendable (Scenario) -> [UInt8] = { _ in [] }
  ) {
    self.mostEvents = mostEvents
    self.collective = collective
    self.ranksHere = ranksHere
    self.text = text
    kept = Guarded(journal)
  }

  /// Events and steps of a bounded run so far.
  var eventsCounted: Int64 { events.load(ordering: .relaxed) }

  /// Counts events of a bounded run, and stops it beyond the bound.
  ///
  /// - Returns: whether the engine goes on.
  func goesOn(after more: Int64) -> Bool {
    if let mostEvents, events.add(more, ordering: .relaxed).newValue > mostEvents {
      isCancelled.store(true, ordering: .relaxed)
    }
    return !isCancelled.load(ordering: .relaxed)
  }

  /// The journal of finished work; nil: none is kept.
  package var journal: (any Journal)? {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}

/// Why a device cannot be lived again.
package enum DiaryError: Error, Hashable, Sendable {
  /// There are only so many devices, counted from 0.
  case noDevice(Int, devices: Int)
  /// The backend answers back: what it did must be given.
  case needsConditions
  /// The conditions are those of other endpoints, of another clock or of other steps.
  case otherConditions
  case endless(SimulationError)
}

extension ConditionsTrajectory {
  /// As it is kept in conditions.csv.
  package var text: [UInt8] { ConditionsText.encode(self) }

  /// - Throws: a sentence with the line that is wrong.
  package init(text: [UInt8]) throws(ConditionsTextError) { self = try ConditionsText.decode(text) }
}
