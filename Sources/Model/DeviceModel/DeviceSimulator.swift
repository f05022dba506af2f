package import BackendModel
package import Scenario
package import SimulationKernel

/// Lives the lives of phones with iOS, one after the other or turn by turn, and counts what they do.
package struct DeviceSimulator: ~Copyable {
  var device: Device<WidgetKitRules>

  package init(plan: FleetPlan, shape: Tally.Shape) { device = Device(plan: plan, shape: shape) }

  /// What was counted, for the end of it all: from step to step the doors below cost less.
  package var tally: Tally { _read { yield device.widgets.phone.tally } }

  /// Rows of the present device, by kind.
  package var rows: UnsafeBufferPointer<DeviceRow> {
    mutating get {
      UnsafeBufferPointer(start: device.widgets.phone.tally.rows, count: device.widgets.phone.tally.shape.kinds)
    }
  }
  /// By endpoint, then step.
  package var arrivals: UnsafeMutablePointer<UInt32> { mutating get { device.widgets.phone.tally.arrivals } }
  /// By group of devices, then endpoint: arrivals of the present step, where the backend answers back.
  package var groupArrivals: UnsafeMutablePointer<Int64> { mutating get { device.widgets.phone.tally.groupArrivals } }

  /// Counts the present device in rows kept for it, or, with nil, where nobody looks.
  package mutating func useRows(_ rows: UnsafeMutablePointer<DeviceRow>?) { device.widgets.phone.tally.useRows(rows) }

  /// As `useRows`; its requests in a step are counted among those of a group of devices.
  package mutating func useRows(_ rows: UnsafeMutablePointer<DeviceRow>?, group: Int) {
    device.widgets.phone.tally.useRows(rows)
    device.widgets.phone.tally.useGroup(group)
  }

  /// What requests meet where the backend answers back; nil without feedback.
  package var backend: BackendView? {
    get { device.widgets.phone.backend }
    set { device.widgets.phone.backend = newValue }
  }

  /// The present device's choices among its cohort's zones and phones.
  package var choices: (zone: Int, phone: Int) { mutating get { device.widgets.phone.choices } }

  // MARK: From beginning to end

  /// Simulates one device from the beginning of the world to the end of the clock.
  ///
  /// - Throws: when events at one instant follow each other without end.
  package mutating func simulate(device number: Int, cohort: Int, replication: Int) throws(EndlessInstant) {
    device.begin(PhoneIdentity(number: number, cohort: CohortIndex(cohort), replication: replication))
    try device.liveToTheEnd()
    device.finish()
  }

  // MARK: Turn by turn

  /// Begins the life of a device in a block and lives it up to its first request.
  ///
  /// - Returns: the step in which the request arrives; `nil` when there is none before the end of the clock.
  /// - Throws: when events at one instant follow each other without end.
  package mutating func begin(
    device number: Int, cohort: Int, replication: Int, resting block: DeviceBlock
  ) throws(EndlessInstant) -> Int? {
    let identity = PhoneIdentity(number: number, cohort: CohortIndex(cohort), replication: replication)
    device.begin(identity, in: block.start)
    return try device.liveTurn(in: block.start, until: device.widgets.phone.plan.beginning)
  }

  /// Gives a resting device its turn: all it does up to its first request that arrives at `horizon` or later.
  ///
  /// - Parameters:
  ///   - rows: as `useRows`.
  ///   - group: of devices, among whose requests in a step its own are counted.
  /// - Returns: the step in which that request arrives; `nil` when there is none before the end of the clock.
  /// - Throws: when events at one instant follow each other without end.
  package mutating func takeTurn(
    in block: DeviceBlock, until horizon: Instant, rows: UnsafeMutablePointer<DeviceRow>?, group: Int
  ) throws(EndlessInstant) -> Int? {
    useRows(rows, group: group)
    device.wake(in: block.start)
    return try device.liveTurn(in: block.start, until: horizon)
  }

  /// Makes a resting device the present one.
  package mutating func wake(_ block: DeviceBlock) { device.wake(in: block.start) }

  // MARK: Memory

  /// Bytes of the block of a device, by cohort.
  package static func blockSizes(_ plan: FleetPlan) -> [Int] {
    plan.cohorts.indices.map { DeviceLayout(plan: plan, cohort: CohortIndex($0)).bytes }
  }

  /// Bytes at the beginning of a block that every turn touches: the radio, the phone's state, the next events.
  package static var headBytes: Int { MemoryLayout<DeviceHead>.stride + 4 * EventQueue<DeviceEvent>.bytesPerEvent }

  /// Bytes that a phone needs beside its instances, each instance, and what people add to a phone and an instance.
  ///
  /// Pending events included: a ticket or a run of each instance; of a phone the charger, the battery, the day and a
  /// free run, with people also the session, a visit, a glance and midnight, and a burst of taps on each instance.
  /// Results that are counted by instance lie beside it.
  package static var footprint: Footprint {
    let event = EventQueue<DeviceEvent>.bytesPerEvent
    return Footprint(
      device: MemoryLayout<DeviceHead>.stride + MemoryLayout<ChargingSchedule>.stride + 4 * event,
      instance: MemoryLayout<WidgetRow>.stride + event + EnergyAccount.footprint.instance,
      personOfDevice: MemoryLayout<SessionState>.stride + MemoryLayout<PersonState>.stride + 4 * event,
      personOfInstance: MemoryLayout<ViewHistory>.stride + event)
  }

  /// Bytes of state.
  package struct Footprint: Hashable, Sendable {
    package var device: Int
    package var instance: Int
    /// What people add.
    package var personOfDevice: Int
    package var personOfInstance: Int
  }
}

extension Device {
  /// Lives the present device up to the end of the clock.
  mutating func liveToTheEnd() throws(EndlessInstant) {
    var last = Instant.longAgo
    var eventsAtOnce = 0
    while let (now, _) = step() {
      if now == last {
        eventsAtOnce &+= 1
        if eventsAtOnce > EndlessInstant.mostEvents { throw endedQueue(at: now) }
      } else {
        last = now
        eventsAtOnce = 1
      }
    }
  }

  /// Simulates the present device up to its first request that arrives at `horizon` or later, counts the requests that it
  /// has on their way to the step of that one, and lays it to rest.
  ///
  /// - Returns: that step; `nil` when no request arrives before the end of the clock.
  mutating func liveTurn(
    in block: UnsafeMutableRawPointer, until horizon: Instant
  ) throws(EndlessInstant) -> Int? {
    var last = Instant.longAgo
    var eventsAtOnce = 0
    var request: Instant?
    while let next = widgets.phone.queue.next, next.at < widgets.phone.life.end {
      if next.at >= horizon, case .arrival = next.event {
        request = next.at
        break
      }
      _ = step()
      eventsAtOnce = next.at == last ? eventsAtOnce &+ 1 : 1
      last = next.at
      if eventsAtOnce > EndlessInstant.mostEvents { throw endedQueue(at: last) }
    }
    let step = request.flatMap { expectArrivals(from: $0) }
    if request == nil { finish() }
    rest(in: block)
    return step
  }

  /// Counts the requests on their way that arrive in the step of the first of them (MODEL.md 6.1).
  ///
  /// - Returns: that step; `nil` where the backend is not simulated in steps.
  @inline(__always)
  private mutating func expectArrivals(from first: Instant) -> Int? {
    guard case .step(let present) = widgets.phone.backend else { return nil }
    let step = present.grid.step(containing: first)
    let end = min(present.grid.beginning(of: step) + present.grid.length, widgets.phone.life.end)
    let queue = widgets.phone.queue
    queue.visit(before: end) { event in
      guard case .arrival(let flight, let request, _, _, _) = event else { return }
      widgets.provider.flights.expect(flight, request, in: step, present, &widgets.phone)
    }
    return step
  }

  /// Lives the present device up to the events of an instant.
  mutating func live(upTo end: Instant) throws(EndlessInstant) {
    var last = Instant.longAgo
    var eventsAtOnce = 0
    while let next = widgets.phone.queue.next, next.at < end, next.at < widgets.phone.life.end {
      _ = step()
      eventsAtOnce = next.at == last ? eventsAtOnce &+ 1 : 1
      last = next.at
      if eventsAtOnce > EndlessInstant.mostEvents { throw endedQueue(at: last) }
    }
  }

  /// The life of the present device ends for want of time that passes.
  private mutating func endedQueue(at now: Instant) -> EndlessInstant {
    defer { widgets.phone.queue.free() }
    return endlessInstant(at: now)
  }
}

/// What widgets ask of their budgets while nothing is withheld (MODEL.md 1.4).
extension DeviceSimulator {
  /// What a widget did in an hour.
  package struct DemandHour: Sendable {
    /// When the hour began, on the wall of the phone's owner.
    package var local: LocalTime
    package var member: Int
    package var charged: Double
    package var views: Double
  }

  /// The owner of the present device, as far as demand depends on it.
  package var unlocksPerDay: Double { mutating get { device.owner.unlocksPerDay(&device.widgets.phone) } }

  /// The factor of the unlocks on a local date.
  package mutating func dayFactor(on date: LocalDay) -> Double { device.widgets.phone.dayFactor(on: date) }

  /// Lives one device of a plan that counts demand, up to the end of its clock, and reports its hours.
  ///
  /// - Throws: when events at one instant follow each other without end.
  package mutating func reportDemand(
    device number: Int, cohort: Int, replication: Int, _ report: (DemandHour) -> Void
  ) throws(EndlessInstant) {
    device.begin(PhoneIdentity(number: number, cohort: CohortIndex(cohort), replication: replication))
    let plan = device.widgets.phone.plan
    var seen = Array(repeating: DemandCount(), count: device.widgets.phone.widgetCount)
    var hour = plan.beginning
    while hour < plan.end {
      let local = device.widgets.phone.wall.reading(at: hour)
      hour = hour + .hour
      try device.live(upTo: hour)
      for slot in device.widgets.phone.slots {
        let count = device.widgets.demandCount(of: slot)
        let before = seen[slot.place]
        report(
          DemandHour(
            local: local, member: device.widgets.phone.widget(slot).member.place,
            charged: Double((count.charged - before.charged) / RunMillionths.one.count),
            views: Double(count.views - before.views)))
        seen[slot.place] = count
      }
    }
    device.widgets.phone.queue.free()
  }
}

/// What a widget has done so far.
private struct DemandCount {
  /// Millionths of a run that its budget was charged.
  var charged: Int64 = 0
  var views: UInt32 = 0
}

extension WidgetHost where Rules == WidgetKitRules {
  fileprivate func demandCount(of slot: Slot) -> DemandCount {
    let counting = BudgetAccount.counting.balance
    let left = provider.isPlaced(slot) ? scheduler.allowance(of: slot).balance : counting
    return DemandCount(
      charged: counting.count - left.count, views: phone.hasPeople ? views.total(of: slot) : 0)
  }
}

/// The backend's conditions as devices meet them: those of the present step, or of every step of a stored trajectory.
package enum BackendView: BitwiseCopyable {
  case step(PresentStep)
  case trajectory(ConditionsTable)

  @inline(__always)
  func conditions(of endpoint: Int, at arrival: Instant) -> Conditions {
    switch self {
    case .step(let present): present.conditions[endpoint]
    case .trajectory(let table): table.conditions(of: endpoint, at: arrival)
    }
  }
}

/// The memory through which devices and backend take turns (MODEL.md 6.1): a view that retains nothing.
package struct PresentStep: BitwiseCopyable {
  package let grid: StepGrid
  /// By endpoint: of the present step.
  fileprivate let conditions: UnsafePointer<Conditions>
  /// By step, then endpoint: the requests on their way to it when their devices came to rest.
  private let expected: UnsafeMutablePointer<UInt32>
  private let endpoints: Int

  package init(
    grid: StepGrid, conditions: UnsafePointer<Conditions>, expected: UnsafeMutablePointer<UInt32>, endpoints: Int
  ) {
    self.grid = grid
    self.conditions = conditions
    self.expected = expected
    self.endpoints = endpoints
  }

  /// Counts requests that will arrive in a step.
  @inline(__always)
  func expect(_ count: Int, at endpoint: EndpointIndex, in step: Int) {
    expected[step &* endpoints &+ endpoint.place] &+= UInt32(truncatingIfNeeded: count)
  }
}
