package import FleetEngine

/// How many devices of the fleet one simulated device stands for, as an exact fraction (MODEL.md 6.8).
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

  /// Whether fewer devices were simulated than the fleet has.
  package var isSample: Bool { simulated < fleet }

  /// A count of the simulated devices as a count of the fleet; nil when nothing was simulated.
  package func fleetCount(_ count: Int128, per denominator: Int128 = 1) -> Quantity? {
    Quantity(count * fleet, over: simulated * denominator)
  }

  /// The count of the simulated devices that a count of the fleet was made of, below 10^30; nil where it was made of
  /// none.
  package func simulatedCount(_ fleetCount: Quantity) -> Int128? {
    guard fleet > 0, simulated > 0 else { return fleetCount == .whole(0) ? 0 : nil }
    // The whole part exactly, then what is left of it together with the fraction.
    let (whole, fraction) =
      switch fleetCount {
      case .whole(let count): (count, 0.0)
      case .real(let value): (Int128(value), value - value.rounded(.towardZero))
      }
    guard whole.magnitude < 1 << 96 else { return nil }
    let (quotient, remainder) = (whole * simulated).quotientAndRemainder(dividingBy: fleet)
    let rest = (Double(remainder) + fraction * Double(simulated)) / Double(fleet)
    let count = quotient + Int128(rest.rounded())
    guard let again = self.fleetCount(count) else { return nil }
    if again == fleetCount { return count }
    // From 2^52 on a fraction is written without a point, and stands for several counts, of which this is nearly the one.
    let value = fleetCount.approximate
    guard case .real = again, value.magnitude > 4e15 else { return nil }
    return (again.approximate - value).magnitude <= 2 * value.ulp ? count : nil
  }
}
