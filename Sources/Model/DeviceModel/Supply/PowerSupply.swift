import Scenario
import SimulationKernel

/// The phone's battery and charger: its level, when it must be looked at, and Low Power Mode (MODEL.md 3.2).
struct PowerSupply: BitwiseCopyable {
  private let memory: DeviceMemory
  /// What reloads may draw before the next check is planned anew.
  private(set) var reserve = Energy.zero
  /// `Battery.calmUntil`, as of when the battery was last brought up to date.
  private var calm = Instant.longAgo

  /// A phone that has rested.
  @inline(__always)
  init(in memory: DeviceMemory) {
    self.memory = memory
    reserve = Self.reserve(of: memory.power.value.battery)
  }

  /// A new phone, its battery full.
  init(beginning phone: inout PhoneCore, in memory: DeviceMemory) {
    let battery = Battery(
      capacity: phone.cohort.value.power.capacity(phone: phone.model),
      isOnMains: !phone.cohort.value.power.hasBattery, at: phone.plan.beginning)
    memory.power.initialize(to: PowerState(battery))
    self.init(in: memory)
  }

  /// 1 % of the battery: together with the same again it is what `Battery.nextConcern` keeps for reloads.
  private static func reserve(of battery: Battery) -> Energy {
    let capacity = battery.capacity
    return capacity > .zero ? Energy(nanojoules: capacity.nanojoules / 100) : Energy(nanojoules: .max)
  }

  private var state: Cell<PowerState> { @inline(__always) get { memory.power } }
  private var charging: Cell<ChargingSchedule> { @inline(__always) get { memory.charging } }

  // MARK: What others ask

  /// Low Power Mode is on; it counts only while not charging.
  @inline(__always)
  var isSaving: Bool { state.value.battery.isSaving }
  /// Whether the phone is on a charger or on mains.
  @inline(__always)
  var isCharging: Bool { state.value.battery.isCharging }
  /// When full; zero on mains.
  @inline(__always)
  var capacity: Energy { state.value.battery.capacity }
  /// For pictures.
  var battery: Battery { state.value.battery }

  // MARK: The beginning

  /// Plans the nights on the charger and the first check; a phone on mains has no level to watch.
  mutating func begin(_ phone: inout PhoneCore) {
    guard phone.cohort.value.power.hasBattery else { return }
    if phone.cohort.value.power.chargesOvernight { beginNights(&phone) }
    calm = state.value.battery.calmUntil
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

  /// Something changes what drains or charges the battery.
  private mutating func change(
    at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection, _ change: (inout Battery) -> Void
  ) {
    advance(to: now, &phone, &connection)
    change(&state.value.battery)
    calm = state.value.battery.calmUntil
  }

  // MARK: The level

  /// Brings the level up to date before anything changes what drains or charges it.
  mutating func advance(to now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    connection.advance(to: now, &phone)
    let reloads = connection.energy.takeFromBattery(at: now)
    let used = state.value.battery.advance(to: now, isInSession: phone.presence.isInSession, reloads: reloads)
    if capacity > .zero { phone.tally.energy.supply(used, fromCharger: isCharging) }
    calm = state.value.battery.calmUntil
  }

  /// Takes what a session added that is over, while nothing concerned the battery.
  @inline(__always)
  func spendSession(lasting length: TimeAmount, _ phone: inout PhoneCore) {
    guard capacity > .zero else { return }
    let used = state.value.battery.spendSession(lasting: length)
    phone.tally.energy.supply(used, fromCharger: isCharging)
  }

  // MARK: Checks

  /// Reloads have drawn so much that the next check may have to come sooner.
  @inline(never)
  mutating func reconsider(at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection) {
    advance(to: now, &phone, &connection)
    if state.value.isWatched { phone.queue.cancel(.batteryCheck) }
    state.value.isWatched = false
    watch(at: now, &phone)
  }

  /// Plans the next check of a quarter hour that may find something before the state changes again.
  func watch(at now: Instant, _ phone: inout PhoneCore) {
    guard needsWatch(at: now, &phone) else { return }
    let concern = state.value.battery.nextConcern(isInSession: phone.presence.isInSession)
    state.value.isWatched = true
    phone.schedule(.batteryCheck, at: phone.accrualClock.quarter(after: max(concern - .milliseconds(1), now)))
  }

  /// Whether a check must be planned that is not.
  @inline(__always)
  private func needsWatch(at now: Instant, _ phone: inout PhoneCore) -> Bool {
    guard phone.cohort.value.power.hasBattery, !state.value.isWatched else { return false }
    return state.value.battery.hasConcern(
      before: nextChange(after: now, &phone), isInSession: phone.presence.isInSession)
  }

  /// When the present drain ends for sure: with the session, at the next one, or on the charger.
  func nextChange(after now: Instant, _ phone: inout PhoneCore) -> Instant {
    let plug = phone.cohort.value.power.chargesOvernight ? charging.value.plugged : .never
    return min(phone.nextSessionChange(after: now), plug > now ? plug : .never)
  }

  /// Whether nothing concerns the battery from now on until an instant; brings the network and, if need be, it up to now.
  @inline(__always)
  mutating func staysCalm(
    until instant: Instant, from now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) -> Bool {
    connection.advance(to: now, &phone)
    if isCalm(until: instant, at: now, &phone, &connection) { return true }
    advance(to: now, &phone, &connection)
    return isCalm(until: instant, at: now, &phone, &connection)
  }

  /// Whether a check before an instant would find nothing, whatever the person does until then.
  ///
  /// It need not be known how full the battery is: when it last was, there was enough for all that time.
  @inline(__always)
  private func isCalm(
    until instant: Instant, at now: Instant, _ phone: inout PhoneCore, _ connection: inout Connection
  ) -> Bool {
    guard phone.cohort.value.power.hasBattery else { return true }
    guard instant <= calm, !state.value.isWatched else { return false }
    // 2 % in all, of which a reserve is 1.
    return connection.energy.drawn(at: now) - reserve <= reserve
  }

  /// The check of a quarter hour.
  ///
  /// - Returns: whether the phone goes on a charger.
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

  /// What is wrong with the battery; nil when all is well.
  var brokenInvariant: String? {
    let battery = state.value.battery
    return battery.level < .zero || battery.level > battery.capacity ? "the battery is at \(battery.level)" : nil
  }
}

/// What a phone remembers of its battery.
struct PowerState: BitwiseCopyable {
  fileprivate var battery: Battery
  /// Whether a check is pending.
  fileprivate var isWatched = false

  fileprivate init(_ battery: Battery) { self.battery = battery }

  /// While there is no phone yet.
  static let none = PowerState(Battery(capacity: .zero, at: .start))
}

/// When a phone is plugged in: always, or over the nights that fall to it (MODEL.md 3.2).
///
/// Its owner's habits are told anew at every call; the times of the day are drawn anew by their key.
struct ChargingSchedule: BitwiseCopyable {
  /// The end of the next or present spell on the charger, or of the last one.
  private(set) var unplugged: Instant = .longAgo
  /// The length of that spell, in milliseconds; `none`: no next one is to be foreseen.
  private var length: UInt32 = 0
  /// The number of the first date whose night was not yet looked at.
  private var nextNight: Int32

  /// Nights looked at beyond the present one: more than a calendar has, so that rare charging ends the search.
  private static let nightsAhead: Int64 = 802

  private static let none = UInt32.max

  /// The schedule of a device whose world begins at `beginning`.
  init(wall: WallClock, beginning: Instant) {
    // The night before may still be on.
    nextNight = Int32(truncatingIfNeeded: wall.reading(at: beginning).day.number - 1)
  }

  /// The beginning of the next or present spell on the charger; `.never` if none is to be foreseen.
  var plugged: Instant { length == Self.none ? .never : unplugged - .milliseconds(Int64(length)) }

  /// Whether the phone charges at `now`; instants asked for never go back.
  mutating func isCharging(at now: Instant, _ power: PowerPlan, stream: DeviceStream, wall: WallClock) -> Bool {
    guard case .battery(let habits) = power else { return true }
    advance(to: now, habits, stream: stream, wall: wall)
    return now >= plugged
  }

  /// The next instant after `now` at which the phone is plugged in; `.never` if that is not to be foreseen.
  mutating func nextPlug(after now: Instant, _ power: PowerPlan, stream: DeviceStream, wall: WallClock) -> Instant {
    guard case .battery(let habits) = power else { return .never }
    advance(to: now, habits, stream: stream, wall: wall)
    return plugged > now ? plugged : .never
  }

  /// Moves on to the spell that `now` lies in or before.
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
      // A night whose plug would come after its unplug is none, and a spell never begins before the last has ended.
      guard from < to else { continue }
      length = UInt32(clamping: (to - max(from, unplugged)).milliseconds)
      unplugged = to
    }
  }
}
