package import SimulationKernel

/// The text form of quantities in scenario files; reading the text yields the original value.
package enum QuantityText {
  private static let spans: [(unit: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000), ("ms", 1),
  ]

  package static func duration(_ span: TimeAmount) -> String {
    var rest = span.milliseconds
    var text = ""
    for (unit, milliseconds) in spans {
      if rest >= milliseconds { text += "\(rest / milliseconds)\(unit)" }
      rest %= milliseconds
    }
    return text.isEmpty ? "0s" : text
  }

  package static func share(_ share: Share) -> String { self.share(share.fraction) }

  package static func share(_ fraction: Double) -> String { PlainNumbers.text(shifting: fraction, by: 2) + "%" }

  package static func number(_ value: Double) -> String {
    value.description.contains("e") ? value.description : PlainNumbers.text(shifting: value, by: 0)
  }

  package static func power(_ power: Power) -> String { decimal(power.microwatts, 6) + "W" }

  package static func energyPerBit(_ energy: EnergyPerBit) -> String { decimal(energy.picojoules, 3) + "mW/Mbps" }

  package static func battery(centiwattHours: Int) -> String { decimal(Int64(centiwattHours), 2) + "Wh" }

  /// Formats a count, given in units of 10^-`places`, as a decimal number.
  package static func decimal(_ count: Int64, _ places: Int) -> String {
    let one = (0..<places).reduce(Int64(1)) { product, _ in product * 10 }
    var fraction = String(one + count % one).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return String(count / one) + (fraction.isEmpty ? "" : "." + fraction)
  }
}

/// The text form of numbers that have no unit.
package enum PlainNumbers {
  /// Returns the shortest decimal string, without an exponent, that yields `value` x 10^shift when it is read.
  package static func text(shifting value: Double, by shift: Int) -> String {
    let (digits, exponent) = shortest(value)
    let point = exponent + shift
    if digits == "0" { return "0" }
    if point >= 0 { return digits + String(repeating: "0", count: point) }
    let padded = String(repeating: "0", count: max(0, 1 - point - digits.count)) + digits
    return padded.dropLast(-point) + "." + padded.suffix(-point)
  }

  /// Returns the shortest digits that represent a value, without trailing zeros, and their power of ten.
  private static func shortest(_ value: Double) -> (digits: String, exponent: Int) {
    let halves = value.description.split(separator: "e")
    let mantissa = (halves.first ?? "0").split(separator: ".", omittingEmptySubsequences: false)
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    var digits = String(((mantissa.first ?? "0") + fraction).drop { $0 == "0" })
    var exponent = (halves.count > 1 ? Int(halves[1]) ?? 0 : 0) - fraction.count
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    return digits.isEmpty ? ("0", 0) : (digits, exponent)
  }
}

extension BinaryInteger {
  /// The digits in groups of three, separated by spaces.
  package var grouped: String {
    let digits = Array(String(self))
    return digits.indices.map { ((digits.count - $0) % 3 == 0 && $0 > 0 ? " " : "") + String(digits[$0]) }.joined()
  }
}

/// Commonly used time spans, to which suggested values are rounded up.
package enum UsualSpan {
  /// The common time spans from a minute to a day, in ascending order.
  package static let all: [TimeAmount] =
    [1, 2, 3, 4, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1_440].map { .minutes($0) }

  /// Returns the median of the common spans between two given spans; `nil` if there are none.
  package static func between(_ one: TimeAmount, _ other: TimeAmount) -> TimeAmount? {
    let inside = all.filter { $0 > min(one, other) && $0 < max(one, other) }
    return inside.isEmpty ? nil : inside[inside.count / 2]
  }

  /// Returns the shortest common span of at least the given number of seconds, ignoring rounding errors; `nil` if it
  /// exceeds a day.
  package static func upFrom(_ seconds: Double) -> TimeAmount? { all.first { $0.seconds >= seconds - 1e-6 } }
}
