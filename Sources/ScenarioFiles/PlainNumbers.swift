extension Decimal {
  /// The number / 10^shift, correctly rounded.
  func double(shiftedBy shift: Int) -> Double { Double("\(digits)e\(-(scale + shift))") ?? 0 }

  /// The next whole number from it on.
  var roundedUp: Int64 {
    var divisor: Int64 = 1
    for _ in 0..<scale { divisor *= 10 }
    return digits / divisor + (digits % divisor > 0 ? 1 : 0)
  }

  /// A fraction written as a percentage, without the sign.
  var percentText: String { PlainNumbers.text(shifting: double(shiftedBy: 0), by: 2) }
}

/// Plain numbers: those that carry no unit.
enum PlainNumbers {
  /// 2.5, 1e-3: finite and not negative.
  static func number(_ text: String) throws(ValueProblem) -> Double {
    try refuseSexagesimal(text)
    guard let split = text.firstIndex(where: { $0 == "e" || $0 == "E" }) else {
      let decimal = try Decimal(text)
      return decimal.double(shiftedBy: 0)
    }
    if !text[..<split].contains(where: \.isDigit) { _ = try Decimal(text) }
    let mantissa = try Decimal(text[..<split])
    var exponent = text[text.index(after: split)...]
    let sign = exponent.first == "-" ? "-" : ""
    if exponent.first == "-" || exponent.first == "+" { exponent.removeFirst() }
    guard !exponent.isEmpty, exponent.allSatisfy(\.isDigit) else {
      _ = try Decimal("")
      return 0
    }
    return try finite("\(mantissa.digits)e", mantissa, sign + exponent)
  }

  private static func finite(_ head: String, _ mantissa: Decimal, _ exponent: String) throws(ValueProblem) -> Double {
    let tooLarge = ValueProblem(.outOfRange, "is larger than any number here", note: "too large")
    guard let power = Int(exponent), abs(power) <= 400 else { throw tooLarge }
    guard let value = Double(head + String(power - mantissa.scale)), value.isFinite else { throw tooLarge }
    return value
  }

  /// 1, 7_000: from 0 up.
  static func integer(_ text: String) throws(ValueProblem) -> UInt64 {
    try refuseSexagesimal(text)
    let digits = text.filter { $0 != "_" }
    if digits.count > 18, digits.first != "0", digits.allSatisfy(\.isDigit), let value = UInt64(digits) { return value }
    let decimal = try Decimal(text)
    do { return UInt64(try decimal.times(1)) } catch {
      throw error.code == .notExact ? ValueProblem(.notExact, "must be a whole number", note: "not whole") : error
    }
  }

  private static func refuseSexagesimal(_ text: String) throws(ValueProblem) {
    guard text.contains(":"), text.first?.isDigit == true else { return }
    throw ValueProblem(.ambiguousNumber, "is a plain number", note: "base 60?", help: .write(like: "250"))
  }

  /// The shortest decimal text that reads back as `value` x 10^shift, without an exponent.
  static func text(shifting value: Double, by shift: Int) -> String {
    let (digits, exponent) = shortest(value)
    let point = exponent + shift
    if digits == "0" { return "0" }
    if point >= 0 { return digits + String(repeating: "0", count: point) }
    let padded = String(repeating: "0", count: max(0, 1 - point - digits.count)) + digits
    return padded.dropLast(-point) + "." + padded.suffix(-point)
  }

  /// The shortest digits of a value with their power of ten, without zeros at the end.
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
  /// With a blank before every three digits.
  var grouped: String {
    let digits = Array(String(self))
    return digits.indices.map { ((digits.count - $0) % 3 == 0 && $0 > 0 ? " " : "") + String(digits[$0]) }.joined()
  }
}
