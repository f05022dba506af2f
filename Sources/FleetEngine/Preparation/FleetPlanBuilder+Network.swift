import DeviceModel
import Numerics
import Scenario
import SimulationKernel

extension FleetPlanBuilder {
  /// The network of a cohort's devices (MODEL.md 3.1).
  mutating func plan(of habits: NetworkHabits) throws(NumericsError) -> NetworkPlan {
    switch habits {
    case .fixed(let profile): return NetworkPlan(radios: storage.keep([RadioPlan(profile)]), roaming: nil, offline: nil)
    case .roaming(let roaming):
      return NetworkPlan(
        radios: storage.keep([RadioPlan(.wifi), RadioPlan(roaming.cellular)]),
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
}
