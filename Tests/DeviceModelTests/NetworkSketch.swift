import Scenario
import SimulationKernel

@testable import DeviceModel

/// A radio without costs.
struct InterfaceSketch {
  var roundTrip: TimeAmount
  var promotion: TimeAmount
  /// The only tail.
  var tail: TimeAmount

  var plan: RadioPlan {
    let free = Power(microwatts: 0)
    return RadioPlan(
      RadioProfile(
        name: "free", promotion: .init(promotion, free), active: free, down: .init(picojoules: 0),
        up: .init(picojoules: 0), tails: [.init(tail, free)], roundTrip: roundTrip, evidence: .none))
  }
}

extension NetworkPlan {
  /// Returns a single interface at all times, whose radio wakes without delay.
  static func always(roundTrip: TimeAmount, _ storage: SamplerStorage) -> NetworkPlan {
    let radio = InterfaceSketch(roundTrip: roundTrip, promotion: .zero, tail: .zero)
    return NetworkPlan(radios: storage.keep([radio.plan]), roaming: nil, offline: nil)
  }
}

/// A network whose changes are set by a test.
struct NetworkSketch {
  var wifi = InterfaceSketch(roundTrip: .zero, promotion: .zero, tail: .zero)
  var cellular = InterfaceSketch(roundTrip: .zero, promotion: .zero, tail: .zero)
  /// The gap between draws of the interface; `nil` if it never changes.
  var gap: TimeAmount?
  /// The local hours in which every draw gives Wi-Fi.
  var wifiHours: Set<Int> = []
  /// The alternating online and offline spells, from the start.
  var online: TimeAmount?
  var offline: TimeAmount = .minutes(10)

  /// Returns a promotion of 0.5 s, a tail of 10 s and a round trip of 100 ms, on both interfaces.
  static func sleepy(promotion: Int64 = 500, tail: Int64 = 10_000, roundTrip: Int64 = 100) -> NetworkSketch {
    let radio = InterfaceSketch(
      roundTrip: .milliseconds(roundTrip), promotion: .milliseconds(promotion), tail: .milliseconds(tail))
    return NetworkSketch(wifi: radio, cellular: radio)
  }

  /// Returns alternating online and offline spells, in minutes.
  static func spells(online: Int64, offline: Int64) -> NetworkSketch {
    NetworkSketch(online: .minutes(online), offline: .minutes(offline))
  }

  func plan(_ storage: SamplerStorage) -> NetworkPlan {
    let hours = (0..<24).map { Chance(wifiHours.contains($0) ? .all : .none) }
    return NetworkPlan(
      radios: storage.keep([wifi.plan, cellular.plan]),
      roaming: gap.map { RoamingPlan(gap: .constant($0), wifi: storage.keep(hours)) },
      offline: online.map { OfflinePlan(share: Chance(.none), offline: .constant(offline), online: .constant($0)) })
  }
}

extension World {
  mutating func use(_ network: NetworkSketch) { self.network = network.plan(storage) }
}
