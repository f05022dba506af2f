package import SimulationKernel

/// The network of a cohort's devices prepared (MODEL.md 3.1).
package struct NetworkPlan: BitwiseCopyable, Sendable {
  /// On a network that never changes the same as `cellular`.
  package var wifi: InterfacePlan
  package var cellular: InterfacePlan
  /// nil: the interface never changes.
  package var roaming: RoamingPlan?
  /// nil: never offline.
  package var offline: OfflinePlan?

  package init(wifi: InterfacePlan, cellular: InterfacePlan, roaming: RoamingPlan?, offline: OfflinePlan?) {
    self.wifi = wifi
    self.cellular = cellular
    self.roaming = roaming
    self.offline = offline
  }

  /// One interface for good.
  package static func fixed(_ interface: InterfacePlan) -> NetworkPlan {
    NetworkPlan(wifi: interface, cellular: interface, roaming: nil, offline: nil)
  }
}

/// What an interface does to a request in time (MODEL.md 7.1).
package struct InterfacePlan: BitwiseCopyable, Sendable {
  /// From sending a request on an active radio to its arrival: half the round trip.
  package var outbound: TimeAmount
  /// From the server's answer to the device: the other half.
  package var inbound: TimeAmount
  /// Until a sleeping radio can send.
  package var promotion: TimeAmount
  /// All tails together: how long the radio stays awake after its last use.
  package var tail: TimeAmount

  package init(roundTrip: TimeAmount, promotion: TimeAmount, tail: TimeAmount) {
    outbound = .milliseconds(roundTrip.milliseconds / 2)
    inbound = roundTrip - outbound
    self.promotion = promotion
    self.tail = tail
  }
}

/// How the interface is drawn anew.
package struct RoamingPlan: BitwiseCopyable, Sendable {
  /// Between one draw and the next: exponential.
  package var gap: SpanSampler
  /// Of wifi, by local hour.
  package var wifi: PreparedList<Chance>

  package init(gap: SpanSampler, wifi: PreparedList<Chance>) {
    self.gap = gap
    self.wifi = wifi
  }
}

/// Spells without a network: both lengths exponential.
package struct OfflinePlan: BitwiseCopyable, Sendable {
  /// Of being offline at the beginning.
  package var share: Chance
  package var offline: SpanSampler
  package var online: SpanSampler

  package init(share: Chance, offline: SpanSampler, online: SpanSampler) {
    self.share = share
    self.offline = offline
    self.online = online
  }
}
