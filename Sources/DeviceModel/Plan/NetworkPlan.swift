package import SimulationKernel

/// The network of a cohort's devices prepared (MODEL.md 3.1).
package struct NetworkPlan: BitwiseCopyable, Sendable {
  /// The one interface of a network that never changes; else that of wifi, then the cellular one.
  package var radios: PreparedList<RadioPlan>
  /// nil: the interface never changes.
  package var roaming: RoamingPlan?
  /// nil: never offline.
  package var offline: OfflinePlan?

  package init(radios: PreparedList<RadioPlan>, roaming: RoamingPlan?, offline: OfflinePlan?) {
    self.radios = radios
    self.roaming = roaming
    self.offline = offline
  }

  /// The interface of a phone by whether it is on the first.
  @inline(__always)
  func radio(isOnWifi: Bool) -> Prepared<RadioPlan> { radios.element(at: isOnWifi ? 0 : 1) }
}

/// How the interface is drawn anew.
package struct RoamingPlan: BitwiseCopyable, Sendable {
  /// Between one draw and the next: exponential.
  package var gap: SpanSampler
  /// Chance of wifi, by local hour.
  package var wifi: PreparedList<Chance>

  package init(gap: SpanSampler, wifi: PreparedList<Chance>) {
    self.gap = gap
    self.wifi = wifi
  }
}

/// Spells without a network: both lengths exponential.
package struct OfflinePlan: BitwiseCopyable, Sendable {
  /// Chance of being offline at the beginning.
  package var share: Chance
  package var offline: SpanSampler
  package var online: SpanSampler

  package init(share: Chance, offline: SpanSampler, online: SpanSampler) {
    self.share = share
    self.offline = offline
    self.online = online
  }
}
