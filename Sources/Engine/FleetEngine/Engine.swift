package import BackendModel
package import DeviceModel
import Numerics
package import Scenario
package import SimulationKernel
package import Synchronization

/// A scenario prepared for simulation, with tables created with GSL, ranges of device numbers, and time zones.
package struct Engine: Sendable {
  package let scenario: Scenario
  /// The number of devices in each cohort that are simulated at the start of the clock.
  private let startSizes: [Int]
  /// The number of devices in each cohort over the whole run, including devices added later.
  package let cohortSizes: [Int]
  var plan: FleetPlan
  /// The memory that holds the plan, except for the tables in `samplers`.
  private let storage: SamplerStorage
  private let samplers: SamplerBuilder
  /// The memory that holds what `learned` adds to the plan.
  private var learnedStorage: SamplerStorage?
  /// The time spans of the events.
  package let eventSpans: [EventSpan]
  /// The prepared named windows.
  private let windows: WindowPreparation
  var rowSelection: RowSelection
  /// The number of phones per cohort from which a replication estimates the demand on budgets (MODEL.md 1.4).
  package var phonesOfDemand = DemandPilot.phones
  /// The failure of a pilot phone's provider, with which a run fails; `nil` if there is none.
  private(set) var pilotFailure: DeviceFailure?
  /// Whether a run stores its finished work in a journal.
  private var isKept = true

  /// Prepares a scenario for simulation.
  ///
  /// - Parameter zones: a table for each time zone in the scenario, covering the simulated calendar.
  /// - Parameter relative: the engine of a similar scenario, whose quantile tables are reused.
  /// - Throws: `PreparationError` if a distribution cannot be tabulated.
  package init(
    preparing scenario: Scenario, zones: [String: ZoneTable], like relative: Engine? = nil
  ) throws(PreparationError) {
    if let (kind, reason) = scenario.providers.obstacle(among: scenario.kinds) {
      throw PreparationError(message: reason, path: ["kinds", kind.name, "reload", "provider"])
    }
    self.scenario = scenario
    storage = SamplerStorage()
    startSizes = CohortSizes.atStart(scenario)
    cohortSizes = CohortSizes.all(scenario)
    rowSelection = RowSelection(of: scenario, devices: cohortSizes.reduce(0, +))
    var builder = try FleetPlanBuilder(scenario, zones: zones, storage: storage, samplers: relative?.samplers)
    plan = try builder.plan(cohortSizes: startSizes)
    samplers = builder.samplers
    eventSpans = EventSpans(builder: builder).all()
    windows = builder.windows
    phonesOfDemand = scenario.run.phonesOfDemand ?? DemandPilot.phones
  }

  /// Returns a copy of this engine with the widgets' demand on their budgets, estimated from pilot phones of the
  /// replication.
  ///
  /// The differences between replications therefore include the uncertainty of the demand (MODEL.md 1.4). If time does
  /// not advance on a pilot phone, or its provider fails, the run reports this failure.
  ///
  /// - Parameter isStopped: a function called before each phone with the number of events on the previous phone; if it
  ///   returns true, the estimate stops.
  /// - Returns: the engine; `nil` if the estimate was stopped.
  func learned(for replication: Int, isStopped: (Int64) -> Bool = { _ in false }) -> Engine? {
    guard scenario.clock.settle > .zero else { return self }
    let storage = SamplerStorage()
    let pilot = DemandPilot(
      plan, shape: tallyShape, phones: phonesOfDemand, replication: replication, storage: storage)
    var engine = self
    engine.learnedStorage = storage
    do throws(DemandPilot.Obstacle) { engine.plan.cohorts = try pilot.cohorts(isStopped) } catch {
      guard case .failed(let failure) = error else { return nil }
      if case .timeline = failure.reason { engine.pilotFailure = failure }
      engine.plan.cohorts = plan.cohorts
    }
    return engine
  }

  /// A copy of this engine whose runs are not stored in a journal, because they are short or run concurrently.
  package var unkept: Engine {
    var engine = self
    engine.isKept = false
    return engine
  }

  func journal(of control: RunControl) -> (any Journal)? { isKept ? control.journal : nil }

  /// A copy of this engine for benchmarks, which does not account for energy and whose radios are always ready.
  package var withoutEnergy: Engine {
    var engine = self
    engine.plan.keepsEnergy = false
    return engine
  }

  /// The number of devices per replication that are simulated at the start of the clock.
  package var devicesSimulated: Int { startSizes.reduce(0, +) }

  /// The number of devices per replication, including devices added later.
  package var devicesTotal: Int { cohortSizes.reduce(0, +) }

  /// Returns the position of a device in one part of its cohort, and the size of this part. One part contains the
  /// devices at the start of the clock, the other those added later.
  func part(of device: Int, cohort: Int) -> (place: Int, size: Int) {
    let place = device - cohortSizes[..<cohort].reduce(0, +)
    let atStart = startSizes[cohort]
    return place < atStart ? (place, atStart) : (place - atStart, cohortSizes[cohort] - atStart)
  }

  /// The amount of memory needed for a device while it is simulated.
  package static var footprint: DeviceSimulator.Footprint { DeviceSimulator.footprint }

  /// Simulates all replications on `threads` threads of this rank, which directs the other ranks (`Follower`).
  ///
  /// The result is the same for any number of threads and ranks.
  ///
  /// - Returns: the result; `nil` if `control` was cancelled before the end, on this or another rank.
  /// - Throws: `SimulationError` if time does not advance in the scenario, or if the counts in the result contradict
  ///   each other.
  package func run(threads: Int, control: RunControl) throws(SimulationError) -> RunResult? {
    try run(threads: threads, control: control, atMost: scenario.run.replications) { _ in false }
  }

  /// Simulates replications until `isEnough` returns true or until there are `limit` replications, and stores their
  /// number in the result's scenario.
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

  /// Simulates one replication, which is the only replication in the scenario of the result.
  ///
  /// - Parameter replication: the number of the replication, counted from 0.
  /// - Returns: the result; `nil` if `control` was cancelled before the end, on this or another rank.
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
      eventSpans: eventSpans, windowSpans: windows.spans)
  }

  /// Simulates one replication, either in steps if there is feedback, or device by device if there is none (MODEL.md
  /// 6.7).
  private func result(
    of replication: Int, threads: Int, control: RunControl
  ) throws(SimulationError) -> ReplicationResult? {
    try ReplicationLead(engine: self, replication: replication, threads: threads, control: control).result()
  }

  /// The dimensions of each thread's counters.
  var tallyShape: Tally.Shape {
    var shape = Tally.Shape(
      endpoints: scenario.endpoints.count, cohorts: scenario.fleet.cohorts.count, kinds: scenario.kinds.count,
      step: scenario.clock.step, duration: scenario.clock.duration, events: scenario.events.count,
      deviceGroups: groupCount)
    (shape.windows, shape.windowsOfCells) = (scenario.windows.count, windows.windowsOfCells)
    return shape
  }

  /// Returns the diary of one device in a replication, which lists its events.
  ///
  /// - Parameter conditions: the `ConditionsTrajectory` of the backend from a run with the same scenario and seed; it
  ///   is required if there is feedback.
  package func diary(
    ofDevice device: Int, replication: Int = 0, conditions: ConditionsTrajectory?
  ) throws(DiaryError) -> DeviceDiary {
    try diaries(ofDevices: [device], replication: replication, conditions: conditions)[0]
  }

  /// Returns the diaries of several devices in a replication, up to an instant.
  package func diaries(
    ofDevices devices: [Int], replication: Int = 0, conditions: ConditionsTrajectory?, until: Instant = .never
  ) throws(DiaryError) -> [DeviceDiary] {
    for device in devices where !(0..<devicesTotal).contains(device) {
      throw .noDevice(device, devices: devicesTotal)
    }
    if plan.hasFeedback, conditions == nil { throw .needsConditions }
    if let conditions, !fits(conditions) { throw .otherConditions }
    let storage = SamplerStorage()
    let engine = learned(for: replication) ?? self
    if let failure = engine.pilotFailure { throw .endless(SimulationError(failure)) }
    defer { withExtendedLifetime((engine, storage)) {} }
    let table = conditions?.prepared(in: storage)
    return try devices.map { device throws(DiaryError) in
      do throws(DeviceFailure) {
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

  /// Returns the name of the time zone of a diary's device.
  package func zoneName(of diary: DeviceDiary) -> String { FleetPlanBuilder.zoneNames(of: scenario)[diary.zone] }

  /// Returns the local time on a diary's device at an instant.
  package func localTime(at instant: Instant, in diary: DeviceDiary) -> LocalTime {
    plan.clocks[diary.zone].reading(at: instant)
  }

  /// Returns the conditions in the run of a replication; they are determined by the backend or, without feedback, only
  /// by outages.
  package func conditions(of result: ReplicationResult) -> ConditionsTrajectory {
    result.backend?.conditions ?? conditionsByOutages
  }

  /// The conditions in every run if devices do not affect them; `nil` if there is feedback.
  package var knownConditions: ConditionsTrajectory? { plan.hasFeedback ? nil : conditionsByOutages }

  private var conditionsByOutages: ConditionsTrajectory {
    ConditionsTrajectory.fromOutages(
      scenario.endpoints.indices.map { plan.endpoints[$0] }, names: scenario.endpoints.map(\.name),
      grid: scenario.clock.grid)
  }
}

/// The reason why a simulation did not produce a result.
package enum SimulationError: Error, Hashable, Sendable {
  /// The events of a device follow one another without any time passing.
  ///
  /// The names of the repeated events are in `events`.
  case eventLivelock(device: Int, cohort: Int, instant: Instant, events: [String])
  /// The provider of a kind has returned an unusable timeline.
  case timeline(device: Int, cohort: Int, instant: Instant, KindFault)
  /// The counts of a replication contradict each other because of a bug in this program; there is a sentence for each
  /// contradiction.
  case contradiction(replication: Int, [String])
  /// The ranks cannot continue together because of an error in the collective calls.
  case parted(CollectiveError)
  /// The state of the simulation cannot be stored, or a stored state cannot be resumed.
  case notKept(JournalError)

  /// The number of events that a device can have at the same instant before the simulation fails.
  package static let maxEventsAtOnce = DeviceFailure.maxEvents

  init(_ failure: DeviceFailure) {
    let (device, cohort, instant) = (failure.device, failure.cohort, failure.instant)
    self =
      switch failure.reason {
      case .livelock(let events): .eventLivelock(device: device, cohort: cohort, instant: instant, events: events)
      case .timeline(let fault): .timeline(device: device, cohort: cohort, instant: instant, fault)
      }
  }
}

/// The reason why a scenario could not be prepared.
package struct PreparationError: Error, Hashable, Sendable {
  /// The message for the user, in one sentence.
  package var message: String
  /// The path of the keys that could not be prepared, starting at the top level, with list items by index (from 0);
  /// empty if unknown.
  package var path: [String]

  package init(message: String, path: [String] = []) { (self.message, self.path) = (message, path) }
}

/// The state shared with a running engine, which includes progress, cancellation, collective and journal.
package final class RunControl: Sendable {
  /// The number of devices that this rank has finished in all replications; stepped runs count each device in
  /// fractions, step by step.
  package let devicesDone = Atomic<Int>(0)
  /// Whether the engine must stop before the next device.
  package let isCancelled = Atomic<Bool>(false)
  /// The number of events and steps after which the engine stops as if the run were cancelled; `nil` if unlimited.
  let maxEvents: Int64?
  private let events = Atomic<Int64>(0)

  /// The ranks that simulate the fleet together.
  package let collective: any Collective
  /// The number of ranks on this machine.
  let ranksHere: Int
  /// A function that returns the text of a scenario, from which another rank can create the same scenario.
  let text: @Sendable (Scenario) -> [UInt8]
  /// Whether threads share the work of a step even if there is very little of it; used by tests.
  let sharesAllSteps = Atomic<Bool>(false)
  private let kept: Locked<(any Journal)?>

  package init(
    collective: any Collective = SingleRank(), ranksHere: Int = 1, journal: (any Journal)? = nil,
    maxEvents: Int64? = nil, text: @escaping @Sendable (Scenario) -> [UInt8] = { _ in [] }
  ) {
    self.maxEvents = maxEvents
    self.collective = collective
    self.ranksHere = ranksHere
    self.text = text
    kept = Locked(journal)
  }

  /// The number of events and steps so far in a run with a limit on their number.
  var eventsCounted: Int64 { events.load(ordering: .relaxed) }

  /// Counts more events, and cancels the run if their number exceeds the limit.
  ///
  /// - Returns: whether the engine may continue with the run.
  func mayContinue(after more: Int64) -> Bool {
    if let maxEvents, events.add(more, ordering: .relaxed).newValue > maxEvents {
      isCancelled.store(true, ordering: .relaxed)
    }
    return !isCancelled.load(ordering: .relaxed)
  }

  /// The journal that stores finished work; `nil` if nothing is stored.
  package var journal: (any Journal)? {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}

/// The reason why a device cannot be simulated again.
package enum DiaryError: Error, Hashable, Sendable {
  /// There is no device with this number; devices are counted from 0.
  case noDevice(Int, devices: Int)
  /// The conditions of the backend are required, because it has feedback.
  case needsConditions
  /// The given conditions belong to different endpoints, to a different clock or to different steps.
  case otherConditions
  case endless(SimulationError)
}

extension ConditionsTrajectory {
  /// The trajectory as CSV, in the format of conditions.csv.
  package var text: [UInt8] { ConditionsText.encode(self) }

  /// Creates the trajectory from the text of conditions.csv.
  ///
  /// - Throws: an error that contains the line number.
  package init(text: [UInt8]) throws(ConditionsTextError) { self = try ConditionsText.decode(text) }
}
