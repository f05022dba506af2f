import SimulationKernel

/// Quantities in the text form of the file.
enum QuantityText {
  static func duration(_ span: TimeAmount) -> String {
    var rest = span.milliseconds
    var text = ""
    for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1)]
      as [(String, Int64)]
    {
      let count = rest / size
      rest %= size
      if count > 0 { text += "\(count)\(unit)" }
    }
    return text.isEmpty ? "0s" : text
  }
}
