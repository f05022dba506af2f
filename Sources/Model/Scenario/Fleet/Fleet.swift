package import SimulationKernel

/// The fleet of devices (`fleet` in the file).
package struct Fleet: Hashable, Keyed, Sendable {
  /// The maximum value of `devices`, which also limits a growing fleet.
  package static let maxDevices = 1e9

  package var devices = 1
  /// The standard deviation of the logarithm of the day factor shared by all devices; `nil` if there is no day factor.
  package var dayFactorSigma: Double?
  /// The relative growth of the number of devices per day; `nil` if the number is constant.
  package var growthPerDay: Change?
  package var cohorts: [Cohort] = []

  package init() {}

  /// Returns the number of devices at the end of a measured period divided by the number at its start (MODEL.md 1.5).
  package func growth(over duration: TimeAmount) -> Double {
    SteadyMath.exp(growthLogarithm * duration.seconds / TimeAmount.day.seconds)
  }

  /// Returns the mean number of phones over the whole simulated time, relative to the number at `clock.start` (MODEL.md
  /// 1.5).
  package func meanGrowth(over clock: Clock) -> Double {
    guard growthLogarithm != 0 else { return 1 }
    let days = { (span: TimeAmount) in span.seconds / TimeAmount.day.seconds }
    let before = days(clock.settle + clock.warmup)
    let later = (growth(over: clock.duration) - 1) / growthLogarithm
    return (before + later) / max(before + days(clock.duration), .leastNormalMagnitude)
  }

  /// The growth logarithm ln(1 + g), where g is the growth per day; it is 0 if there is no growth.
  package var growthLogarithm: Double { growthPerDay.map { SteadyMath.log(1 + $0.fraction) } ?? 0 }
}

/// A relative change, positive or negative.
package struct Change: Hashable, Sendable {
  /// The change as a fraction of the base, at least -1.
  package var fraction: Double

  package init(fraction: Double) { self.fraction = fraction }
}

/// A group of devices whose users have the same habits.
package struct Cohort: Hashable, Keyed, Sendable {
  package var name = ""
  /// The cohort's share of the fleet; the shares of all cohorts add up to 1.
  package var share = Share.all
  /// The IANA names of time zones, with shares that add up to 1.
  package var zones: [Weighted<String>] = []
  /// The phone models (`iphone-15`), with shares that add up to 1.
  package var phones = [Weighted("iphone-15", weight: 1)]
  package var person = Person()
  package var network = NetworkHabits.roaming(Roaming())
  package var power = PowerHabits.battery(BatteryHabits())
  /// The operating system of this cohort in a mixed fleet; `nil` to use `Scenario.os`.
  package var os: OperatingSystem?
  package var widgets: [Placement] = []

  package init() {}
}

/// A widget or smart stack on the screens of a cohort's devices.
package struct Placement: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// A page of the home screen, where the first page is 1.
    case homePage(Int)
    case lockScreen
  }

  package struct Member: Hashable, Sendable {
    /// The index of the kind in `Scenario.kinds`.
    package var kind: Int
    package var family: Family
    /// The weight of the member within its stack; it is 1 outside a stack.
    package var weight: Double

    package init(kind: Int, family: Family, weight: Double) {
      self.kind = kind
      self.family = family
      self.weight = weight
    }
  }

  /// The only widget, or the members of a smart stack.
  package var members: [Member]
  package var isStack: Bool
  /// The total weight of the stack's members that belong to other apps.
  package var otherWeight: Double
  package var place: Place
  /// The share of the cohort's devices that have this placement.
  package var share: Share

  package init(members: [Member], isStack: Bool, otherWeight: Double, place: Place, share: Share) {
    self.members = members
    self.isStack = isStack
    self.otherWeight = otherWeight
    self.place = place
    self.share = share
  }
}
