import Scenario

/// A decimal number stored exactly as written, as `digits` / 10^`scale`.
struct Decimal: Hashable {
  var digits: Int64
  var scale: Int

  /// The maximum number of significant digits, not counting leading zeros.
  static let maxDigits = 18
  /// The maximum number of decimals, which is sufficient for every `Double` near 1.
  private static let maxDecimals = 30

  /// Parses a number whose digits may be separated by `_` and which may contain one decimal point.
  ///
  /// - Throws: a problem for any other string, with a suggestion of what the user probably meant.
  init(_ text: some StringProtocol) throws(ValueProblem) {
    try Decimal.refuseLookalikes(String(text))
    var digits: Int64 = 0
    var count = 0
    var scale: Int?
    var previous: Character = "_"
    for character in text {
      if character == ".", scale == nil, previous.isDigit {
        scale = 0
      } else if let digit = character.digit {
        count += digits == 0 && digit == 0 ? 0 : 1
        guard count <= Decimal.maxDigits else { throw Decimal.tooLong }
        digits = digits * 10 + digit
        scale = scale.map { $0 + 1 }
        guard scale ?? 0 <= Decimal.maxDecimals else { throw Decimal.tooLong }
      } else if character != "_" || !previous.isDigit {
        throw Decimal.unreadable
      }
      previous = character
    }
    guard previous.isDigit else { throw Decimal.unreadable }
    (self.digits, self.scale) = (digits, scale ?? 0)
  }

  private static let unreadable = ValueProblem(
    .unreadable, "is not a number", note: "not a number", help: .write(like: "250"))
  private static let tooLong = ValueProblem(
    .outOfRange, "has more digits than any allowed quantity", note: "at most 18 digits")

  /// Returns the product of the number and `factor`; throws a problem unless the product is an integer in the range of
  /// `Int64`.
  func times(_ factor: Int64) throws(ValueProblem) -> Int64 {
    var divisor: Int128 = 1
    for _ in 0..<scale { divisor *= 10 }
    let (quotient, remainder) = (Int128(digits) * Int128(factor)).quotientAndRemainder(dividingBy: divisor)
    guard remainder == 0 else { throw ValueProblem(.notExact, "is too fine") }
    guard let exact = Int64(exactly: quotient), exact <= 1 << 60 else {
      throw ValueProblem(.outOfRange, "is larger than any allowed quantity", note: "too large")
    }
    return exact
  }

  private static func refuseLookalikes(_ text: String) throws(ValueProblem) {
    guard let first = text.first else {
      throw ValueProblem(.missingValue, "has no number", note: "a number is missing")
    }
    if first == "-" {
      throw ValueProblem(.outOfRange, "cannot be negative", note: "below 0", help: "negative values are not allowed")
    }
    if ["nan", "inf", "infinity"].contains(text.lowercased().drop { $0 == "." || $0 == "+" }) {
      throw ValueProblem(.ambiguousNumber, "must be finite", note: "not a finite number", help: .write(like: "250"))
    }
    guard first == "0", let second = text.dropFirst().first else { return }
    if "xXoObB".contains(second) {
      throw ValueProblem(.ambiguousNumber, "must be a decimal number", note: "not decimal", help: .write(like: "250"))
    }
    if second.isDigit || second == "_" {
      let plain = text.drop { $0 == "0" || $0 == "_" }
      let shown = plain.first?.isDigit == true ? String(plain) : "0" + plain
      throw ValueProblem(
        .ambiguousNumber, "starts with a 0", note: "octal or decimal?", help: .write(shown))
    }
  }

  /// Returns the number divided by 10^shift, correctly rounded to a `Double`.
  func double(shiftedBy shift: Int) -> Double { Double("\(digits)e\(-(scale + shift))") ?? 0 }

  /// The smallest integer that is not less than the number.
  var roundedUp: Int64 {
    // With more decimals than the maximum number of digits, the number is less than 1.
    guard scale <= Self.maxDigits else { return digits > 0 ? 1 : 0 }
    var divisor: Int64 = 1
    for _ in 0..<scale { divisor *= 10 }
    return digits / divisor + (digits % divisor > 0 ? 1 : 0)
  }

  /// The number as a percentage, without the percent sign.
  var percentText: String { PlainNumbers.text(shifting: double(shiftedBy: 0), by: 2) }
}

extension Character {
  /// The value of the character if it is an ASCII digit; `nil` for other characters.
  var digit: Int64? {
    guard let value = asciiValue, value >= 48, value <= 57 else { return nil }
    return Int64(value) - 48
  }

  var isDigit: Bool { digit != nil }
}

extension PlainNumbers {
  /// Parses a finite, nonnegative number such as 2.5 or 1e-3.
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
    let tooLarge = ValueProblem(.outOfRange, "is larger than any allowed number", note: "too large")
    guard let power = Int(exponent), abs(power) <= 400 else { throw tooLarge }
    guard let value = Double(head + String(power - mantissa.scale)), value.isFinite else { throw tooLarge }
    return value
  }

  /// Parses a nonnegative integer such as 1 or 7_000.
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
    throw ValueProblem(.ambiguousNumber, "must be a plain number", note: "base 60?", help: .write(like: "250"))
  }
}
