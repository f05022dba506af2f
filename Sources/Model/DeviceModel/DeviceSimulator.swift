package import BackendModel
package import Scenario
package import SimulationKernel

/// A simulator that runs phones, either one after another or in turns, and counts their activity.
package struct DeviceSimulator: ~Copyable {
  var device: Device<WidgetKitRules>

  package init(plan: FleetPlan, shape: Tally.Shape) { device = Device(plan: plan, shape: shape) }

  /// The counts at the end of the run. Between steps, the accessors below are faster.
  package var tally: Tally { _read { yield device.widgets.phone.tally } }

  /// The counts of the current device, with one row per kind.
  package var rows: UnsafeBufferPointer<DeviceRow> {
    mutating get {
      UnsafeBufferPointer(start: device.widgets.phone.tally.rows, count: device.widgets.phone.tally.shape.kinds)
    }
  }
  /// The numbers of arrivals, ordered by endpoint and then by step.
  package var arrivals: UnsafeMutablePointer<UInt32> { mutating get { device.widgets.phone.tally.arrivals } }
  /// The arrivals in the current step at a backend with feedback, ordered by device group and then by endpoint.
  package var groupArrivals: UnsafeMutablePointer<Int64> { mutating get { device.widgets.phone.tally.groupArrivals } }

  /// Counts the current device in the given rows, or in scratch memory if they are `nil`.
  package mutating func useRows(_ rows: UnsafeMutablePointer<DeviceRow>?) { device.widgets.phone.tally.useRows(rows) }

  /// Selects rows as `useRows(_:)` does, and also selects the device group in which the device's requests are counted.
  package mutating func useRows(_ rows: UnsafeMutablePointer<DeviceRow>?, group: Int) {
    device.widgets.phone.tally.useRows(rows)
    device.widgets.phone.tally.useGroup(group)
  }

  /// The conditions of requests to a backend with feedback; `nil` if the backend has no feedback.
  package var backend: BackendView? {
    get { device.widgets.phone.backend }
    set { device.widgets.phone.backend = newValue }
  }

  /// The current device's zone and phone model, both drawn from the choices of its cohort.
  package var choices: (zone: Int, phone: Int) { mutating get { device.widgets.phone.choices } }

  // MARK: Whole simulations

  /// Simulates one device from the start of the simulation to the end of the clock.
  ///
  /// - Throws: `DeviceFailure` if time stops, or a provider returns an unusable timeline.
  package mutating func simulate(device number: Int, cohort: Int, replication: Int) throws(DeviceFailure) {
    device.begin(PhoneIdentity(number: number, cohort: CohortIndex(cohort), replication: replication))
    try device.simulateToEnd()
    device.finish()
  }

  // MARK: Turns

  /// Starts a device in a block and simulates it up to its first request.
  ///
  /// - Returns: the step in which the request arrives; `nil` if no request arrives before the end of the clock.
  /// - Throws: `DeviceFailure` if time stops, or a provider returns an unusable timeline.
  package mutating func begin(
    device number: Int, cohort: Int, replication: Int, resting block: DeviceBlock
  ) throws(DeviceFailure) -> Int? {
    let identity = PhoneIdentity(number: number, cohort: CohortIndex(cohort), replication: replication)
    device.begin(identity, in: block.start)
    return try device.runToRequest(in: block.start, until: device.widgets.phone.plan.beginning)
  }

  /// Resumes a parked device and simulates it up to its first request that arrives at `horizon` or later.
  ///
  /// - Parameters:
  ///   - rows: the rows in which the device is counted, as in `useRows`.
  ///   - group: the device group in which its requests are counted.
  /// - Returns: the step in which that request arrives; `nil` if no request arrives before the end of the clock.
  /// - Throws: `DeviceFailure` if time stops, or a provider returns an unusable timeline.
  package mutating func advanceDevice(
    in block: DeviceBlock, until horizon: Instant, rows: UnsafeMutablePointer<DeviceRow>?, group: Int
  ) throws(DeviceFailure) -> Int? {
    useRows(rows, group: group)
    device.wake(in: block.start)
    return try device.runToRequest(in: block.start, until: horizon)
  }

  /// Resumes a parked device as the current device.
  package mutating func wake(_ block: DeviceBlock) { device.wake(in: block.start) }

  // MARK: Memory

  /// Returns the block size of a device in bytes, by cohort.
  package static func blockSizes(_ plan: FleetPlan) -> [Int] {
    plan.cohorts.indices.map { DeviceLayout(plan: plan, cohort: CohortIndex($0)).bytes }
  }

  /// The number of bytes of a block that are accessed whenever the device is simulated: the radio, the phone's state
  /// and the next events.
  package static var headBytes: Int { MemoryLayout<DeviceHead>.stride + 4 * EventQueue<DeviceEvent>.bytesPerEvent }

  /// The sizes of a phone without its instances, of each instance, and of the additional state for a user.
  ///
  /// Each size includes pending events. A phone has events for the charger, the battery, the day and a free run. Each
  /// instance has one event for a ticket or a run. A user adds events for the session, a visit, a glance and midnight,
  /// and one for a burst of taps on each instance. Results that are counted per instance are stored separately.
  package static var footprint: Footprint {
    let event = EventQueue<DeviceEvent>.bytesPerEvent
    return Footprint(
      device: MemoryLayout<DeviceHead>.stride + MemoryLayout<ChargingSchedule>.stride + 4 * event,
      instance: MemoryLayout<WidgetRow>.stride + event + EnergyAccount.footprint.instance,
      personOfDevice: MemoryLayout<SessionState>.stride + MemoryLayout<PersonState>.stride + 4 * event,
      personOfInstance: MemoryLayout<ViewHistory>.stride + event)
  }

  /// The size of the simulation state in bytes.
  package struct Footprint: Hashable, Sendable {
    package var device: Int
    package var instance: Int
    /// The additional bytes of a phone that has a user.
    package var personOfDevice: Int
    package var personOfInstance: Int
  }
}

extension Device {
  /// Simulates the current device up to the end of the clock.
  mutating func simulateToEnd() throws(DeviceFailure) {
    var last = Instant.longAgo
    var eventsAtOnce = 0
    while let (now, _) = step() {
      if now == last {
        eventsAtOnce &+= 1
        if eventsAtOnce > DeviceFailure.maxEvents { throw endedQueue(at: now) }
      } else {
        last = now
        eventsAtOnce = 1
      }
    }
    try throwFault()
  }

  /// Simulates the current device up to its first request that arrives at `horizon` or later, and parks it.
  ///
  /// Pending requests of the device that arrive in the same step as this request are also counted.
  ///
  /// - Returns: the step of this request; `nil` if no request arrives before the end of the clock.
  mutating func runToRequest(
    in block: UnsafeMutableRawPointer, until horizon: Instant
  ) throws(DeviceFailure) -> Int? {
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
      if eventsAtOnce > DeviceFailure.maxEvents { throw endedQueue(at: last) }
    }
    try throwFault()
    let step = request.flatMap { expectArrivals(from: $0) }
    if request == nil { finish() }
    rest(in: block)
    return step
  }

  /// Counts the pending requests that arrive in the same step as the first one (MODEL.md 6.1).
  ///
  /// - Returns: the step of these requests; `nil` if the backend is not simulated in steps.
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

  /// Simulates all events of the current device before an instant.
  mutating func live(upTo end: Instant) throws(DeviceFailure) {
    var last = Instant.longAgo
    var eventsAtOnce = 0
    while let next = widgets.phone.queue.next, next.at < end, next.at < widgets.phone.life.end {
      _ = step()
      eventsAtOnce = next.at == last ? eventsAtOnce &+ 1 : 1
      last = next.at
      if eventsAtOnce > DeviceFailure.maxEvents { throw endedQueue(at: last) }
    }
    try throwFault()
  }

  /// Ends the simulation of the current device because time does not advance, and returns the error.
  private mutating func endedQueue(at now: Instant) -> DeviceFailure {
    defer { widgets.phone.queue.free() }
    return eventLivelock(at: now)
  }
}

/// The demand of widgets on their budgets, measured without withholding any runs (MODEL.md 1.4).
extension DeviceSimulator {
  /// The activity of a widget in one hour.
  package struct DemandHour: Sendable {
    /// The phone's local time at the start of the hour.
    package var local: LocalTime
    package var member: Int
    package var charged: Double
    package var views: Double
  }

  /// The number of times per day that the user unlocks the current device; 0 if the device has no user.
  package var unlocksPerDay: Double { mutating get { device.owner.unlocksPerDay(&device.widgets.phone) } }

  /// Returns the unlock factor for a local date.
  package mutating func dayFactor(on date: LocalDay) -> Double { device.widgets.phone.dayFactor(on: date) }

  /// Simulates one device under a plan that counts demand until the clock ends, and reports the hourly activity of each
  /// widget.
  ///
  /// - Throws: `DeviceFailure` if time stops, or a provider returns an unusable timeline.
  package mutating func reportDemand(
    device number: Int, cohort: Int, replication: Int, _ report: (DemandHour) -> Void
  ) throws(DeviceFailure) {
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

/// The cumulative activity of a widget.
private struct DemandCount {
  /// The number of runs charged to the widget's budget, in millionths of a run.
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

/// The backend conditions that apply to devices, either in the current step or in every step of a stored trajectory.
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

/// A non-owning view of the memory that the devices and the backend use alternately (MODEL.md 6.1).
package struct PresentStep: BitwiseCopyable {
  package let grid: StepGrid
  /// The conditions of each endpoint in the current step.
  fileprivate let conditions: UnsafePointer<Conditions>
  /// The numbers of pending requests of parked devices, ordered by step and then by endpoint.
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
