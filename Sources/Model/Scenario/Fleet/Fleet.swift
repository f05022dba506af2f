package import SimulationKernel

/// `fleet` of the file.
package struct Fleet: Hashable, Keyed, Sendable {
  /// What `devices` takes, and a fleet may grow to.
  package static let mostDevices = 1e9

  package var devices = 1
  /// Standard deviation of the logarithm of the day factor that all devices share; nil: there is none.
  package var dayFactorSigma: Double?
  /// By what share of themselves the devices become more in a day; nil: they stay as many.
  package var growthPerDay: Change?
  package var cohorts: [Cohort] = []

  package init() {}

  /// How many times as many devices there are at the end of a measured period as at its start (MODEL.md 1.5).
  package func growth(over duration: TimeAmount) -> Double {
    SteadyMath.exp(growthLogarithm * duration.seconds / TimeAmount.day.seconds)
  }

  /// Phones that there are in the mean of a clock, for each at its start (MODEL.md 1.5).
  package func meanGrowth(over clock: Clock) -> Double {
    guard growthLogarithm != 0 else { return 1 }
    let days = { (span: TimeAmount) in span.seconds / TimeAmount.day.seconds }
    let before = days(clock.settle + clock.warmup)
    let later = (growth(over: clock.duration) - 1) / growthLogarithm
    return (before + later) / max(before + days(clock.duration), .leastNormalMagnitude)
  }

  /// ln(1 + g) of the growth g of a day; 0 where the devices stay as many.
  package var growthLogarithm: Double { growthPerDay.map { SteadyMath.log(1 + $0.fraction) } ?? 0 }
}

/// A share by which something becomes more, or less.
package struct Change: Hashable, Sendable {
  /// -1 and above; below 0 it becomes less.
  package var fraction: Double

  package init(fraction: Double) { self.fraction = fraction }
}

/// Devices that share their habits.
package struct Cohort: Hashable, Keyed, Sendable {
  package var name = ""
  /// Share of the fleet; shares add up to 1.
  package var share = Share.all
  /// IANA names with shares that add up to 1.
  package var zones: [Weighted<String>] = []
  /// Phone names (`iphone-15`) with shares that add up to 1.
  package var phones = [Weighted("iphone-15", weight: 1)]
  package var person = Person()
  package var network = NetworkHabits.roaming(Roaming())
  package var power = PowerHabits.battery(BatteryHabits())
  /// The cohort's own system where it has one (mixed versions); `Scenario.os` otherwise.
  package var os: OperatingSystem?
  package var widgets: [Placement] = []

  package init() {}
}

/// What a cohort's devices may have on their screens: one widget, or one smart stack.
package struct Placement: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// Counted from 1.
    case homePage(Int)
    case lockScreen
  }

  package struct Member: Hashable, Sendable {
    /// Index into `Scenario.kinds`.
    package var kind: Int
    package var family: Family
    /// Weight of being shown in its stack; 1 outside stacks.
    package var weight: Double

    package init(kind: Int, family: Family, weight: Double) {
      self.kind = kind
      self.family = family
      self.weight = weight
    }
  }

  /// One member, or the members of a smart stack.
  package var members: [Member]
  package var isStack: Bool
  /// Weight of other apps' members in the stack.
  package var otherWeight: Double
  package var place: Place
  /// Share of the cohort's devices that placed it.
  package var share: Share

  package init(members: [Member], isStack: Bool, otherWeight: Double, place: Place, share: Share) {
    self.members = members
    self.isStack = isStack
    self.otherWeight = otherWeight
    self.place = place
    self.share = share
  }
}
