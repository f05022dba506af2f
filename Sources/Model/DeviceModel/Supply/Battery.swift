import Scenario
import SimulationKernel

/// The charge of a phone's battery and what depends on it (MODEL.md 3.2).
struct Battery: BitwiseCopyable, Equatable {
  /// When full: the phone's energy times its health.
  let capacity: Energy
  private(set) var level: Energy
  private(set) var since: Instant
  /// On the charger over night.
  var isPlugged = false
  /// On the charger until 80 % are reached.
  var isToppingUp = false
  /// Low Power Mode is on; it counts only while not charging.
  private(set) var isSaving = false
  /// Whether the last check found the level below 15 % and below 20 %.
  private var wasBelow15 = false
  private var wasBelow20 = false

  /// The floor of a phone that nobody uses (MODEL.md 3.2).
  static var floor: Power { Power(microwatts: Phone.standbyMicrowatts) }
  /// What a session adds; an assumption of MODEL.md 3.2.
  static var session: Power { Power(microwatts: ModelConstants.sessionMicrowatts) }
  static var charger: Power { Power(microwatts: ModelConstants.chargerMicrowatts) }

  /// A full battery.
  ///
  /// - Parameter isOnMains: the phone has none, and is never without a charger.
  init(capacity: Energy, isOnMains: Bool = false, at now: Instant) {
    self.capacity = capacity
    isPlugged = isOnMains
    level = capacity
    since = now
  }

  var isCharging: Bool { isPlugged || isToppingUp }

  /// Drains or charges up to `now`, in the state that has held since the last call.
  ///
  /// - Parameter reloads: what widgets and the person's radio drew; on the charger it comes from there.
  /// - Returns: what the phone used.
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

  /// A share of the full battery, in whole percent.
  func percent(_ count: Int64) -> Energy { Energy(nanojoules: capacity.nanojoules / 100 * count) }

  /// What a check starts (MODEL.md 3.2).
  struct Verdict: Equatable {
    /// A charge to 80 %.
    var startsTopUp: Bool
  }

  /// The look of every quarter hour, on a battery that is up to date.
  ///
  /// - Parameters:
  ///   - topUp: whether a drop below 15 % leads to the charger.
  ///   - saving: whether a drop below 20 % turns Low Power Mode on.
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

  /// How long a charge to 80 % takes from here, rounded up to the millisecond.
  var topUpTime: TimeAmount {
    let missing = max(percent(ModelConstants.chargedAt) - level, .zero).nanojoules
    return .milliseconds((missing + Self.charger.microwatts - 1) / Self.charger.microwatts)
  }

  /// The charge to 80 % is done, which ends Low Power Mode too.
  mutating func endTopUp() {
    isToppingUp = false
    isSaving = false
  }

  /// The first instant at which a check may find something, as long as nothing else changes and reloads draw less than
  /// 2 % of the battery until then; `.never` on the charger.
  func nextConcern(isInSession: Bool) -> Instant {
    if isSaving || wasBelow15 || wasBelow20 { return since }
    guard !isCharging else { return .never }
    let above = max(level - percent(ModelConstants.lowPowerBelow + 2), .zero)
    return since + .milliseconds(above.nanojoules / Self.drain(isInSession: isInSession).microwatts)
  }

  /// Until when no check may find anything whatever the person does, as long as nothing else changes and reloads draw
  /// less than 2 % of the battery; in the past where that cannot be said.
  var calmUntil: Instant {
    if isSaving || wasBelow15 || wasBelow20 { return .longAgo }
    guard !isCharging else { return .never }
    let above = max(level - percent(ModelConstants.lowPowerBelow + 4), .zero)
    return since + .milliseconds(above.nanojoules / Self.drain(isInSession: true).microwatts)
  }

  /// Drains what a session added that is over, while nothing concerned the battery.
  ///
  /// - Returns: what the phone used.
  mutating func spendSession(lasting length: TimeAmount) -> Energy {
    let used = Self.session * length
    if !isCharging { level = level - used }
    return used
  }

  /// Whether `nextConcern` lies before an instant, told without a division.
  func hasConcern(before instant: Instant, isInSession: Bool) -> Bool {
    if isSaving || wasBelow15 || wasBelow20 { return since < instant }
    guard !isCharging else { return false }
    let (drained, overflows) = (instant - since).milliseconds.multipliedReportingOverflow(
      by: Self.drain(isInSession: isInSession).microwatts)
    return overflows || max(level - percent(ModelConstants.lowPowerBelow + 2), .zero).nanojoules < drained
  }
}
