package import BackendModel
package import DeviceModel
import Numerics
package import Scenario
package import SimulationKernel
package import Synchronization

/// A scenario prepared for simulation, including its sampling tables, device number ranges and time zones.
package struct Engine: Sendable {
  package let scenario: Scenario
  /// The number of devices in each cohort that exist when the simulation starts.
  private let startSizes: [Int]
  /// The number of devices in each cohort over the whole run, including devices added later.
  package let cohortSizes: [Int]
  var plan: FleetPlan
  /// The memory that holds the plan, except for the tables in `samplers`.
  private let storage: SamplerStorage
  private let samplers: SamplerBuilder
  /// The demand that `learned` has added to the plan.
  private var demand: Demand?
  /// The demand of the replication that was last simulated, for repetitions of its phones.
  private let lastDemand = LastDemand()
  package let eventSpans: [EventSpan]
  private let windows: WindowPreparation
  var rowSelection: RowSelection
  /// The number of pilot phones per cohort used to estimate the demand on refresh budgets (MODEL.md 1.4).
  package var phonesOfDemand = DemandPilot.phones
  /// The failure of a pilot phone's provider, which makes a run fail; `nil` if there is none.
  var pilotFailure: DeviceFailure? { demand?.failure }
  /// Whether a run stores its finished work in a journal.
  private var isKept = true

  /// Prepares a scenario for simulation.
  ///
  /// - Parameter zones: the table of each time zone in the scenario, covering the simulated dates.
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

  /// Returns a copy of this engine that includes the widgets' demand on their refresh budgets. The demand is estimated
  /// by simulating pilot phones for the replication.
  ///
  /// The differences between replications therefore include the uncertainty of the demand (MODEL.md 1.4). If time does
  /// not advance on a pilot phone, or its provider fails, the run reports this failure.
  ///
  /// - Parameter isStopped: a function called before each phone with the number of events on the previous phone; if it
  ///   returns `true`, the estimation stops.
  /// - Returns: the engine; `nil` if the estimation was stopped.
  func learned(for replication: Int, isStopped: (Int64) -> Bool = { _ in false }) -> Engine? {
    guard scenario.clock.settle > .zero else { return self }
    let known = lastDemand.value.withLock { $0 }
    let isKnown = known.map { $0.fits(self, replication) } ?? false
    guard let demand = isKnown ? known : estimatedDemand(in: replication, isStopped) else { return nil }
    lastDemand.value.withLock { $0 = demand }
    var engine = self
    engine.demand = demand
    engine.plan.cohorts = demand.cohorts
    return engine
  }

  /// Returns the demand from pilot phones; `nil` if the estimation was stopped.
  private func estimatedDemand(in replication: Int, _ isStopped: (Int64) -> Bool) -> Demand? {
    let storage = SamplerStorage()
    let pilot = DemandPilot(
      plan, shape: tallyShape, phones: phonesOfDemand, replication: replication, storage: storage)
    var demand = Demand(
      replication: replication, phones: phonesOfDemand, keepsEnergy: plan.keepsEnergy, cohorts: plan.cohorts,
      storage: storage)
    do throws(DemandPilot.Obstacle) { demand.cohorts = try pilot.cohorts(isStopped) } catch {
      guard case .failed(let failure) = error else { return nil }
      if case .timeline = failure.reason { demand.failure = failure }
    }
    return demand
  }

  /// The widgets' demand on their refresh budgets in a replication.
  private struct Demand: Sendable {
    var replication: Int
    /// The number of pilot phones per cohort.
    var phones: Int
    var keepsEnergy: Bool
    var cohorts: PreparedList<CohortPlan>
    /// The memory that holds the cohorts.
    var storage: SamplerStorage
    var failure: DeviceFailure?

    func fits(_ engine: Engine, _ replication: Int) -> Bool {
      self.replication == replication && phones == engine.phonesOfDemand && keepsEnergy == engine.plan.keepsEnergy
    }
  }

  private final class LastDemand: Sendable {
    let value = Locked<Demand?>(nil)
  }

  /// A copy of this engine that writes no journal, for runs that are short or run concurrently.
  package var unkept: Engine {
    var engine = self
    engine.isKept = false
    return engine
  }

  func journal(of control: RunControl) -> (any Journal)? { isKept ? control.journal : nil }

  /// A copy of this engine for benchmarks that ignores energy and treats radios as always ready.
  package var withoutEnergy: Engine {
    var engine = self
    engine.plan.keepsEnergy = false
    return engine
  }

  /// The number of devices per replication that exist when the simulation starts.
  package var devicesSimulated: Int { startSizes.reduce(0, +) }

  /// The number of devices per replication, including devices added later.
  package var devicesTotal: Int { cohortSizes.reduce(0, +) }

  /// Returns the position of a device within its part of the cohort, and the size of that part. The initial devices of
  /// a cohort form one part, and devices added later form the other.
  func part(of device: Int, cohort: Int) -> (place: Int, size: Int) {
    let place = device - cohortSizes[..<cohort].reduce(0, +)
    let atStart = startSizes[cohort]
    return place < atStart ? (place, atStart) : (place - atStart, cohortSizes[cohort] - atStart)
  }

  /// The memory that a device needs while it is being simulated.
  package static var footprint: DeviceSimulator.Footprint { DeviceSimulator.footprint }

  /// Simulates all replications on `threads` threads of rank 0, which also controls the other ranks (`Follower`).
  ///
  /// The result is the same for any number of threads and ranks.
  ///
  /// - Returns: the result; `nil` if the run was cancelled on any rank.
  /// - Throws: `SimulationError` if time stops advancing on a device, or if counts in the result contradict each other.
  package func run(threads: Int, control: RunControl) throws(SimulationError) -> RunResult? {
    try run(threads: threads, control: control, atMost: scenario.run.replications) { _ in false }
  }

  /// Simulates replications until `isEnough` returns `true` or `limit` replications are complete. The scenario in the
  /// result contains the actual number of replications.
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

  /// Simulates a single replication. The scenario in the result has one replication.
  ///
  /// - Parameter replication: the number of the replication, counted from 0.
  /// - Returns: the result; `nil` if the run was cancelled on any rank.
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

  /// Simulates one replication: in steps if there is feedback, otherwise one device after another (MODEL.md 6.7).
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

  /// Returns the diary of one device in a replication, which lists the device's events.
  ///
  /// - Parameter conditions: the backend conditions from a run with the same scenario and seed; required if there is
  ///   feedback.
  package func diary(
    ofDevice device: Int, replication: Int = 0, conditions: ConditionsTrajectory?
  ) throws(DiaryError) -> DeviceDiary {
    try diaries(ofDevices: [device], replication: replication, conditions: conditions)[0]
  }

  /// Returns the diaries of several devices in a replication, up to a given instant.
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
    if let failure = engine.pilotFailure { throw .failed(SimulationError(failure)) }
    defer { withExtendedLifetime((engine, storage)) {} }
    let table = conditions?.prepared(in: storage)
    return try devices.map { device throws(DiaryError) in
      do throws(DeviceFailure) {
        return try DeviceDiary(
          plan: engine.plan, shape: tallyShape, (device, cohort(of: device), replication), conditions: table,
          until: until)
      } catch {
        throw .failed(SimulationError(error))
      }
    }
  }

  private func fits(_ conditions: ConditionsTrajectory) -> Bool {
    conditions.endpoints == scenario.endpoints.map(\.name) && conditions.grid == scenario.clock.grid
  }

  /// Returns the name of the time zone of the device that a diary describes.
  package func zoneName(of diary: DeviceDiary) -> String { FleetPlanBuilder.zoneNames(of: scenario)[diary.zone] }

  /// Returns the local time at an instant on the device that a diary describes.
  package func localTime(at instant: Instant, in diary: DeviceDiary) -> LocalTime {
    plan.clocks[diary.zone].reading(at: instant)
  }

  /// Returns the backend conditions during a replication. Without feedback, they depend only on outages.
  package func conditions(of result: ReplicationResult) -> ConditionsTrajectory {
    result.backend?.conditions ?? conditionsByOutages
  }

  /// The backend conditions of every run; `nil` if there is feedback, because the conditions then depend on the
  /// devices.
  package var knownConditions: ConditionsTrajectory? { plan.hasFeedback ? nil : conditionsByOutages }

  private var conditionsByOutages: ConditionsTrajectory {
    ConditionsTrajectory.fromOutages(
      scenario.endpoints.indices.map { plan.endpoints[$0] }, names: scenario.endpoints.map(\.name),
      grid: scenario.clock.grid)
  }
}

/// The reason why a scenario could not be prepared.
package struct PreparationError: Error, Hashable, Sendable {
  /// The message for the user, in one sentence.
  package var message: String
  /// The key path of the value that could not be prepared, from the top level, with zero-based indices for list items;
  /// empty if unknown.
  package var path: [String]

  package init(message: String, path: [String] = []) { (self.message, self.path) = (message, path) }
}

/// The state that controls a running engine: progress, cancellation, ranks and journal.
package final class RunControl: Sendable {
  /// The number of devices that this rank has finished in all replications. In stepped runs, each step adds a fraction
  /// of each device.
  package let devicesDone = Atomic<Int>(0)
  /// Whether the run is cancelled, so that the engine stops before the next device.
  package let isCancelled = Atomic<Bool>(false)
  /// The number of events and steps after which the engine stops as if it were cancelled; `nil` if unlimited.
  let maxEvents: Int64?
  private let events = Atomic<Int64>(0)

  /// The ranks that simulate the fleet together.
  package let collective: any Collective
  let ranksHere: Int
  /// A function that returns a scenario's text, from which another rank can recreate the scenario.
  let text: @Sendable (Scenario) -> [UInt8]
  /// Whether threads share every step, even one with very little work; used by tests.
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

  /// The number of events and steps counted so far; they are counted only if the run has a limit.
  var eventsCounted: Int64 { events.load(ordering: .relaxed) }

  /// Adds to the number of events, and cancels the run if the limit is exceeded.
  ///
  /// - Returns: whether the run may continue.
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

/// The reason why a device's diary cannot be created.
package enum DiaryError: Error, Hashable, Sendable {
  /// No device has this number; device numbers start at 0.
  case noDevice(Int, devices: Int)
  /// The backend conditions are required because the scenario has feedback.
  case needsConditions
  /// The given conditions are for different endpoints, a different clock or different steps.
  case otherConditions
  /// The device cannot be simulated.
  case failed(SimulationError)
}

extension ConditionsTrajectory {
  /// The trajectory in the CSV format of conditions.csv.
  package var text: [UInt8] { ConditionsText.encode(self) }

  /// Creates a trajectory from the text of conditions.csv.
  ///
  /// - Throws: an error that contains the line number.
  package init(text: [UInt8]) throws(ConditionsTextError) { self = try ConditionsText.decode(text) }
}
