package import SimulationKernel

/// The demand that a member's instances would place on their budgets if no runs were withheld, together with their
/// views (MODEL.md 1.4).
package struct DemandPlan: BitwiseCopyable, Sendable {
  /// The classes of phone users, sorted by ascending unlock rate.
  package var classes: PreparedList<DemandClass>
  /// The fractions of a day's accrual and demand that have passed since midnight, at the start of each local hour and
  /// of the next day.
  package var accrued: PreparedList<Double>
  package var asked: PreparedList<Double>

  package init(classes: PreparedList<DemandClass>, accrued: PreparedList<Double>, asked: PreparedList<Double>) {
    self.classes = classes
    self.accrued = accrued
    self.asked = asked
  }
  /// Returns the change in the balance, in runs, between midnight and the start of an hour.
  private func balance(_ hour: Int, _ capacity: Double, _ demand: Double) -> Double {
    capacity * accrued[hour] - demand * asked[hour]
  }

  /// Returns the position of an unbounded balance at a local time, relative to its minimum and maximum over the last 24
  /// hours.
  func swing(at local: TimeAmount, capacity: Double, demand: Double) -> Swing {
    let hours = Double(local.milliseconds) / Double(TimeAmount.hour.milliseconds)
    let hour = min(Int(hours), asked.count - 2)
    let (now, next) = (balance(hour, capacity, demand), balance(hour + 1, capacity, demand))
    let here = now + (next - now) * (hours - Double(hour))
    // The loop covers the current day so far and the remaining part of the previous day.
    var minimum = here
    var maximum = here
    let day = balance(asked.count - 1, capacity, demand)
    for other in 0..<asked.count - 1 {
      let there = balance(other, capacity, demand) - (other > hour ? day : 0)
      minimum = min(minimum, there)
      maximum = max(maximum, there)
    }
    let (before, after) = (accrued[hour], accrued[hour + 1])
    return Swing(
      aboveMin: here - minimum, belowMax: maximum - here,
      accrued: before + (after - before) * (hours - Double(hour)))
  }

  /// Returns the demand of a widget at a user's unlock rate. The demand is interpolated linearly between classes, and
  /// is constant below the first class and above the last class.
  func demand(ofUnlocksPerDay rate: Double) -> DemandClass {
    let above = classes.prefixLength { $0.unlocks <= rate }
    guard above > 0 else { return classes[0] }
    guard above < classes.count else { return classes[classes.count - 1] }
    let (low, high) = (classes[above - 1], classes[above])
    return low.mixed(with: high, share: (rate - low.unlocks) / (high.unlocks - low.unlocks))
  }
}

/// The position of a balance relative to its range in the last 24 hours.
struct Swing {
  var aboveMin: Double
  var belowMax: Double
  /// The fraction of a day's capacity that accrues between midnight and now.
  var accrued: Double
}

/// The demand of the widgets of users with a given unlock rate.
package struct DemandClass: BitwiseCopyable, Hashable, Sendable {
  /// The number of unlocks per day before the day factor is applied.
  package var unlocks: Double
  package var demand: DailyDemand
  /// The day-to-day variance of the daily change in the balance, in runs squared.
  package var variance: Double
  /// The mean of the capacity C if the capacity depends on views.
  package var capacity: Double
  /// The number of counted views per unlock.
  package var views: Double

  package init(unlocks: Double, demand: DailyDemand, variance: Double, capacity: Double, views: Double) {
    self.unlocks = unlocks
    self.demand = demand
    self.variance = variance
    self.capacity = capacity
    self.views = views
  }

  fileprivate func mixed(with other: DemandClass, share: Double) -> DemandClass {
    func mix(_ value: KeyPath<DemandClass, Double>) -> Double {
      self[keyPath: value] + (other[keyPath: value] - self[keyPath: value]) * share
    }
    return DemandClass(
      unlocks: mix(\.unlocks),
      demand: DailyDemand(mean: mix(\.demand.mean), perView: mix(\.demand.perView), rest: mix(\.demand.rest)),
      variance: mix(\.variance), capacity: mix(\.capacity), views: mix(\.views))
  }
}

/// The number of charged runs per day.
package struct DailyDemand: BitwiseCopyable, Hashable, Sendable {
  package var mean: Double
  /// The number of additional charged runs per day that result from one additional view.
  package var perView: Double
  /// The day-to-day variance of the number of charged runs that is not explained by views.
  package var rest: Double

  package init(mean: Double, perView: Double, rest: Double) {
    self.mean = mean
    self.perView = perView
    self.rest = rest
  }
}
