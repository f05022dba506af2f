import Scenario
import SimulationKernel

/// The phone's battery and charger, including the battery level, its checks and Low Power Mode (MODEL.md 3.2).
struct PowerSupply: BitwiseCopyable {
  private let memory: DeviceMemory
  /// The amount of energy that reloads may draw before the next check must be rescheduled.
  private(set) var reserve = Energy.zero
  /// The value of `Battery.noCheckUntil` as of the last update of the battery.
  private var calm = Instant.longAgo

  /// Creates the power supply of a parked phone.
  @inline(__always)
  init(in memory: DeviceMemory) {
    self.memory = memory
    reserve = Self.reserve(of: memory.power.value.battery)
  }

  /// Creates the power supply of a new phone with a full battery.
  init(beginning phone: inout PhoneCore, in memory: DeviceMemory) {
    let battery = Battery(
      capacity: phone.cohort.value.power.capacity(phone: phone.model),
      isOnMains: !phone.cohort.value.power.hasBattery, at: phone.plan.beginning)
    memory.power.initialize(to: PowerState(battery))
    self.init(in: memory)
  }

  /// Returns the energy of 1 % of the battery; `Battery.nextConcern` lets reloads draw up to twice this energy.
  private static func reserve(of battery: Battery) -> Energy {
    let capacity = battery.capacity
    return capacity > .zero ? Energy(nanojoules: capacity.nanojoules / 100) : Energy(nanojoules: .max)
  }

  private var state: Cell<PowerState> { @inline(__always) get { memory.power } }
  private var charging: Cell<ChargingSchedule> { @inline(__always) get { memory.charging } }

  // MARK: State for other components

  /// Whether Low Power Mode is on; it has an effect only while the phone is not charging.
  @inline(__always)
  var isSaving: Bool { state.value.battery.isSaving }
  /// Whether the phone is charging or on mains power.
  @inline(__always)
  var isCharging: Bool { state.value.battery.isCharging }
  /// The energy of the full battery; it is zero if the phone is on mains power.
  @inline(__always)
  var capacity: Energy { state.value.battery.capacity }
  /// The state of the battery, for snapshots.
  var battery: Battery { state.value.battery }

  // MARK: Start

  /// Schedules the overnight charges and the first check; a phone on mains power needs no checks of its level.
  mutating func begin(_ phone: inout PhoneCore) {
    guard phone.cohort.value.power.hasBattery else { return }
    if phone.cohort.value.power.chargesOvernight { beginNights(&phone) }
    calm = state.value.battery.noCheckUntil
    watch(at: phone.plan.beginning, &phone)
  }

  private func beginNights(_ phone: inout PhoneCore) {
    let beginning = phone.plan.beginning
    charging.initialize(to: ChargingSchedule(wall: phone.wall, beginning: beginning))
    schedulePlug(after: beginning, &phone)
    let isCharging = charging.value.isCharging(
      at: beginning, phone.cohort.value.power, stream: phone.stream, wall: phone.wall)
    guard isCharging else { return }
    state.value.battery.isPlugged = true
    phone.schedule(.unplug, at: charging.value.unplugged)
  }

  private func schedulePlug(after now: Instant, _ phone: inout PhoneCore) {
    let plug = charging.value.nextPlug(after: now, phone.cohort.value.power, stream: phone.stream, wall: phone.wall)
    if plug < .never { phone.schedule(.plug, at: plug) }
  }

  // MARK: The charger

  mutating func plugIn(at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    change(at: now, &phone, &connection) { $0.isPlugged = true }
    phone.schedule(.unplug, at: charging.value.unplugged)
  }

  mutating func unplug(at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    change(at: now, &phone, &connection) { $0.isPlugged = false }
    schedulePlug(after: now, &phone)
    watch(at: now, &phone)
  }

  mutating func endTopUp(at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    change(at: now, &phone, &connection) { $0.endTopUp() }
    watch(at: now, &phone)
  }

  /// Changes how the battery is being used or charged.
  private mutating func change(
    at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection, _ change: (inout Battery) -> Void
  ) {
    advance(to: now, &phone, &connection)
    change(&state.value.battery)
    calm = state.value.battery.noCheckUntil
  }

  // MARK: The level

  /// Brings the level up to date before the phone's usage or charging state changes.
  mutating func advance(to now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    connection.advance(to: now, &phone)
    let reloads = connection.energy.takeFromBattery(at: now)
    let used = state.value.battery.advance(to: now, isInSession: phone.presence.isInSession, reloads: reloads)
    if capacity > .zero { phone.tally.energy.supply(used, fromCharger: isCharging) }
    calm = state.value.battery.noCheckUntil
  }

  /// Drains the additional energy used by a session that has ended and during which no battery check was needed.
  @inline(__always)
  func spendSession(lasting length: TimeAmount, _ phone: inout PhoneCore) {
    guard capacity > .zero else { return }
    let used = state.value.battery.spendSession(lasting: length)
    phone.tally.energy.supply(used, fromCharger: isCharging)
  }

  // MARK: Checks

  /// Reschedules the next check if reloads have drawn so much energy that the check may be needed earlier.
  @inline(never)
  mutating func rescheduleCheck(at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    advance(to: now, &phone, &connection)
    if state.value.isWatched { phone.queue.cancel(.batteryCheck) }
    state.value.isWatched = false
    watch(at: now, &phone)
  }

  /// Schedules the next quarter-hourly check that may have an effect before the state changes again.
  func watch(at now: Instant, _ phone: inout PhoneCore) {
    guard needsWatch(at: now, &phone) else { return }
    let concern = state.value.battery.nextConcern(isInSession: phone.presence.isInSession)
    state.value.isWatched = true
    phone.schedule(.batteryCheck, at: phone.accrualClock.quarter(after: max(concern - .milliseconds(1), now)))
  }

  /// Whether a check is needed but has not been scheduled.
  @inline(__always)
  private func needsWatch(at now: Instant, _ phone: inout PhoneCore) -> Bool {
    guard phone.cohort.value.power.hasBattery, !state.value.isWatched else { return false }
    return state.value.battery.hasConcern(
      before: nextChange(after: now, &phone), isInSession: phone.presence.isInSession)
  }

  /// Returns the next instant at which the drain is certain to change. Such instants are the start and end of sessions,
  /// and the times at which the phone is plugged in.
  func nextChange(after now: Instant, _ phone: inout PhoneCore) -> Instant {
    let plug = phone.cohort.value.power.chargesOvernight ? charging.value.plugged : .never
    return min(phone.nextSessionChange(after: now), plug > now ? plug : .never)
  }

  /// Returns whether no battery check is needed until an instant. Also updates the network and, if necessary, the
  /// battery.
  @inline(__always)
  mutating func needsNoCheck(
    until instant: Instant, from now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) -> Bool {
    connection.advance(to: now, &phone)
    if isCalm(until: instant, at: now, &phone, &connection) { return true }
    advance(to: now, &phone, &connection)
    return isCalm(until: instant, at: now, &phone, &connection)
  }

  /// Whether all checks before an instant would have no effect, regardless of user activity until then.
  ///
  /// The level need not be up to date, because it was sufficient for the whole span at the last update.
  @inline(__always)
  private func isCalm(
    until instant: Instant, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) -> Bool {
    guard phone.cohort.value.power.hasBattery else { return true }
    guard instant <= calm, !state.value.isWatched else { return false }
    // The limit is 2 % of the battery, and `reserve` is 1 %.
    return connection.energy.drawn(at: now) - reserve <= reserve
  }

  /// Performs the quarter-hourly check of the battery level.
  ///
  /// - Returns: whether a charge starts.
  mutating func check(at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) -> Bool {
    guard case .battery(let habits) = phone.cohort.value.power else { return false }
    let quarter = phone.accrualClock.quarterNumber(at: now)
    let draws = phone.draws(.battery, index: Int(truncatingIfNeeded: quarter))
    var startsTopUp = false
    change(at: now, &phone, &connection) {
      let verdict = $0.check(
        topUp: habits.topUp.happens(at: draws.first), saving: habits.lowPowerMode.happens(at: draws.second))
      startsTopUp = verdict.startsTopUp
    }
    if startsTopUp {
      change(at: now, &phone, &connection) { $0.isToppingUp = true }
      phone.schedule(.topUpEnd, at: now + state.value.battery.topUpTime)
    }
    state.value.isWatched = false
    return startsTopUp
  }

  /// The first broken invariant of the battery; `nil` if all invariants hold.
  var brokenInvariant: String? {
    let battery = state.value.battery
    return battery.level < .zero || battery.level > battery.capacity ? "the battery is at \(battery.level)" : nil
  }
}

struct PowerState: BitwiseCopyable {
  fileprivate var battery: Battery
  /// Whether a check is scheduled and pending.
  fileprivate var isWatched = false

  fileprivate init(_ battery: Battery) { self.battery = battery }

  /// The state that is used before the first phone starts.
  static let none = PowerState(Battery(capacity: .zero, at: .start))
}

/// The times at which a phone is on the charger, either always or overnight (MODEL.md 3.2).
///
/// The user's habits are passed to each call. The times of day are not stored; they are drawn again with the same keys.
struct ChargingSchedule: BitwiseCopyable {
  /// The end of the current or next charging spell or, if the next spell is unknown, of the last one.
  private(set) var unplugged: Instant = .longAgo
  /// The length in milliseconds of the charging spell that ends at `unplugged`; `none` if the next spell is unknown.
  private var length: UInt32 = 0
  /// The number of the first date whose night has not been evaluated yet.
  private var nextNight: Int32

  /// The maximum number of nights that are evaluated after the current night. The maximum exceeds the length of any
  /// calendar and ensures that the loop ends even if charging is rare.
  private static let nightsAhead: Int64 = 802

  private static let none = UInt32.max

  /// Creates the schedule for a device whose simulation starts at `beginning`.
  init(wall: WallClock, beginning: Instant) {
    // The charge of the previous night may still be in progress.
    nextNight = Int32(truncatingIfNeeded: wall.reading(at: beginning).day.number - 1)
  }

  /// The start of the current or next charging spell; `.never` if the next spell is unknown.
  var plugged: Instant { length == Self.none ? .never : unplugged - .milliseconds(Int64(length)) }

  /// Returns whether the phone is charging at `now`, which must not decrease between calls.
  mutating func isCharging(at now: Instant, _ power: PowerPlan, stream: DeviceStream, wall: WallClock) -> Bool {
    guard case .battery(let habits) = power else { return true }
    advance(to: now, habits, stream: stream, wall: wall)
    return now >= plugged
  }

  /// Returns the next instant after `now` at which the phone is plugged in; `.never` if this instant is unknown.
  mutating func nextPlug(after now: Instant, _ power: PowerPlan, stream: DeviceStream, wall: WallClock) -> Instant {
    guard case .battery(let habits) = power else { return .never }
    advance(to: now, habits, stream: stream, wall: wall)
    return plugged > now ? plugged : .never
  }

  /// Advances to the charging spell that includes `now` or, if there is none, to the next spell.
  private mutating func advance(to now: Instant, _ habits: BatteryPlan, stream: DeviceStream, wall: WallClock) {
    guard !habits.overnight.isImpossible else {
      length = Self.none
      return
    }
    guard now >= unplugged else { return }
    let times = stream.block(.traits, index: 2)
    let (plug, unplug) = (habits.plug.span(at: times.first), habits.unplug.span(at: times.second))
    let horizon = wall.reading(at: now).day.number + Self.nightsAhead
    while now >= unplugged {
      let night = LocalDay(number: Int64(nextNight))
      guard night.number <= horizon else {
        length = Self.none
        return
      }
      nextNight += 1
      guard habits.overnight.happens(at: stream.block(.night, index: Int(night.number)).first) else { continue }
      let from = wall.instant(of: LocalTime(day: night, plug))
      let to = wall.instant(of: LocalTime(day: LocalDay(number: Int64(nextNight)), unplug))
      // Skips nights whose plug time is after the unplug time. A charging spell never starts before the previous one
      // has ended.
      guard from < to else { continue }
      length = UInt32(clamping: (to - max(from, unplugged)).milliseconds)
      unplugged = to
    }
  }
}
