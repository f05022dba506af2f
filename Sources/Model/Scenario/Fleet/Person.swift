package import SimulationKernel

/// The habits of a cohort's users (MODEL.md 2).
package struct Person: Hashable, Keyed, Sendable {
  package var unlocksPerDay = Distribution.lognormal(median: 60.0, sigma: 0.55)
  /// The shape parameter of the gamma distribution of daily factors; `nil` if usage does not vary from day to day.
  package var dayVariation: Double? = 6
  /// The relative weights of the 24 local hours.
  package var hours = HourWeights.default
  package var session = Distribution.lognormal(median: TimeAmount.minute, sigma: 1.2)
  package var glancesPerUnlock = 1.2
  /// The mean of the Poisson-distributed number of additional home screen visits per session.
  package var homeVisits = 1.2
  /// The probability that a user on page 1 moves on to the next page.
  package var nextPageFromFirst = Share(fraction: 0.25)
  /// The probability that a user on a later page moves on to the next page.
  package var nextPageFromLater = Share(fraction: 0.5)

  /// The share of users who have turned off Background App Refresh, and the share of users who always force-quit the
  /// app.
  package var refreshOff = Share.none
  package var forceQuit = Share.none

  package init() {}
}

/// The network access of a cohort's devices (MODEL.md 3.1).
package enum NetworkHabits: Hashable, Sendable {
  /// A single network interface that never changes.
  case fixed(RadioProfile)
  case roaming(Roaming)
}

/// The network habits for phones that alternate between Wi-Fi and cellular, with offline spells (MODEL.md 3.1).
///
/// The interface is drawn again at the instants of a Poisson process.
package struct Roaming: Hashable, Keyed, Sendable {
  /// The share of time on Wi-Fi in each of the 24 local hours.
  package var wifiShare = Array(repeating: Share(fraction: 0.63), count: 24)
  /// The mean time between two draws of the interface.
  package var dwell = TimeAmount.hours(3)
  package var cellular = RadioProfile.lte2021Verizon
  package var offlineShare = Share.none
  package var offlineMean = TimeAmount.minutes(20)

  package init() {}
}

/// The charging habits of a cohort's users (MODEL.md 3.2).
package enum PowerHabits: Hashable, Sendable {
  /// The power supply of a phone that is always on a charger.
  case mains
  case battery(BatteryHabits)
}

/// The charging habits of users whose phones run on battery (MODEL.md 3.2).
package struct BatteryHabits: Hashable, Keyed, Sendable {
  /// The share of nights during which the phone is charged.
  package var overnight = Share(fraction: 0.85)
  /// The remaining battery capacity as a fraction of the original capacity.
  package var health = Share.all
  /// The probability that Low Power Mode is turned on when the charge is low.
  package var lowPowerMode = Share(fraction: 0.3)

  package init() {}
}
