import SimulationKernel

/// The expected number of views of an instance, based on users' habits, and the resulting budget (MODEL.md 4.7; the
/// curve is an assumption).
package enum ViewsLaw {
  /// Returns the capacity C in runs per day: v if v <= 30, otherwise 30 + (cap - 30)(1 - exp(-(v - 30) / 40)).
  ///
  /// The result is at least 1 and at most `cap`.
  ///
  /// - Parameters:
  ///   - views: the number v of views per day, which must not be negative.
  ///   - cap: the upper limit of the capacity.
  package static func capacity(views: Double, cap: Double) -> Double {
    let knee = ModelConstants.viewsOneToOne
    let above = max(views - knee, 0)
    let wanted = min(views, knee) + max(cap - knee, 0) * (1 - SteadyMath.exp(-above / ModelConstants.viewsScale))
    return max(min(wanted, cap), 1)
  }

  /// Returns the number of views per day that is assumed until an instance has been observed for 7 days.
  ///
  /// On the home screen, the number is E[unlocks] x (1 + home_visits) x reach(page) x stack share; on the lock screen,
  /// the number is E[unlocks] x (1 + glances).
  ///
  /// - Parameter unlocks: the expected number of unlocks per day, E[unlocks].
  package static func views(_ placement: Placement, weight: Double, person: Person, unlocks: Double) -> Double {
    switch placement.place {
    case .lockScreen: return unlocks * (1 + person.glancesPerUnlock)
    case .homePage(let page):
      let weights = placement.members.reduce(placement.otherWeight) { $0 + $1.weight }
      let shown = placement.isStack && weights > 0 ? weight / weights : 1
      return unlocks * (1 + person.homeVisits) * reach(page, person) * shown
    }
  }

  /// The last home screen page that any user can reach.
  private static let lastPage = 2_000

  /// Returns the probability that a home screen visit reaches a page; the first page is number 1.
  private static func reach(_ page: Int, _ person: Person) -> Double {
    guard page > 1 else { return 1 }
    return (2..<min(page, lastPage)).reduce(person.nextPageFromFirst.fraction) { reached, _ in
      reached * person.nextPageFromLater.fraction
    }
  }
}

/// Bins for budget balances, starting at -1 run. Bins are 0.01 runs wide up to 0.28; above that, their width is at most
/// 1/64 of the distance from -1.
///
/// In hundredths of a run above -1, bins have a width of 1 up to 128, and there are 64 bins per power of two beyond
/// that.
package enum BalanceBins {
  package static let count = 128 + 17 * 64 + 1

  /// The start of the last bin, which has no upper limit, in hundredths of a run above -1.
  private static let longest: Int64 = 1 << 24

  package static func bin(of balance: RunMillionths) -> Int {
    let hundredths = min(max((balance.count + 1_000_000) / 10_000, 0), longest)
    let octave = 57 &- (hundredths | 127).leadingZeroBitCount
    return octave &* 64 &+ Int(truncatingIfNeeded: hundredths &>> Int64(octave))
  }

  /// Returns the lowest balance in a bin and the width of the bin, both in runs; the last bin has no upper limit.
  package static func edges(ofBin bin: Int) -> (from: Double, width: Double) {
    if bin < 128 { return (Double(bin) / 100 - 1, 0.01) }
    let octave = Int64((bin - 128) / 64 + 1)
    if octave > 17 { return (Double(longest) / 100 - 1, 0) }
    return (Double(Int64(64 + (bin - 128) % 64) << octave) / 100 - 1, Double(1 << octave) / 100)
  }
}
