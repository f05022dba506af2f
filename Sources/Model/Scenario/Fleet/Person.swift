package import SimulationKernel

/// The habits of a cohort's users (MODEL.md 2).
package struct Person: Hashable, Keyed, Sendable {
  package var unlocksPerDay = Distribution.lognormal(median: 60.0, sigma: 0.55)
  /// The shape of the daily gamma factor; `nil` if there is no daily variation.
  package var dayVariation: Double? = 6
  /// The weights of the 24 local hours.
  package var hours = HourWeights.default
  package var session = Distribution.lognormal(median: TimeAmount.minute, sigma: 1.2)
  package var glancesPerUnlock = 1.2
  /// The mean number of further home screen visits in a session, which is Poisson-distributed.
  package var homeVisits = 1.2
  /// The probability of moving on from page 1 to the next page.
  package var nextPageFromFirst = Share(fraction: 0.25)
  /// The probability of moving on from any later page.
  package var nextPageFromLater = Share(fraction: 0.5)

  /// The share of users who have turned off Background App Refresh, and the share who always force-quit the app.
  package var refreshOff = Share.none
  package var forceQuit = Share.none

  package init() {}
}

/// The network of a cohort's devices (MODEL.md 3.1).
package enum NetworkHabits: Hashable, Sendable {
  /// A single interface at all times.
  case fixed(RadioProfile)
  case roaming(Roaming)
}

/// The network habits of a phone on Wi-Fi and cellular, with offline spells (MODEL.md 3.1).
///
/// The interface is redrawn at the instants of a Poisson process.
package struct Roaming: Hashable, Keyed, Sendable {
  /// The share of Wi-Fi for each of the 24 local hours.
  package var wifiShare = Array(repeating: Share(fraction: 0.63), count: 24)
  /// The mean time between draws of the interface.
  package var dwell = TimeAmount.hours(3)
  package var cellular = RadioProfile.lte2021Verizon
  package var offlineShare = Share.none
  package var offlineMean = TimeAmount.minutes(20)

  package init() {}
}

/// Charging habits (MODEL.md 3.2).
package enum PowerHabits: Hashable, Sendable {
  /// A phone that is always on a charger.
  case mains
  case battery(BatteryHabits)
}

/// The charging habits for a battery (MODEL.md 3.2).
package struct BatteryHabits: Hashable, Keyed, Sendable {
  /// The share of nights spent on the charger.
  package var overnight = Share(fraction: 0.85)
  /// The remaining fraction of the original battery capacity.
  package var health = Share.all
  /// The probability of Low Power Mode at a low charge.
  package var lowPowerMode = Share(fraction: 0.3)

  package init() {}
}
