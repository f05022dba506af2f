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

extension QuantityText {
  static func power(_ power: Power) -> String { decimal(power.microwatts, 6) + "W" }

  static func energyPerBit(_ energy: EnergyPerBit) -> String { decimal(energy.picojoules, 3) + "mW/Mbps" }

  static func battery(centiwattHours: Int) -> String { decimal(Int64(centiwattHours), 2) + "Wh" }

  /// A count of parts of which 10^`places` are one.
  private static func decimal(_ count: Int64, _ places: Int) -> String {
    let one = (0..<places).reduce(Int64(1)) { product, _ in product * 10 }
    var fraction = String(one + count % one).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return String(count / one) + (fraction.isEmpty ? "" : "." + fraction)
  }
}

extension Section {
  func power(_ key: String) -> Power? { read(key) { text throws(ValueProblem) in try Quantities.power(text) } }

  func energyPerBit(_ key: String) -> EnergyPerBit? {
    read(key) { text throws(ValueProblem) in try Quantities.energyPerBit(text) }
  }
}
