package import SimulationKernel

/// Numbers in the words of a lint.
package enum LintText {
  /// With about three digits: 9.5, 64, 1 150, 16 700.
  package static func number(_ value: Double) -> String {
    guard value.isFinite, value < 1e15 else { return "very many" }
    guard value < 9.95 else { return rounded(value).grouped }
    if value > 0, value < 0.095 {
      return value < 0.005 ? "less than 0.01" : "0.0\(max(Int64((value * 100).rounded()), 1))"
    }
    let tenths = Int64((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Writes a value as `number` does, but the power of ten below it where there are more than 15 digits.
  static func large(_ value: Double) -> String {
    guard value >= 1e15, value.isFinite else { return number(value) }
    var exponent = 15
    while exponent < 308, value >= SteadyMath.exp(Double(exponent + 1) * 2.302_585_092_994_046) { exponent += 1 }
    return "10^\(exponent)"
  }

  /// A whole number of two digits and zeros, rounded down, as the file takes it.
  static func plain(_ value: Double) -> String {
    var unit = 1.0
    while value / unit >= 100, unit < 1e15 { unit *= 10 }
    return "\(Int64((value / unit).rounded(.down)) * Int64(unit))"
  }

  /// A rate of requests.
  package static func rate(_ perSecond: Double) -> String { number(perSecond) + " requests/s" }

  static func percent(_ fraction: Double) -> String { number(fraction * 100) + " %" }

  /// In the form of the file, of at most two units: 15min, 10h24min.
  package static func span(_ span: TimeAmount) -> String { self.span(seconds: span.seconds) }

  static func span(seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "ages" }
    var rest = Int64((seconds * 1_000).rounded())
    let units: [(String, Int64)] = [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1)]
    guard let first = units.firstIndex(where: { $0.1 <= rest }) else { return "0s" }
    let finest = units[min(first + 1, units.count - 1)].1
    rest = (rest + finest / 2) / finest * finest
    return units.reduce(into: "") { text, unit in
      if rest >= unit.1 { text += "\(rest / unit.1)\(unit.0)" }
      rest %= unit.1
    }
  }

  /// A clock time to the minute.
  package static func time(_ time: TimeOfDay) -> String {
    let minutes = time.sinceMidnight.milliseconds / 60_000
    return [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
  }

  package static func rounded(_ value: Double) -> Int64 {
    var unit = 1.0
    while value / unit >= 1_000 { unit *= 10 }
    return Int64((value / unit).rounded()) * Int64(unit)
  }
}

extension String {
  /// A name of the file in a sentence.
  package var inQuotes: String { "'\(self)'" }
}
