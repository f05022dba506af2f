import Scenario

extension Decimal {
  /// The number / 10^shift, correctly rounded.
  func double(shiftedBy shift: Int) -> Double { Double("\(digits)e\(-(scale + shift))") ?? 0 }

  /// The next whole number from it on.
  var roundedUp: Int64 {
    // Fewer digits than decimals: less than one.
    guard scale <= Self.mostDigits else { return digits > 0 ? 1 : 0 }
    var divisor: Int64 = 1
    for _ in 0..<scale { divisor *= 10 }
    return digits / divisor + (digits % divisor > 0 ? 1 : 0)
  }

  /// A fraction written as a percentage, without the sign.
  var percentText: String { PlainNumbers.text(shifting: double(shiftedBy: 0), by: 2) }
}

extension PlainNumbers {
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
}
