/// A number as a scenario has it.
package enum SettingNumber {
  /// Whole, or below 1 000 in thousandths, below 1 in all digits; without an exponent from 0.0001 on.
  package static func text(_ value: Double) -> String {
    guard value >= 1 else { return "\(value)" }
    guard value >= 1_000 else {
      let thousandths = Int((value * 1_000).rounded())
      let fraction = String(1_000 + thousandths % 1_000).dropFirst()
      return thousandths % 1_000 == 0 ? "\(thousandths / 1_000)" : "\(thousandths / 1_000).\(fraction)"
    }
    return "\(Int(value.rounded()))"
  }
}
