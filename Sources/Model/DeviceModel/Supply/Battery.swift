import Scenario
import SimulationKernel

/// The charge of a phone's battery, and the states that depend on it (MODEL.md 3.2).
struct Battery: BitwiseCopyable, Equatable {
  /// The energy of the full battery: the phone's nominal capacity times the battery health.
  let capacity: Energy
  private(set) var level: Energy
  private(set) var since: Instant
  /// Whether the battery is being charged overnight.
  var isPlugged = false
  /// Whether the battery is being charged to 80 %.
  var isToppingUp = false
  /// Whether Low Power Mode is on; it has an effect only while the phone is not charging.
  private(set) var isSaving = false
  /// Whether the level was below 15 % (`wasBelow15`) and below 20 % at the last check.
  private var wasBelow15 = false
  private var wasBelow20 = false

  /// The power that a phone draws while it is not in use (MODEL.md 3.2).
  static var floor: Power { Power(microwatts: Phone.standbyMicrowatts) }
  /// The additional power that a phone draws during a session (an assumption in MODEL.md 3.2).
  static var session: Power { Power(microwatts: ModelConstants.sessionMicrowatts) }
  static var charger: Power { Power(microwatts: ModelConstants.chargerMicrowatts) }

  /// Creates a full battery.
  ///
  /// - Parameter isOnMains: whether the phone has no battery and is always on mains power.
  init(capacity: Energy, isOnMains: Bool = false, at now: Instant) {
    self.capacity = capacity
    isPlugged = isOnMains
    level = capacity
    since = now
  }

  var isCharging: Bool { isPlugged || isToppingUp }

  /// Drains or charges the battery up to `now`, assuming that its usage and charging state have not changed since the
  /// last call.
  ///
  /// - Parameter reloads: the energy used by widgets and the user's radio, which the charger supplies while the phone
  ///   is charging.
  /// - Returns: the energy that the phone has used since the last call.
  @discardableResult
  mutating func advance(to now: Instant, isInSession: Bool, reloads: Energy = .zero) -> Energy {
    let span = now - since
    since = now
    let used = Self.drain(isInSession: isInSession) * span + reloads
    level = isCharging ? min(level + Self.charger * span, capacity) : max(level - used, .zero)
    return used
  }

  static func drain(isInSession: Bool) -> Power {
    Power(microwatts: floor.microwatts + (isInSession ? session.microwatts : 0))
  }

  /// Returns the energy in the given percentage of the full battery.
  func percent(_ count: Int64) -> Energy { Energy(nanojoules: capacity.nanojoules / 100 * count) }

  /// The result of a quarter-hourly check (MODEL.md 3.2).
  struct Verdict: Equatable {
    /// Whether a charge to 80 % starts.
    var startsTopUp: Bool
  }

  /// Performs the quarter-hourly check of the level; the battery must be up to date.
  ///
  /// - Parameters:
  ///   - topUp: whether the user charges the phone after a drop below 15 %.
  ///   - saving: whether a drop below 20 % turns on Low Power Mode.
  mutating func check(topUp: Bool, saving: Bool) -> Verdict {
    let isBelow15 = level < percent(ModelConstants.topUpBelow)
    let isBelow20 = level < percent(ModelConstants.lowPowerBelow)
    let verdict = Verdict(startsTopUp: isBelow15 && !wasBelow15 && topUp && !isCharging)
    if isBelow20, !wasBelow20, saving { isSaving = true }
    if level >= percent(ModelConstants.chargedAt) { isSaving = false }
    wasBelow15 = isBelow15
    wasBelow20 = isBelow20
    return verdict
  }

  /// The time required for a charge from the current level to 80 %, rounded up to the next millisecond.
  var topUpTime: TimeAmount {
    let missing = max(percent(ModelConstants.chargedAt) - level, .zero).nanojoules
    return .milliseconds((missing + Self.charger.microwatts - 1) / Self.charger.microwatts)
  }

  /// Ends a charge to 80 % and turns off Low Power Mode.
  mutating func endTopUp() {
    isToppingUp = false
    isSaving = false
  }

  /// Returns the first instant at which a check may have an effect; it is `.never` while the phone is charging.
  ///
  /// The result is valid until something else changes, as long as reloads draw less than 2 % of the battery.
  func nextConcern(isInSession: Bool) -> Instant {
    if isSaving || wasBelow15 || wasBelow20 { return since }
    guard !isCharging else { return .never }
    let above = max(level - percent(ModelConstants.lowPowerBelow + 2), .zero)
    return since + .milliseconds(above.nanojoules / Self.drain(isInSession: isInSession).microwatts)
  }

  /// The instant before which no check can have an effect, regardless of user activity; in the past if this instant is
  /// unknown.
  ///
  /// The instant is valid until something else changes, as long as reloads draw less than 2 % of the battery.
  var noCheckUntil: Instant {
    if isSaving || wasBelow15 || wasBelow20 { return .longAgo }
    guard !isCharging else { return .never }
    let above = max(level - percent(ModelConstants.lowPowerBelow + 4), .zero)
    return since + .milliseconds(above.nanojoules / Self.drain(isInSession: true).microwatts)
  }

  /// Drains the additional energy used by a session that has ended and during which no battery check was needed.
  ///
  /// - Returns: the energy that the phone has used since the last call.
  mutating func spendSession(lasting length: TimeAmount) -> Energy {
    let used = Self.session * length
    if !isCharging { level = level - used }
    return used
  }

  /// Whether `nextConcern` is before an instant; this is computed without a division.
  func hasConcern(before instant: Instant, isInSession: Bool) -> Bool {
    if isSaving || wasBelow15 || wasBelow20 { return since < instant }
    guard !isCharging else { return false }
    let (drained, overflows) = (instant - since).milliseconds.multipliedReportingOverflow(
      by: Self.drain(isInSession: isInSession).microwatts)
    return overflows || max(level - percent(ModelConstants.lowPowerBelow + 2), .zero).nanojoules < drained
  }
}
