import Scenario
import SimulationKernel

/// Powers, energies and times of day in the units in which people read them.
enum UnitText {
  static func power(_ power: Power) -> String {
    let watts = Double(power.microwatts) / 1e6
    return watts < 0.9995
      ? NumberText.text(watts * 1_000) + " mW" : NumberText.trimmed(NumberText.text(watts)) + " W"
  }

  static func perBit(_ bit: EnergyPerBit) -> String { NumberText.text(Double(bit.picojoules) / 1_000) + " nJ/bit" }

  /// A time of day.
  static func clock(_ time: TimeAmount) -> String { TimeText.clock(hour: time.seconds / 3_600) }

  static func wattHours(_ centiwattHours: Int) -> String {
    NumberText.fixed(Double(centiwattHours) / 100, decimals: 2) + "\u{A0}Wh"
  }
}
