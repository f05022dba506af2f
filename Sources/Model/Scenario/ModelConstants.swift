package import SimulationKernel

/// Numbers of Docs/MODEL.md that no key of a scenario changes; the rules read them here, `FixedAssumption` lists them.
@usableFromInline package enum ModelConstants {
  // What the event loop asks for is a plain number, which the compiler puts into its place.

  /// A view sooner after the last counted one is ignored (2.4).
  @inlinable package static var viewGapMilliseconds: Int64 { 5_000 }

  /// What a phone that nobody uses draws (3.2).
  @inlinable package static var standbyMicrowatts: Int64 { 25_000 }
  /// What a session adds to it (3.2).
  @inlinable package static var sessionMicrowatts: Int64 { 1_500_000 }
  /// What a charger gives (3.2).
  @inlinable package static var chargerMicrowatts: Int64 { 15_000_000 }
  /// When phones are plugged in at night: local time, mean and standard deviation (3.2).
  package static let plug = (mean: TimeAmount.hours(23), deviation: TimeAmount.minutes(75))
  /// When they are unplugged in the morning (3.2).
  package static let unplug = (mean: TimeAmount.hours(7), deviation: TimeAmount.minutes(60))
  /// Below this charge, in percent, people look for a charger by day (3.2).
  @inlinable package static var topUpBelow: Int64 { 15 }
  /// How often they find one, in percent (3.2).
  @inlinable package static var topUpChance: Int64 { 50 }
  /// Below this charge, in percent, Low Power Mode is offered (3.2).
  @inlinable package static var lowPowerBelow: Int64 { 20 }
  /// At this charge, in percent, a charge by day and Low Power Mode end (3.2).
  @inlinable package static var chargedAt: Int64 { 80 }

  /// Widgets with fewer views a day are rarely viewed (4.2).
  @inlinable package static var rareViewsPerDay: Int { 10 }
  /// System reloads begin within this span after the change (4.2).
  package static let systemSpread = TimeAmount.seconds(60)
  /// The span in which silent pushes are counted against their limit (4.2).
  package static let silentPushWindow = TimeAmount.minutes(60)
  /// How long Low Power Mode withholds a reload at most (4.5).
  package static let lowPowerWait = TimeAmount.minutes(15)
  /// By how much of it, in percent, the wait falls short at random (4.5).
  @inlinable package static var lowPowerVariation: Int64 { 10 }
  /// Between two accruals of a budget (4.7).
  @inlinable package static var accrualStepMilliseconds: Int64 { 900_000 }
  /// Accruals of a day, around the clock (4.7).
  @inlinable package static var accrualsPerDay: Int64 { 96 }
  /// Those before people are awake, up to 07:00 (4.7).
  @inlinable package static var asleepAccruals: Int64 { 28 }
  /// Accruals of a day when people are awake (4.7).
  @inlinable package static var awakeAccruals: Int64 { 64 }
  /// Up to so many views a day each of them grants one reload (4.7).
  package static let viewsOneToOne = 30.0
  /// How slowly the budget approaches its cap above that, in views a day (4.7).
  package static let viewsScale = 40.0

  /// When a crashed run is tried again (5.1).
  package static let crashRetry = TimeAmount.hours(1)
  /// The Retry-After of an error that brings none (5.5).
  package static let retryAfter = TimeAmount.minutes(15)

  /// What a processor at work for a widget draws (7.2).
  @inlinable package static var processorMicrowatts: Int64 { 600_000 }
  /// What it draws while runs wait for answers (7.2).
  @inlinable package static var waitingMicrowatts: Int64 { 150_000 }
}
