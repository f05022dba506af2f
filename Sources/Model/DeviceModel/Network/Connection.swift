import Scenario
import SimulationKernel

/// The phone's connection to the network: the interface, its availability, and the radio's energy (MODEL.md 3.1, 7).
struct Connection: ~Copyable {
  private var memory: DeviceMemory
  var energy: EnergyAccount

  /// Creates a connection that has no phone yet.
  ///
  /// - Parameter memory: memory that is not used by a phone yet.
  init(plan: FleetPlan, in memory: DeviceMemory) {
    self.memory = memory
    energy = EnergyAccount(plans: plan.cohorts[0].network.radios, isKept: plan.keepsEnergy)
  }

  private var state: Cell<NetworkState> { @inline(__always) get { memory.network } }
  private var day: Cell<EnergyDay> { @inline(__always) get { memory.energyDay } }

  // MARK: The phone

  /// Starts the network of a new phone.
  mutating func begin(_ phone: inout PhoneCore, in memory: DeviceMemory) {
    self.memory = memory
    state.initialize(
      to: NetworkState(
        phone.cohort.value.network, stream: phone.stream, wall: phone.wall, beginning: phone.plan.beginning))
    day.initialize(to: EnergyDay(beginning: phone.plan.beginning, clockEnd: phone.life.end))
  }

  /// Starts a phone's energy account once its widgets are known.
  mutating func beginEnergy(_ phone: inout PhoneCore, in memory: DeviceMemory) {
    energy.begin(
      plans: phone.cohort.network.radios, interface: network.interface,
      instances: phone.plan.energyOwners(instances: phone.widgetCount), at: phone.plan.beginning, memory: memory.flows)
    energy.countWidgets(phone.widgetCount)
    phone.schedule(.energyDayEnd, at: day.value.end)
  }

  /// Resumes the connection of a parked phone.
  @inline(__always)
  mutating func wake(_ phone: inout PhoneCore, in memory: DeviceMemory) {
    self.memory = memory
    energy.resume(
      memory.radio.value, plans: phone.cohort.network.radios,
      instances: phone.plan.energyOwners(instances: phone.widgetCount),
      periodStart: day.value.start(beginning: phone.plan.beginning),
      flows: memory.flows.assumingMemoryBound(to: RadioFlow.self))
    energy.countWidgets(phone.widgetCount)
  }

  // MARK: The network

  /// The interface of the phone, and whether the phone is offline, as of the last update.
  var network: NetworkState { @inline(__always) _read { yield state.value } }

  /// Updates the network to `now`; must be called before the energy account is used.
  @inline(__always)
  mutating func advance(to now: Instant, _ phone: inout PhoneCore) {
    if !state.value.isUpToDate(at: now) { change(upTo: now, &phone) }
  }

  private mutating func change(upTo now: Instant, _ phone: inout PhoneCore) {
    let (stream, wall) = (phone.stream, phone.wall)
    while let instant = state.value.changeInterface(
      upTo: now, phone.cohort.value.network, stream: stream, wall: wall)
    {
      energy.changeInterface(to: state.value.interface, at: instant)
    }
    state.value.turn(upTo: now, phone.cohort.value.network, stream: stream)
  }

  /// Whether a request can be sent now and would have the radio to itself.
  @inline(__always)
  mutating func isFree(at now: Instant, _ phone: inout PhoneCore) -> Bool {
    advance(to: now, &phone)
    return !state.value.isOffline && energy.isFree(at: now)
  }

  // MARK: Days

  @inline(__always)
  var dayEnd: Instant { day.value.end }

  /// Ends the energy account's current day.
  ///
  /// - Parameter capacity: the battery's capacity; it is zero if there is no battery.
  mutating func endDay(at now: Instant, battery capacity: Energy, _ phone: inout PhoneCore) {
    closeDay(at: now, battery: capacity, &phone)
    day.value = day.value.next(end: phone.life.end)
    phone.schedule(.energyDayEnd, at: day.value.end)
  }

  /// Counts the energy of the last day of the clock.
  mutating func endLastDay(battery capacity: Energy, _ phone: inout PhoneCore) {
    closeDay(at: phone.life.end, battery: capacity, &phone)
  }

  /// Counts the energy that the widgets have used up to an instant.
  mutating func countEnergy(upTo now: Instant, battery capacity: Energy, _ phone: inout PhoneCore) {
    advance(to: now, &phone)
    energy.charge(upTo: now)
    count(battery: capacity, &phone)
  }

  private mutating func closeDay(at now: Instant, battery capacity: Energy, _ phone: inout PhoneCore) {
    advance(to: now, &phone)
    energy.closePeriod(at: now)
    assert(energy.brokenInvariant == nil, energy.brokenInvariant ?? "")
    count(battery: capacity, &phone)
    guard day.value.isMeasured, capacity > .zero else { return }
    let isWhole = day.value.isWhole && day.value.start(beginning: phone.plan.beginning) >= phone.life.from
    phone.tally.recordBatteryDay(day.value.spent, of: capacity, isWhole: isWhole, phone.cohortIndex)
  }

  /// Counts the charges since the last count, except during the warm-up, and clears them.
  mutating func count(battery capacity: Energy, _ phone: inout PhoneCore) {
    if day.value.isMeasured {
      countUse(&phone)
      if energy.ledger.touched & energy.widgets != 0 { countRows(&phone) }
      phone.tally.energy.add(energy.ledger, widgets: phone.widgetCount, on: energy.plan)
    }
    if capacity > .zero { phone.tally.energy.addLifelong(energy.ledger) }
    energy.forgetCharges()
  }

  /// Counts the energy of widgets' runs on the current radio.
  @inline(__always)
  private mutating func countUse(_ phone: inout PhoneCore) {
    var left = energy.ledger.unpriced & energy.widgets
    while left != 0 {
      let slot = left.trailingZeroBitCount
      left &= left &- 1
      let totals = energy.ledger.totals(of: slot)
      let spent = totals.energy(on: energy.plan)
      day.value.spent += spent
      phone.tally.recordUse(
        totals, costing: spent, interface: Int(energy.radio.interface), phone.group(of: Slot(slot)))
    }
  }

  /// Counts all other charges of the widgets; charges that do not belong to a widget are skipped.
  @inline(never)
  private mutating func countRows(_ phone: inout PhoneCore) {
    var left = energy.ledger.touched & energy.widgets
    while left != 0 {
      let slot = left.trailingZeroBitCount
      left &= left &- 1
      let row = energy.ledger[slot]
      day.value.spent += row.total
      phone.tally.recordEnergy(row, inSessions: energy.ledger.spentInSessions(slot), phone.group(of: Slot(slot)))
    }
  }
}

/// The network interface of a device and whether the device is offline, updated on access (MODEL.md 3.1).
struct NetworkState: BitwiseCopyable {
  /// The time at which the interface is drawn next; `.never` if the network is constant.
  private(set) var redraw: Instant = .never
  /// The end of the current online or offline spell.
  private(set) var turn: Instant = .never
  /// The numbers of interface draws (`redraws`) and of offline changes so far, used as the indices of the next draws.
  private var redraws: UInt32 = 1
  private var turns: UInt32 = 1
  /// The number of interface changes so far, modulo 256.
  private(set) var changes: UInt8 = 0
  private(set) var isOnWifi = true
  private(set) var isOffline = false

  /// Creates a network in its stationary state at the start of the simulation. The time since the last draw of the
  /// interface is exponentially distributed.
  init(_ plan: NetworkPlan, stream: DeviceStream, wall: WallClock, beginning: Instant) {
    if let roaming = plan.roaming {
      let draws = stream.block(.interface)
      let lastDraw = beginning - roaming.gap.span(at: draws.first)
      isOnWifi = roaming.wifi[wall.reading(at: lastDraw).hour].happens(at: draws.second)
      redraw = beginning + roaming.gap.span(at: stream.block(.interface, index: 1).first)
    }
    if let offline = plan.offline {
      let draws = stream.block(.offline)
      isOffline = offline.share.happens(at: draws.first)
      turn = beginning + Self.spell(isOffline ? offline.offline : offline.online, at: draws.second)
    }
  }

  var interface: Int { isOnWifi ? 0 : 1 }

  /// Whether the network does not change up to and including `now`.
  @inline(__always)
  func isUpToDate(at now: Instant) -> Bool { now < redraw && now < turn }

  /// Advances to the next interface change and returns its instant; `nil` if there is no change up to and including
  /// `now`.
  mutating func changeInterface(
    upTo now: Instant, _ plan: NetworkPlan, stream: DeviceStream, wall: WallClock
  ) -> Instant? {
    guard let roaming = plan.roaming else { return nil }
    while redraw <= now {
      let instant = redraw
      let draws = stream.block(.interface, index: Int(redraws))
      redraws &+= 1
      redraw = instant + roaming.gap.span(at: stream.block(.interface, index: Int(redraws)).first)
      let wifi = roaming.wifi[wall.reading(at: instant).hour].happens(at: draws.second)
      if wifi != isOnWifi {
        isOnWifi = wifi
        changes &+= 1
        return instant
      }
    }
    return nil
  }

  /// Advances to the online or offline spell that includes `now`.
  mutating func turn(upTo now: Instant, _ plan: NetworkPlan, stream: DeviceStream) {
    guard let offline = plan.offline else { return }
    while turn <= now {
      isOffline.toggle()
      let uniform = stream.block(.offline, index: Int(turns)).first
      turns &+= 1
      turn = turn + Self.spell(isOffline ? offline.offline : offline.online, at: uniform)
    }
  }

  /// Returns the length of an online or offline spell, which is at least 1 ms.
  private static func spell(_ length: SpanSampler, at uniform: UInt64) -> TimeAmount {
    max(length.span(at: uniform), .milliseconds(1))
  }
}
