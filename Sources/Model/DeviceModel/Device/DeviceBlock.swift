import SimulationKernel

/// A block of memory with a device that rests.
package struct DeviceBlock: BitwiseCopyable {
  package let start: UnsafeMutableRawPointer

  package init(_ start: UnsafeMutableRawPointer) { self.start = start }
}

/// What stands at the beginning of a device's block: what every turn touches.
struct DeviceHead: BitwiseCopyable {
  /// Between two turns, as `radio`.
  var queue: EventQueue<DeviceEvent>
  var radio: Radio
  var phone: PhoneState
  var network: NetworkState
  var energyDay: EnergyDay
  var power: PowerState
}

/// Where the parts of a device lie in one block of memory.
struct DeviceLayout: BitwiseCopyable, Sendable {
  fileprivate var offsets = Offsets()
  /// Events that the queue holds before it takes memory of its own.
  let queueCapacity: Int
  /// Bytes of a block.
  private(set) var bytes = 0

  /// From the beginning of the block.
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
  }

  /// The layout of a cohort's devices: what every event touches first, what people do last.
  init(plan: FleetPlan, cohort index: CohortIndex) {
    let cohort = plan.cohorts[index.place]
    let (instances, kinds) = (cohort.members.count, plan.kinds.count)
    queueCapacity = Self.eventsAtOnce(plan, cohort)
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
    offsets.pushes = place(Instant.self, plan.mostSilentPushes)
    offsets.pushCount = place(UInt32.self, plan.mostSilentPushes > 0 ? 1 : 0)
    offsets.session = place(SessionState.self, cohort.hasPeople ? 1 : 0)
    offsets.person = place(PersonState.self, cohort.hasPeople ? 1 : 0)
    offsets.views = place(ViewHistory.self, cohort.hasPeople ? instances : 0)
    offsets.pushWaits = place(PushWait.self, plan.hasPushes ? kinds : 0)
    offsets.eventWaits = place(EventWait.self, plan.eventWaits)
  }

  /// Events that a device has pending at once, but for what comes over all of its instances together.
  private static func eventsAtOnce(_ plan: FleetPlan, _ cohort: CohortPlan) -> Int {
    let instances = cohort.members.count
    // The end of the energy day and a free run's coalescing; of each instance its ticket or what its run waits for.
    var count = 2 + instances
    // Requests of one run that are tried again go ways of their own.
    for member in 0..<instances where plan.kind(cohort.members[member].kind).value.sendsApart { count += 1 }
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
}

/// A device's block, from which each part is given what it keeps.
struct DeviceMemory: BitwiseCopyable {
  private let start: UnsafeMutableRawPointer
  private let layout: UnsafePointer<DeviceLayout>

  @inline(__always)
  init(_ start: UnsafeMutableRawPointer, _ layout: UnsafePointer<DeviceLayout>) {
    self.start = start
    self.layout = layout
  }

  var queueCapacity: Int { layout.pointee.queueCapacity }

  // At the head.
  var queue: Cell<EventQueue<DeviceEvent>> { head(\.queue) }
  var radio: Cell<Radio> { head(\.radio) }
  var phone: Cell<PhoneState> { head(\.phone) }
  var network: Cell<NetworkState> { head(\.network) }
  var energyDay: Cell<EnergyDay> { head(\.energyDay) }
  var power: Cell<PowerState> { head(\.power) }

  var rows: Column<Slot, WidgetRow> { Column(at(\.rows)) }
  var days: Column<Slot, DayCounts> { Column(at(\.days)) }
  /// Memory of the energy account: by slot, then of the gallery's snapshots.
  var flows: UnsafeMutableRawPointer { at(\.flows) }
  /// First memory of the queue.
  var events: UnsafeMutableRawPointer { at(\.queue) }

  // Where the plan has such things.
  var caches: Column<CacheIndex, CacheState> { Column(at(\.caches)) }
  var calls: Column<KindIndex, CallState> { Column(at(\.calls)) }
  var locations: Column<KindIndex, HourProcess> { Column(at(\.locations)) }
  var kindFlights: Column<KindIndex, KindFlights> { Column(at(\.kindFlights)) }
  var reloadOrdinals: Column<ReloadIndex, UInt32> { Column(at(\.reloadOrdinals)) }
  var eventOrdinals: Column<EventIndex, UInt32> { Column(at(\.eventOrdinals)) }
  var pushLog: PushLog { PushLog(places: Column(at(\.pushes)), count: Cell(at(\.pushCount))) }
  var pushWaits: PushWaits { PushWaits(Column(at(\.pushWaits)), ofEvents: Column(at(\.eventWaits))) }
  var charging: Cell<ChargingSchedule> { Cell(at(\.charging)) }

  // Where the cohort has people.
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
  /// Whether the requests of a run may be on their way one by one.
  fileprivate var sendsApart: Bool {
    attempts > 1 && (0..<requests.count).reduce(0) { $0 + requests[$1].count } > 1
  }
}

/// What one part of a device keeps of each widget, kind or event, in the device's block of memory.
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

/// Room for what a scheduler's rules keep of a widget.
struct AllowanceRoom: BitwiseCopyable {
  /// Bytes.
  static let size = 32

  private var words: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
}

extension Column where Value == WidgetRow {
  /// What the scheduler keeps in a row's room, of a type that only its rules know; at most `AllowanceRoom.size` bytes.
  subscript<Allowance: BitwiseCopyable>(index: Index, as type: Allowance.Type) -> Allowance {
    @inline(__always) _read { yield room(index, type).pointee }
    @inline(__always) nonmutating _modify { yield &room(index, type).pointee }
  }

  @inline(__always)
  private func room<Allowance>(_ index: Index, _ type: Allowance.Type) -> UnsafeMutablePointer<Allowance> {
    UnsafeMutableRawPointer(first + index.place).assumingMemoryBound(to: type)
  }
}

/// What one part of a device keeps once, in the device's block of memory.
struct Cell<Value: BitwiseCopyable>: BitwiseCopyable {
  private let place: UnsafeMutablePointer<Value>

  @inline(__always) init(_ start: UnsafeMutableRawPointer) { place = start.assumingMemoryBound(to: Value.self) }

  var value: Value {
    @inline(__always) _read { yield place.pointee }
    @inline(__always) nonmutating _modify { yield &place.pointee }
  }

  func initialize(to value: Value) { place.initialize(to: value) }
}
