import Scenario
import SimulationKernel

/// The texts of powers and energies, read exactly.
extension Quantities {
  /// 1.2W, 124mW: whole microwatts.
  static func power(_ text: String) throws(ValueProblem) -> Power {
    let units = [Unit("W", factor: 1_000_000), Unit("mW", factor: 1_000)]
    return Power(
      microwatts: try single(text, units, what: "power", example: "1.2W", whole: "a whole number of microwatts"))
  }

  /// 51.97mW/Mbps, which is 51.97nJ/bit: whole picojoules.
  static func energyPerBit(_ text: String) throws(ValueProblem) -> EnergyPerBit {
    let units = [Unit("mW/Mbps", factor: 1_000), Unit("nJ/bit", factor: 1_000)]
    return EnergyPerBit(
      picojoules: try single(
        text, units, what: "power per rate", example: "51.97mW/Mbps", whole: "a whole number of picojoules a bit"))
  }

  /// 12.98Wh: hundredths of a watt-hour.
  static func battery(_ text: String) throws(ValueProblem) -> Int64 {
    try single(
      text, [Unit("Wh", factor: 100)], what: "battery", example: "12.98Wh", whole: "whole hundredths of a watt-hour")
  }
}
