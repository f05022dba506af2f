import Numerics
import Scenario
import SimulationKernel

/// The budget's capacity C per day from views per day v (MODEL.md 4.7; its curve is an assumption there).
enum ViewsCapacity {
  /// - Parameters:
  ///   - views: v, from 0 up.
  ///   - cap: runs per day that C cannot exceed.
  static func capacity(views: Double, cap: Double) -> RunMillionths {
    let knee = ModelConstants.viewsOneToOne
    let above = max(views - knee, 0)
    let wanted =
      min(views, knee) + max(cap - knee, 0) * (1 - SteadyMath.exp(-above / ModelConstants.viewsScale))
    return RunMillionths(count: Int64((max(min(wanted, cap), 1) * 1_000_000).rounded(.down)))
  }

  /// v before an instance has been seen for 7 days: what its cohort's habits make likely.
  static func estimatedViews(_ placement: Placement, weight: Double, person: Person) throws(NumericsError) -> Double {
    let unlocks = try person.unlocksPerDay.mean()
    switch placement.place {
    case .lockScreen: return unlocks * (1 + person.glancesPerUnlock)
    case .homePage(let page):
      let weights = placement.members.reduce(placement.otherWeight) { $0 + $1.weight }
      let shown = placement.isStack && weights > 0 ? weight / weights : 1
      return unlocks * (1 + person.homeVisits) * reach(page, person) * shown
    }
  }

  /// The probability that a visit of the home screen comes to a page, counted from 1.
  private static func reach(_ page: Int, _ person: Person) -> Double {
    guard page > 1 else { return 1 }
    return (2..<page).reduce(person.nextPageFromFirst.fraction) { reached, _ in
      reached * person.nextPageFromLater.fraction
    }
  }
}

extension Distribution<Double> {
  /// The expectation; a normal draw below 0 counts as 0.
  func mean() throws(NumericsError) -> Double {
    switch self {
    case .constant(let value): return value
    case .uniform(let low, let high): return (low + high) / 2
    case .exponential(let mean): return mean
    case .normal(let mean, let deviation): return try RectifiedNormal.mean(mean: mean, deviation: deviation)
    case .lognormal(let median, let sigma): return median * SteadyMath.exp(sigma * sigma / 2)
    case .choice(let options): return options.reduce(0) { $0 + $1.value * $1.weight }
    }
  }
}
