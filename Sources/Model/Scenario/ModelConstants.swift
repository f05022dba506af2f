package import SimulationKernel

/// Numbers that the model's rules use and that scenario keys cannot change (Docs/MODEL.md); `FixedAssumption` lists
/// them.
@usableFromInline package enum ModelConstants {
  // Numbers that the event loop uses have plain types, so that the compiler can inline them.

  /// The time after a counted view during which further views are ignored (2.4).
  @inlinable package static var viewGapMilliseconds: Int64 { 5_000 }

  /// The power drawn by an unused phone (3.2).
  @inlinable package static var standbyMicrowatts: Int64 { 25_000 }
  /// The additional power drawn during a session (3.2).
  @inlinable package static var sessionMicrowatts: Int64 { 1_500_000 }
  /// The power supplied by a charger (3.2).
  @inlinable package static var chargerMicrowatts: Int64 { 15_000_000 }
  /// The mean and standard deviation of the local time at which phones are plugged in at night (3.2).
  package static let plug = (mean: TimeAmount.hours(23), deviation: TimeAmount.minutes(75))
  /// The mean and standard deviation of the local time at which phones are unplugged in the morning (3.2).
  package static let unplug = (mean: TimeAmount.hours(7), deviation: TimeAmount.minutes(60))
  /// The charge, in percent, below which users look for a charger during the day (3.2).
  @inlinable package static var topUpBelow: Int64 { 15 }
  /// The probability that a user who looks for a charger finds one, in percent (3.2).
  @inlinable package static var topUpChance: Int64 { 50 }
  /// The charge, in percent, below which the phone offers Low Power Mode (3.2).
  @inlinable package static var lowPowerBelow: Int64 { 20 }
  /// The charge, in percent, at which daytime charging ends and Low Power Mode turns off (3.2).
  @inlinable package static var chargedAt: Int64 { 80 }

  /// The number of views per day below which a widget counts as rarely viewed (4.2).
  @inlinable package static var rareViewsPerDay: Int { 10 }
  /// The time after which the requests of a tap count as failed (2.6).
  package static let actionTimeout = TimeAmount.seconds(30)
  /// The time after a change within which the reloads caused by the system start (4.2).
  package static let systemSpread = TimeAmount.seconds(60)
  /// The time window to which the limit on silent pushes applies (4.2).
  package static let silentPushWindow = TimeAmount.minutes(60)
  /// The maximum random reduction of the wait for Low Power Mode, in percent (4.5).
  @inlinable package static var lowPowerVariation: Int64 { 10 }
  /// The time between two additions to a budget (4.7).
  @inlinable package static var accrualStepMilliseconds: Int64 { 900_000 }
  /// The number of additions to a budget per day if they occur at all hours (4.7).
  @inlinable package static var accrualsPerDay: Int64 { 96 }
  /// The length of the night, during which users sleep, in hours (4.7).
  package static let nightHours = 8
  /// The first hour of the night if several hours are equally suitable (4.7).
  package static let usualNightHour = 23
  /// The number of additions to a budget per day during the hours in which the user is awake (4.7).
  @inlinable package static var awakeAccruals: Int64 { 64 }
  /// The number of views per day up to which each view grants one reload (4.7).
  package static let viewsOneToOne = 30.0
  /// The number of views per day that determines how fast the budget approaches its cap above `viewsOneToOne` (4.7).
  package static let viewsScale = 40.0

  /// The Retry-After value assumed for an error response that does not contain one (5.5).
  package static let retryAfter = TimeAmount.minutes(15)

  /// The power drawn by a processor that runs widget code (7.2).
  @inlinable package static var processorMicrowatts: Int64 { 600_000 }
  /// The power drawn by a processor while runs wait for responses (7.2).
  @inlinable package static var waitingMicrowatts: Int64 { 150_000 }
}
