import Scenario
import SimulationKernel

/// Lives the lives of devices, one after the other, and counts what they do.
///
/// Holds the memory of one device; the event path allocates nothing once its queue has grown.
package struct DeviceSimulator: ~Copyable {
  /// Instances that a device may have; slots are kept in 8 bits.
  package static let mostInstances = 64

  /// Where the present device lies.
  ///
  /// First, for Swift 6.3 hands the first field of a borrowed noncopyable struct to the thread sanitizer as its address:
  /// this one belongs to the thread, and another than a pointer does not compile (swiftlang/swift#86265).
  var parts: DeviceParts
  let plan: FleetPlan
  /// Cohort of the present device.
  var cohort: UnsafePointer<CohortPlan>
  var queue: EventQueue<DeviceEvent>
  package var tally: Tally
  /// Energy account of the present device.
  var energy: EnergyAccount
  /// Draws of the session that begins.
  let sessionDraws = SessionDraws()
  /// What reloads may draw before the battery's next check is planned anew.
  var batteryReserve = Energy.zero
  /// `Battery.calmUntil`, as of when the battery was last brought up to date.
  var batteryCalm = Instant.longAgo
  /// What requests meet where the backend answers back; nil without feedback.
  package var backend: BackendView?
  /// What became of requests, for whoever keeps a diary; nil: nobody does.
  var observed: [ObservedRequest]?
  /// By cohort, member and interface.
  let unperturbedPlans: UnperturbedPlans
  /// By slot, where devices live from beginning to end.
  let unperturbed: UnsafeMutablePointer<UnperturbedRuns>
  /// By cohort.
  let layouts: UnsafeMutablePointer<DeviceLayout>
  /// The block of a device that is simulated from its beginning to its end.
  private let block: UnsafeMutableRawPointer

  package init(plan: FleetPlan, shape: Tally.Shape) {
    precondition(plan.cohorts.count > 0, "a fleet has a cohort")
    self.plan = plan
    cohort = plan.cohorts.pointer(at: 0)
    unperturbed = .allocate(capacity: Self.mostInstances)
    unperturbed.initialize(repeating: UnperturbedRuns(), count: Self.mostInstances)
    layouts = .allocate(capacity: plan.cohorts.count)
    var bytes = 0
    for index in 0..<plan.cohorts.count {
      let layout = DeviceLayout(plan: plan, cohort: index)
      (layouts + index).initialize(to: layout)
      bytes = max(bytes, layout.bytes)
    }
    block = .allocate(byteCount: bytes, alignment: 64)
    parts = DeviceLayout.parts(of: block, layouts)
    queue = EventQueue(memory: parts.queue, capacity: layouts[0].queueCapacity)
    tally = Tally(shape: shape)
    unperturbedPlans = UnperturbedPlans(plan, tally: tally)
    energy = EnergyAccount(plans: plan.cohorts[0].network.radios, isKept: plan.keepsEnergy)
    device = DeviceState(plan: plan, cohort: 0, number: 0, replication: 0)
  }

  deinit {
    block.deallocate()
    layouts.deallocate()
    unperturbed.deallocate()
    unperturbedPlans.free()
  }

  /// The present device, where it lies.
  var device: DeviceState {
    @inline(__always) _read { yield parts.resting.pointee.state }
    @inline(__always) nonmutating _modify { yield &parts.resting.pointee.state }
  }
  /// The random numbers of the present device.
  var stream: DeviceStream {
    @inline(__always) get { parts.resting.pointee.state.stream(seed: plan.seed) }
  }
  @inline(__always) var instances: UnsafeMutablePointer<InstanceState> { parts.instances }
  /// The owner, whom only cohorts with people have.
  var person: PersonState {
    @inline(__always) _read { yield parts.person.pointee }
    @inline(__always) nonmutating _modify { yield &parts.person.pointee }
  }
  @inline(__always) var views: UnsafeMutablePointer<ViewHistory> { parts.views }
  @inline(__always) var days: UnsafeMutablePointer<DayCounts> { parts.days }
  @inline(__always) var caches: UnsafeMutablePointer<CacheState> { parts.caches }
  @inline(__always) var calls: UnsafeMutablePointer<CallState> { parts.calls }
  @inline(__always) var locations: UnsafeMutablePointer<HourProcess> { parts.locations }
  @inline(__always) var kindFlights: UnsafeMutablePointer<KindFlights> { parts.flights }
  @inline(__always) var ordinals: UnsafeMutablePointer<UInt32> { parts.ordinals }
  /// Nights on the charger, which only cohorts have that charge.
  @inline(__always) var charging: UnsafeMutablePointer<ChargingSchedule> { parts.charging }

  /// On the wall of the present device's owner.
  var wall: WallClock { plan.clocks[device.zone] }
  /// By which the present device's budgets grow.
  var accrualClock: AccrualClock {
    AccrualClock(
      wall: wall, offset: device.accrualOffset, resetHour: Int64(device.resetHour),
      accrual: cohort.pointee.system.budget.accrual)
  }

  /// Number of the present device within the fleet.
  var number: Int { device.number }

  /// Bytes that a phone needs beside its instances, each instance, and what people add to a phone and an instance.
  ///
  /// Pending events included: a ticket or a run of each instance; of a phone the charger, the battery, the day and a
  /// free run, with people also the session, a visit, a glance and midnight, and a burst of taps on each instance.
  /// Results that are counted by instance lie beside it.
  package static var footprint: Footprint {
    let event = EventQueue<DeviceEvent>.bytesPerEvent
    let person = MemoryLayout<PersonState>.stride
    let views = MemoryLayout<ViewHistory>.stride
    return Footprint(
      device: MemoryLayout<RestingDevice>.stride + MemoryLayout<ChargingSchedule>.stride + 4 * event,
      instance: MemoryLayout<InstanceState>.stride + event + EnergyAccount.footprint.instance,
      personOfDevice: person + 4 * event, personOfInstance: views + event)
  }

  /// Bytes of state.
  package struct Footprint: Hashable, Sendable {
    package var device: Int
    package var instance: Int
    /// What people add.
    package var personOfDevice: Int
    package var personOfInstance: Int
  }

  /// Simulates one device from the beginning of the world to the end of the clock.
  ///
  /// - Throws: when events at one instant follow each other without end.
  package mutating func simulate(
    device number: Int, cohort cohortIndex: Int, replication: Int
  ) throws(EndlessInstant) {
    begin(device: number, cohort: cohortIndex, replication: replication)
    defer { queue.free() }
    var last = Instant.longAgo
    var eventsAtOnce = 0
    while let (now, _) = step() {
      if now == last {
        eventsAtOnce &+= 1
        if eventsAtOnce > EndlessInstant.mostEvents { throw endlessInstant(at: now) }
      } else {
        last = now
        eventsAtOnce = 1
      }
    }
    finish()
  }

  /// Handles the next event and says what it was and when; nil when the clock has come to its end.
  ///
  /// Starts of runs that nothing disturbs are handled together: the last one's instant is told.
  @inline(__always)
  mutating func step() -> (at: Instant, event: DeviceEvent)? {
    guard let (first, event) = queue.next(before: plan.end) else { return nil }
    var now = first
    tally.eventCount &+= 1
    switch event {
    case .placement(let slot): place(Int(slot), at: now)
    case .eligible(let slot): becomeEligible(Int(slot))
    case .start(let slot): now = ticketsComeUp(Int(slot), at: now)
    case .answers(let slot): answersArrive(Int(slot), at: now)
    case .runEnd(let slot): endRun(Int(slot), at: now)
    case .coalescing(let starter): coalesce(with: Int(starter), at: now)
    case .arrival(let flight, let request, let attempt, let changes, let isInSession):
      arrive(flight, Int(request), Int(attempt), changes: changes, isInSession: isInSession, at: now)
    case .resend(let flight, let request, let attempt): resend(flight, Int(request), Int(attempt), at: now)
    case .downloadEnd(let kind): endDownload(of: Int(kind), at: now)
    case .backgroundRefresh(let index): refreshInBackground(Int(index), at: now)
    case .occasion(let event): occasionComes(Int(event), at: now)
    case .push(let event): receivePush(Int(event), at: now)
    case .pushDelivery(let event): deliverPush(Int(event), at: now)
    case .systemRuns: runForSystem(at: now)
    case .gallery(let event): showGallery(Int(event), at: now)
    case .midnight: passMidnight(at: now)
    case .energyDayEnd: endEnergyDay(at: now)
    case .plug: plugIn(at: now)
    case .unplug: unplug(at: now)
    case .batteryCheck: checkBattery(at: now)
    case .topUpEnd: endTopUp(at: now)
    case .sessionStart: startSession(at: now)
    case .sessionEnd: endSession(at: now)
    case .homeVisit(let depth, let isFirst): visitHomeScreen(depth: Int(depth), isFirst: isFirst, at: now)
    case .glance: glance(at: now)
    case .appOpen: openApp(at: now)
    case .appClose: closeApp(at: now)
    case .audioStart: startAudio(at: now)
    case .audioEnd: endAudio(at: now)
    case .appCall(let index): call(plan.reloads[Int(index)].effect, at: now)
    case .audioCall(let index): callInAudio(Int(index), at: now)
    case .foregroundRun(let kind): requestFree(kind: Int(kind), cause: .foreground, at: now)
    case .locationChange(let kind): changeLocation(of: Int(kind), at: now)
    case .burst(let slot): beginBurst(on: Int(slot), at: now)
    case .tap(let slot, let left): tap(Int(slot), left: left, at: now)
    }
    assert(brokenInvariant(after: now) == nil, brokenInvariant(after: now) ?? "")
    return (now, event)
  }

  /// The present device's choices among its cohort's zones and phones.
  package var choices: (zone: Int, phone: Int) { mutating get { cohort.pointee.choices(of: stream) } }

  @inline(__always)
  mutating func schedule(_ event: DeviceEvent, at instant: Instant) {
    queue.schedule(event, at: instant, rank: event.rank)
  }

  /// Begins the life of a device in the simulator's own block.
  mutating func begin(device number: Int, cohort cohortIndex: Int, replication: Int) {
    begin(device: number, cohort: cohortIndex, replication: replication, in: block)
  }

  /// Begins the life of a device in a block that is as large as its cohort's layout.
  mutating func begin(
    device number: Int, cohort cohortIndex: Int, replication: Int, in block: UnsafeMutableRawPointer
  ) {
    tally.beginDevice()
    cohort = plan.cohorts.pointer(at: cohortIndex)
    parts = DeviceLayout.parts(of: block, layouts + cohortIndex)
    device = DeviceState(plan: plan, cohort: cohortIndex, number: number, replication: replication)
    queue = EventQueue(memory: parts.queue, capacity: layouts[cohortIndex].queueCapacity)
    let kinds = plan.kinds.count
    if plan.hasCaches { caches.initialize(repeating: CacheState(), count: kinds + cohort.pointee.members.count) }
    if plan.hasCalls { calls.initialize(repeating: CallState(), count: kinds) }
    if cohort.pointee.hasPeople { initializeOwner() }
    if plan.hasKindFlights { kindFlights.initialize(repeating: KindFlights(), count: kinds) }
    ordinals.initialize(repeating: 0, count: plan.ordinals)
    placeWidgets()
    beginEnergy()
    beginApp()
    beginEvents()
    if cohort.pointee.hasPeople { beginPerson() }
    // Last: when the battery needs a look depends on the first session.
    beginPower()
  }

  /// Draws which of the cohort's widgets this device has, and when they are placed (MODEL.md 1.2).
  private mutating func placeWidgets() {
    for memberIndex in 0..<cohort.pointee.members.count {
      let member = cohort.pointee.members[memberIndex]
      let isThere =
        member.share.isCertain || member.share.happens(at: stream.block(.placement, part: member.placement).first)
      guard isThere else { continue }
      let slot = device.instanceCount
      device.instanceCount += 1
      (instances + slot).initialize(
        to: InstanceState(
          member: UInt16(truncatingIfNeeded: memberIndex), kind: UInt16(truncatingIfNeeded: member.kind),
          family: member.family))
      (days + slot).initialize(to: DayCounts())
      unperturbed[slot].reset(
        observed == nil ? unperturbedPlans.ofMember(memberIndex, cohort: device.cohort) : nil)
      if cohort.pointee.hasPeople {
        (views + slot).initialize(to: ViewHistory())
        sessionDraws.setMember(ofSlot: slot, to: instances[slot].member)
      }
      tally.recordInstance(cohort: device.cohort, kind: member.kind)
      let draws = stream.block(.instance, part: memberIndex)
      schedule(.placement(UInt8(slot)), at: plan.beginning + SpanSampler.part(of: plan.placementSpan, at: draws.first))
    }
  }

  /// Counts the days that are left.
  mutating func finish() {
    for slot in 0..<device.instanceCount { closeDays(of: slot, upTo: plan.end) }
    finishEnergy()
  }
}
