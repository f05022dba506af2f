import Scenario
import SimulationKernel

@testable import DeviceModel

/// A person without randomness unless a test adds it: evenly spaced unlocks through the day, one visit per session.
///
/// With `unlocksPerDay` n they come 1/n, 2/n, ... of a day after every midnight, none at midnight itself.
struct PersonSketch {
  var unlocksPerDay = 0.0
  var unitGap = NumberSampler.constant(1)
  var session = SpanSampler.constant(.minutes(10))
  var glancesPerUnlock = 0.0
  /// The number of pages seen in every visit.
  var depth = 1
  /// The possible numbers of visits after the first, equally likely.
  var furtherVisits = [0]
  var opensApp = Share.none
  var foreground = SpanSampler.constant(.minutes(1))
  var audioPerDay = 0.0
  var audioLength = SpanSampler.constant(.minutes(1))

  var isActive: Bool { unlocksPerDay > 0 || audioPerDay > 0 }

  func plan(_ storage: SamplerStorage) -> PersonPlan {
    let day = HourProfile.Day(
      pieces: storage.keep([HourProfile.Piece(from: .zero, passed: 0, millisecondsPerDayRate: 86_400_000)]), total: 1)
    return PersonPlan(
      unlocksPerDay: .constant(unlocksPerDay), dayFactor: .constant(1), unitGap: unitGap,
      hours: storage.keep([HourProfile(regular: day, exceptions: storage.keep([]))]), session: session,
      glancesPerUnlock: glancesPerUnlock, furtherVisits: storage.choice(of: furtherVisits.map { ($0, 1) }),
      depth: storage.choice(of: [(depth, 1)]), appOpens: Chance(opensApp), foreground: foreground,
      audioPerDay: audioPerDay, audioLength: audioLength)
  }
}

/// The position of an instance on the phone.
struct PlaceSketch {
  /// The page; 0 for the lock screen.
  var page = 1
  var stack: ChoiceTable<Int>?
  var stackIndex = 0
  var estimatedViews = 20
  var bursts: ChoiceTable<Int>?
  var capacity: CapacityPlan?

  func member(_ slot: Int, _ kind: KindIndex, _ usual: CapacityPlan) -> MemberPlan {
    MemberPlan(
      kind: kind, family: .small, placement: slot, share: Chance(.all), capacity: capacity ?? usual, page: page,
      stack: stack, stackIndex: stackIndex, estimatedWeek: estimatedViews * 7, bursts: bursts)
  }
}

extension PowerPlan {
  private static let capacities = SamplerStorage().keepForever([Energy(nanojoules: 40_000_000_000_000)])

  /// Returns a 40 kJ battery, charged on some nights.
  static func overnight(
    _ chance: Chance, plug: SpanSampler, unplug: SpanSampler, topUp: Chance = Chance(.none),
    lowPowerMode: Chance = Chance(.none)
  ) -> PowerPlan {
    .battery(
      BatteryPlan(
        overnight: chance, plug: plug, unplug: unplug, topUp: topUp, lowPowerMode: lowPowerMode,
        capacities: capacities))
  }
}

extension SamplerStorage {
  /// Returns a list that all tests can use and that is never freed.
  func keepForever<Element: BitwiseCopyable>(_ elements: [Element]) -> PreparedList<Element> {
    _ = Unmanaged.passRetained(self)
    return keep(elements)
  }
}
