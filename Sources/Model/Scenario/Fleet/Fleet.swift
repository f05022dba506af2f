package import SimulationKernel

/// The fleet of devices (`fleet` in the file).
package struct Fleet: Hashable, Keyed, Sendable {
  /// The maximum number of devices, which also applies to a growing fleet.
  package static let maxDevices = 1e9

  package var devices = 1
  /// The standard deviation of the logarithm of the day factor that all devices share; `nil` if there is no such
  /// factor.
  package var dayFactorSigma: Double?
  /// The relative growth of the number of devices per day; `nil` if the number is constant.
  package var growthPerDay: Change?
  package var cohorts: [Cohort] = []

  package init() {}

  /// Returns the ratio of the number of devices at the end of a measured period to the number at its start (MODEL.md
  /// 1.5).
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

  /// The logarithm ln(1 + g), where g is the growth per day; 0 if there is no growth.
  package var growthLogarithm: Double { growthPerDay.map { SteadyMath.log(1 + $0.fraction) } ?? 0 }
}

/// A relative change, positive or negative.
package struct Change: Hashable, Sendable {
  /// The change as a fraction of the base value; it is at least -1.
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
  /// The phone models, such as `iphone-15`, with shares that add up to 1.
  package var phones = [Weighted("iphone-15", weight: 1)]
  package var person = Person()
  package var network = NetworkHabits.roaming(Roaming())
  package var power = PowerHabits.battery(BatteryHabits())
  /// The operating system of this cohort in a mixed fleet; if it is `nil`, `Scenario.os` applies.
  package var os: OperatingSystem?
  package var widgets: [Placement] = []

  package init() {}
}

/// A widget or smart stack on the screen of a cohort's devices.
package struct Placement: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// A page of the home screen; the first page is number 1.
    case homePage(Int)
    case lockScreen
  }

  package struct Member: Hashable, Sendable {
    /// The index of the kind in `Scenario.kinds`.
    package var kind: Int
    package var family: Family
    /// The weight of the widget within its stack; 1 for a widget that is not in a stack.
    package var weight: Double

    package init(kind: Int, family: Family, weight: Double) {
      self.kind = kind
      self.family = family
      self.weight = weight
    }
  }

  /// A single widget, or the members of a smart stack.
  package var members: [Member]
  package var isStack: Bool
  /// The total weight of the stack's widgets that belong to other apps.
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
