import DeviceModel
import Numerics
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  /// The network of a cohort's devices (MODEL.md 3.1).
  mutating func plan(of habits: NetworkHabits) throws(NumericsError) -> NetworkPlan {
    switch habits {
    case .fixed(let profile): return .fixed(Self.plan(of: profile))
    case .roaming(let roaming):
      return NetworkPlan(
        wifi: Self.plan(of: .wifi), cellular: Self.plan(of: roaming.cellular),
        roaming: RoamingPlan(
          gap: try sampler(.exponential(mean: roaming.dwell)), wifi: storage.keep(roaming.wifiShare.map { Chance($0) })),
        offline: try offline(roaming))
    }
  }

  /// Spells online are as long as the share asks for; nil without spells offline.
  private mutating func offline(_ roaming: Roaming) throws(NumericsError) -> OfflinePlan? {
    let share = roaming.offlineShare.fraction
    guard share > 0 else { return nil }
    let mean = Double(roaming.offlineMean.milliseconds)
    return OfflinePlan(
      share: Chance(roaming.offlineShare), offline: try samplers.span(.exponential(mean: mean)),
      online: try samplers.span(.exponential(mean: mean * (1 - share) / share)))
  }

  private static func plan(of profile: RadioProfile) -> InterfacePlan {
    InterfacePlan(
      roundTrip: profile.roundTrip, promotion: profile.promotion.length,
      tail: profile.tails.reduce(.zero) { $0 + $1.length })
  }
}
