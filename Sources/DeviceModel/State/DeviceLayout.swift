import SimulationKernel

/// Where the parts of a device lie in one block of memory.
package struct DeviceLayout: BitwiseCopyable, Sendable {
  fileprivate var offsets = Offsets()
  /// Events that the queue holds before it takes memory of its own.
  let queueCapacity: Int
  /// Bytes of a block.
  package private(set) var bytes = 0

  /// From the beginning of the block.
  fileprivate struct Offsets: BitwiseCopyable {
    var charging = 0
    var instances = 0
    var days = 0
    var caches = 0
    var calls = 0
    var locations = 0
    var flights = 0
    var flows = 0
    var ordinals = 0
    var pushes = 0
    var queue = 0
    var person = 0
    var views = 0
  }

  /// The layout of a cohort's devices: what every event touches first, what people do last.
  init(plan: FleetPlan, cohort: Int) {
    let hasPeople = plan.cohorts[cohort].hasPeople
    let instances = plan.cohorts[cohort].members.count
    let kinds = plan.kinds.count
    queueCapacity = Self.eventsAtOnce(plan, plan.cohorts[cohort])
    bytes = MemoryLayout<RestingDevice>.stride
    offsets.queue = place(EventQueue<DeviceEvent>.Entry.self, queueCapacity)
    offsets.flows = place(RadioFlow.self, plan.energyOwners(instances: instances))
    offsets.instances = place(InstanceState.self, instances)
    offsets.days = place(DayCounts.self, instances)
    offsets.caches = place(CacheState.self, plan.hasCaches ? kinds + instances : 0)
    offsets.calls = place(CallState.self, plan.hasCalls ? kinds : 0)
    offsets.locations = place(HourProcess.self, plan.hasMovements ? kinds : 0)
    offsets.flights = place(KindFlights.self, plan.hasKindFlights ? kinds : 0)
    offsets.ordinals = place(UInt32.self, plan.ordinals)
    offsets.charging = place(ChargingSchedule.self, plan.cohorts[cohort].power.chargesOvernight ? 1 : 0)
    offsets.pushes = place(Instant.self, plan.mostSilentPushes)
    offsets.person = place(PersonState.self, hasPeople ? 1 : 0)
    offsets.views = place(ViewHistory.self, hasPeople ? instances : 0)
  }

  /// Events that a device has pending at once, but for what comes over all of its instances together.
  private static func eventsAtOnce(_ plan: FleetPlan, _ cohort: CohortPlan) -> Int {
    let instances = cohort.members.count
    // The end of the energy day and a free run's coalescing; of each instance its ticket or what its run waits for.
    var count = 2 + instances
    // Requests of one run that are tried again go ways of their own.
    for slot in 0..<instances where plan.kinds[cohort.members[slot].kind].sendsApart { count += 1 }
    // The look at the battery and the charger; a charge to 80 % takes the place of a free run's.
    if case .battery = cohort.power { count += 2 }
    // Midnight, a session, a visit, a glance; of each instance a burst of taps.
    if cohort.hasPeople { count += 4 + instances }
    // Of an event its next date and a push on its way.
    return count + plan.reloads.count + 2 * plan.events.count + (plan.hasKindFlights ? plan.kinds.count : 0)
  }

  /// Appends room for `count` values.
  private mutating func place<Value>(_ type: Value.Type, _ count: Int) -> Int {
    let offset = (bytes + 7) / 8 * 8
    bytes = offset + count * MemoryLayout<Value>.stride
    return offset
  }

  /// The parts of the device in a block.
  @inline(__always)
  static func parts(of block: UnsafeMutableRawPointer, _ layout: UnsafePointer<DeviceLayout>) -> DeviceParts {
    DeviceParts(
      layout: layout, resting: block.assumingMemoryBound(to: RestingDevice.self),
      instances: bind(block + layout.pointee.offsets.instances), days: bind(block + layout.pointee.offsets.days),
      flows: bind(block + layout.pointee.offsets.flows))
  }

  @inline(__always)
  fileprivate static func bind<Value>(_ place: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
    place.assumingMemoryBound(to: Value.self)
  }
}

/// The parts of a device, each a list of its own: those that every turn needs at hand, the others found when asked for.
struct DeviceParts: BitwiseCopyable {
  fileprivate let layout: UnsafePointer<DeviceLayout>
  /// What stands at the beginning of the block.
  let resting: UnsafeMutablePointer<RestingDevice>
  let instances: UnsafeMutablePointer<InstanceState>
  let days: UnsafeMutablePointer<DayCounts>
  /// By slot, then of the gallery's snapshots.
  let flows: UnsafeMutablePointer<RadioFlow>

  /// By kind, for caches that a kind's instances share; then by instance.
  var caches: UnsafeMutablePointer<CacheState> { at(layout.pointee.offsets.caches) }
  /// By kind.
  var calls: UnsafeMutablePointer<CallState> { at(layout.pointee.offsets.calls) }
  /// By kind.
  var locations: UnsafeMutablePointer<HourProcess> { at(layout.pointee.offsets.locations) }
  /// By kind.
  var flights: UnsafeMutablePointer<KindFlights> { at(layout.pointee.offsets.flights) }
  /// How often something came, which keys its draws: by reload of the app, then by event, then silent pushes delivered.
  var ordinals: UnsafeMutablePointer<UInt32> { at(layout.pointee.offsets.ordinals) }
  /// Where the cohort charges over night.
  var charging: UnsafeMutablePointer<ChargingSchedule> { at(layout.pointee.offsets.charging) }
  /// The last silent pushes delivered, in a ring as long as the limit of an hour.
  var pushes: UnsafeMutablePointer<Instant> { at(layout.pointee.offsets.pushes) }
  /// The first memory of the queue.
  var queue: UnsafeMutableRawPointer { UnsafeMutableRawPointer(resting) + layout.pointee.offsets.queue }
  /// Where the cohort has people; as the views by slot.
  var person: UnsafeMutablePointer<PersonState> { at(layout.pointee.offsets.person) }
  var views: UnsafeMutablePointer<ViewHistory> { at(layout.pointee.offsets.views) }

  @inline(__always)
  private func at<Value>(_ offset: Int) -> UnsafeMutablePointer<Value> {
    DeviceLayout.bind(UnsafeMutableRawPointer(resting) + offset)
  }
}

extension KindPlan {
  /// Whether the requests of a run may be on their way one by one.
  fileprivate var sendsApart: Bool {
    attempts > 1 && (0..<requests.count).reduce(0) { $0 + requests[$1].count } > 1
  }
}
