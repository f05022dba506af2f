package import SimulationKernel

/// The habits of a cohort's owners (MODEL.md 2).
package struct Person: Hashable, Sendable {
  package var unlocksPerDay: Distribution<Double>
  /// Shape of the gamma factor of each day; nil switches it off.
  package var dayVariation: Double?
  /// 24 weights of the local hours.
  package var hours: HourWeights
  package var session: Distribution<TimeAmount>
  package var glancesPerUnlock: Double
  /// Mean of the Poisson number of further home screen visits of a session.
  package var homeVisits: Double
  /// Probability of going on from page 1.
  package var nextPageFromFirst: Share
  /// Probability of going on from any later page.
  package var nextPageFromLater: Share

  package init(
    unlocksPerDay: Distribution<Double>, dayVariation: Double?, hours: HourWeights,
    session: Distribution<TimeAmount>, glancesPerUnlock: Double, homeVisits: Double, nextPageFromFirst: Share,
    nextPageFromLater: Share
  ) {
    self.unlocksPerDay = unlocksPerDay
    self.dayVariation = dayVariation
    self.hours = hours
    self.session = session
    self.glancesPerUnlock = glancesPerUnlock
    self.homeVisits = homeVisits
    self.nextPageFromFirst = nextPageFromFirst
    self.nextPageFromLater = nextPageFromLater
  }
}

/// Weights of the local hours 0..23; only their ratios count.
package struct HourWeights: Hashable, Sendable {
  package var weights: [Double]

  package init(weights: [Double]) {
    precondition(weights.count == 24, "a day has 24 hour weights")
    self.weights = weights
  }

  package static let flat = HourWeights(weights: Array(repeating: 1, count: 24))
  /// The mean of users and packets of a city's cellular network, 19-25 Aug 2012 (../shared/reference, 5.2).
  package static let `default` = HourWeights(weights: [
    0.915, 0.612, 0.410, 0.307, 0.261, 0.273, 0.523, 1.032, 1.283, 1.224, 1.209, 1.235,
    1.256, 1.175, 1.179, 1.192, 1.257, 1.427, 1.443, 1.297, 1.207, 1.100, 1.094, 1.085,
  ])
}

/// The network of a cohort's devices (MODEL.md 3.1).
package enum NetworkHabits: Hashable, Sendable {
  /// One interface for good.
  case fixed(RadioProfile)
  case roaming(Roaming)
}

/// wifi and cellular, drawn anew at the instants of a Poisson process, and offline spells (MODEL.md 3.1).
package struct Roaming: Hashable, Sendable {
  /// By local hour, 24 values.
  package var wifiShare: [Share]
  /// Mean gap between draws of the interface.
  package var dwell: TimeAmount
  package var cellular: RadioProfile
  package var offlineShare: Share
  package var offlineMean: TimeAmount

  package init(
    wifiShare: [Share], dwell: TimeAmount, cellular: RadioProfile, offlineShare: Share, offlineMean: TimeAmount
  ) {
    self.wifiShare = wifiShare
    self.dwell = dwell
    self.cellular = cellular
    self.offlineShare = offlineShare
    self.offlineMean = offlineMean
  }
}

/// Charging habits (MODEL.md 3.2).
package enum PowerHabits: Hashable, Sendable {
  /// Always charging.
  case mains
  case battery(overnight: Share, health: Share, lowPowerMode: Share)
}
