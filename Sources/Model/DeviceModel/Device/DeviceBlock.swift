import SimulationKernel

/// A memory block that holds a parked device.
package struct DeviceBlock: BitwiseCopyable {
  package let start: UnsafeMutableRawPointer

  package init(_ start: UnsafeMutableRawPointer) { self.start = start }
}

/// The beginning of a device's block, which is accessed whenever the device is simulated.
struct DeviceHead: BitwiseCopyable {
  /// The event queue, which, like `radio`, is stored here while the device is parked.
  var queue: EventQueue<DeviceEvent>
  var radio: Radio
  var phone: PhoneState
  var network: NetworkState
  var energyDay: EnergyDay
  var power: PowerState
}

/// The layout of a device's components in one memory block.
struct DeviceLayout: BitwiseCopyable, Sendable {
  fileprivate var offsets = Offsets()
  /// The number of events that the queue can hold before it allocates separate memory.
  let queueCapacity: Int
  /// The size of the memory available to a provider's code for a widget.
  fileprivate let providerBytes: Int
  /// The size of a block in bytes.
  private(set) var bytes = 0

  /// The offsets of the components from the start of the block.
  fileprivate struct Offsets: BitwiseCopyable {
    var rows = 0
    var days = 0
    var flows = 0
    var caches = 0
    var calls = 0
    var locations = 0
    var kindFlights = 0
    var reloadOrdinals = 0
    var eventOrdinals = 0
    var pushes = 0
    var pushCount = 0
    var queue = 0
    var charging = 0
    var session = 0
    var person = 0
    var views = 0
    var pushWaits = 0
    var eventWaits = 0
    var failures = 0
    var actions = 0
    var providers = 0
    var chosen = 0
  }

  /// Computes the layout for a cohort's devices. Components that every event uses come first; those that require a user
  /// come last.
  init(plan: FleetPlan, cohort index: CohortIndex) {
    let cohort = plan.cohorts[index.place]
    let (instances, kinds) = (cohort.members.count, plan.kinds.count)
    queueCapacity = Self.eventsAtOnce(plan, cohort)
    providerBytes = plan.providerBytes
    bytes = MemoryLayout<DeviceHead>.stride
    offsets.queue = place(EventQueue<DeviceEvent>.Entry.self, queueCapacity)
    offsets.flows = place(RadioFlow.self, plan.energyOwners(instances: instances))
    offsets.rows = place(WidgetRow.self, instances)
    offsets.days = place(DayCounts.self, instances)
    offsets.caches = place(CacheState.self, plan.hasCaches ? kinds + instances : 0)
    offsets.calls = place(CallState.self, plan.hasCalls ? kinds : 0)
    offsets.locations = place(HourProcess.self, plan.hasMovements ? kinds : 0)
    offsets.kindFlights = place(KindFlights.self, plan.hasKindFlights ? kinds : 0)
    offsets.reloadOrdinals = place(UInt32.self, plan.reloads.count)
    offsets.eventOrdinals = place(UInt32.self, plan.events.count)
    offsets.charging = place(ChargingSchedule.self, cohort.power.chargesOvernight ? 1 : 0)
    offsets.pushes = place(Instant.self, plan.maxSilentPushes)
    offsets.pushCount = place(UInt32.self, plan.maxSilentPushes > 0 ? 1 : 0)
    offsets.session = place(SessionState.self, cohort.hasPeople ? 1 : 0)
    offsets.person = place(PersonState.self, cohort.hasPeople ? 1 : 0)
    offsets.views = place(ViewHistory.self, cohort.hasPeople ? instances : 0)
    offsets.pushWaits = place(PushWait.self, plan.hasPushes ? kinds : 0)
    offsets.eventWaits = place(EventWait.self, plan.eventWaits)
    offsets.actions = place(ActionState.self, plan.hasActions ? instances : 0)
    offsets.failures = place(UInt8.self, plan.hasBackoffs ? instances : 0)
    offsets.chosen = place(UInt64.self, plan.choosesRequests ? instances : 0)
    offsets.providers = place(UInt64.self, instances * providerBytes / 8)
  }

  /// Returns the maximum number of pending events on a device, excluding events that all of its instances receive at
  /// the same time.
  private static func eventsAtOnce(_ plan: FleetPlan, _ cohort: CohortPlan) -> Int {
    let instances = cohort.members.count
    // One event is for the end of the energy day, and one is for coalescing with a free run. In addition, each instance
    // has one event for its ticket or its run.
    var count = 2 + instances
    // The requests of a run have separate events when they are retried.
    for member in 0..<instances where plan.kind(cohort.members[member].kind).value.sendsApart { count += 1 }
    // The battery check and the charger check use one event each. A charge to 80 % uses the event reserved for a free
    // run.
    if case .battery = cohort.power { count += 2 }
    // There is one event each for midnight, the session, the visit and the glance, and one per instance for a burst of
    // taps.
    if cohort.hasPeople { count += 4 + instances }
    // Each instance may have an event for the requests of a tap.
    if plan.hasActions { count += instances }
    if plan.windows != nil { count += 1 }
    // Each external event needs one event for its next occurrence and one for a pending push.
    return count + plan.reloads.count + 2 * plan.events.count + (plan.hasKindFlights ? plan.kinds.count : 0)
  }

  /// Appends space for `count` values to the layout.
  private mutating func place<Value>(_ type: Value.Type, _ count: Int) -> Int {
    let offset = (bytes + 7) / 8 * 8
    bytes = offset + count * MemoryLayout<Value>.stride
    return offset
  }
}

/// A device's memory block, with accessors for the memory of each component.
struct DeviceMemory: BitwiseCopyable {
  private let start: UnsafeMutableRawPointer
  private let layout: UnsafePointer<DeviceLayout>

  @inline(__always)
  init(_ start: UnsafeMutableRawPointer, _ layout: UnsafePointer<DeviceLayout>) {
    self.start = start
    self.layout = layout
  }

  var queueCapacity: Int { layout.pointee.queueCapacity }

  // The following values are stored in the head of the block.
  var queue: Cell<EventQueue<DeviceEvent>> { head(\.queue) }
  var radio: Cell<Radio> { head(\.radio) }
  var phone: Cell<PhoneState> { head(\.phone) }
  var network: Cell<NetworkState> { head(\.network) }
  var energyDay: Cell<EnergyDay> { head(\.energyDay) }
  var power: Cell<PowerState> { head(\.power) }

  var rows: Column<Slot, WidgetRow> { Column(at(\.rows)) }
  var days: Column<Slot, DayCounts> { Column(at(\.days)) }
  /// The memory for the energy account: the flow of each slot, followed by the flow of the gallery's snapshots.
  var flows: UnsafeMutableRawPointer { at(\.flows) }
  /// The initial memory of the queue.
  var events: UnsafeMutableRawPointer { at(\.queue) }

  // The following components exist only if the plan needs them.
  var caches: Column<CacheIndex, CacheState> { Column(at(\.caches)) }
  var calls: Column<KindIndex, CallState> { Column(at(\.calls)) }
  var locations: Column<KindIndex, HourProcess> { Column(at(\.locations)) }
  var kindFlights: Column<KindIndex, KindFlights> { Column(at(\.kindFlights)) }
  var reloadOrdinals: Column<ReloadIndex, UInt32> { Column(at(\.reloadOrdinals)) }
  var eventOrdinals: Column<EventIndex, UInt32> { Column(at(\.eventOrdinals)) }
  var pushLog: PushLog { PushLog(places: Column(at(\.pushes)), count: Cell(at(\.pushCount))) }
  var actions: Column<Slot, ActionState> { Column(at(\.actions)) }
  /// The number of consecutive failed runs of each widget.
  var failures: Column<Slot, UInt8> { Column(at(\.failures)) }
  /// The requests that each widget's code has chosen for the run in progress, as bits.
  var chosen: Column<Slot, UInt64> { Column(at(\.chosen)) }
  /// Returns the memory available to the provider's code for a widget.
  @inline(__always)
  func providerMemory(of slot: Slot) -> UnsafeMutableRawPointer {
    at(\.providers) + slot.place &* layout.pointee.providerBytes
  }
  var pushWaits: PushWaits { PushWaits(Column(at(\.pushWaits)), ofEvents: Column(at(\.eventWaits))) }
  var charging: Cell<ChargingSchedule> { Cell(at(\.charging)) }

  // The following components exist only if the cohort has users.
  var session: Cell<SessionState> { Cell(at(\.session)) }
  var person: Cell<PersonState> { Cell(at(\.person)) }
  var views: Column<Slot, ViewHistory> { Column(at(\.views)) }

  @inline(__always)
  private func head<Value>(_ part: KeyPath<DeviceHead, Value>) -> Cell<Value> {
    Cell(start + (MemoryLayout<DeviceHead>.offset(of: part) ?? 0))
  }

  @inline(__always)
  private func at(_ offset: KeyPath<DeviceLayout.Offsets, Int>) -> UnsafeMutableRawPointer {
    start + layout.pointee.offsets[keyPath: offset]
  }
}

extension KindPlan {
  /// Whether the requests of a run may be sent separately.
  fileprivate var sendsApart: Bool {
    attempts > 1 && (0..<requests.count).reduce(0) { $0 + requests[$1].count } > 1
  }
}

/// A column of values in the device's memory block, with one value per widget, kind or event.
struct Column<Index: PlanIndex, Value: BitwiseCopyable>: BitwiseCopyable {
  private let first: UnsafeMutablePointer<Value>

  @inline(__always) init(_ start: UnsafeMutableRawPointer) { first = start.assumingMemoryBound(to: Value.self) }

  subscript(index: Index) -> Value {
    @inline(__always) _read { yield first[index.place] }
    @inline(__always) nonmutating _modify { yield &first[index.place] }
  }

  func initialize(_ index: Index, to value: Value) { (first + index.place).initialize(to: value) }
  func initialize(repeating value: Value, count: Int) { first.initialize(repeating: value, count: count) }
}

/// The memory in which the scheduler's rules keep their state for a widget.
struct AllowanceBuffer: BitwiseCopyable {
  /// The size of the memory in bytes.
  static let size = 32

  private var words: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
}

extension Column where Value == WidgetRow {
  /// Accesses the state of the scheduler's rules in a row, as the type that the rules use. The type must have at most
  /// `AllowanceBuffer.size` bytes.
  subscript<Allowance: BitwiseCopyable>(index: Index, as type: Allowance.Type) -> Allowance {
    @inline(__always) _read { yield room(index, type).pointee }
    @inline(__always) nonmutating _modify { yield &room(index, type).pointee }
  }

  @inline(__always)
  private func room<Allowance>(_ index: Index, _ type: Allowance.Type) -> UnsafeMutablePointer<Allowance> {
    UnsafeMutableRawPointer(first + index.place).assumingMemoryBound(to: type)
  }
}

/// A single value of a device component, in the device's memory block.
struct Cell<Value: BitwiseCopyable>: BitwiseCopyable {
  private let place: UnsafeMutablePointer<Value>

  @inline(__always) init(_ start: UnsafeMutableRawPointer) { place = start.assumingMemoryBound(to: Value.self) }

  var value: Value {
    @inline(__always) _read { yield place.pointee }
    @inline(__always) nonmutating _modify { yield &place.pointee }
  }

  func initialize(to value: Value) { place.initialize(to: value) }
}
