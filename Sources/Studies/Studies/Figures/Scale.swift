package import FleetEngine

/// The number of fleet devices represented by each simulated device, as an exact fraction (MODEL.md 6.8).
package struct Scale: Hashable, Sendable {
  package var fleet: Int128
  package var simulated: Int128

  package init(fleet: Int, simulated: Int) {
    self.fleet = Int128(fleet)
    self.simulated = Int128(simulated)
  }

  package init(of result: RunResult) {
    self.init(fleet: result.scenario.fleet.devices, simulated: result.devicesSimulated)
  }

  /// Whether fewer devices were simulated than the fleet contains.
  package var isSample: Bool { simulated < fleet }

  /// Returns a count over simulated devices, scaled to the fleet; `nil` if nothing was simulated.
  package func fleetCount(_ count: Int128, per denominator: Int128 = 1) -> Quantity? {
    Quantity(count * fleet, over: simulated * denominator)
  }
}
