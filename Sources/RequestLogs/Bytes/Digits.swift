/// Numbers as logs write them.
enum Digits {
  /// A whole number of at most 18 digits; nil: it is none.
  @inline(__always) static func whole(_ text: Text) -> Int64? {
    guard text.count > 0, text.count <= 18 else { return nil }
    var value: Int64 = 0
    for index in 0..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return value
  }

  /// Two digits at a place; nil: they are none, or not there.
  @inline(__always) static func two(_ text: Text, _ place: Int) -> Int? {
    guard place + 2 <= text.count else { return nil }
    let (high, low) = (text[place] &- UInt8(ascii: "0"), text[place + 1] &- UInt8(ascii: "0"))
    return high < 10 && low < 10 ? Int(high) * 10 + Int(low) : nil
  }

  /// A number without its sign: its first 18 digits, and where its point is.
  struct Decimal {
    var digits: Int64
    /// The number is `digits` times ten to this power.
    var exponent: Int
    var isNegative: Bool
  }

  /// `12`, `-1`, `0.005`, `1.7e9`; digits after the eighteenth are dropped; nil: it is none of these.
  static func decimal(_ text: Text) -> Decimal? {
    var number = Decimal(digits: 0, exponent: 0, isNegative: false)
    var (place, seen, isFraction, hasDigits) = (0, 0, false, false)
    if place < text.count, text[place] == UInt8(ascii: "-") {
      number.isNegative = true
      place += 1
    }
    while place < text.count {
      let byte = text[place]
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if Letters.isDigit(byte) {
        hasDigits = true
        if seen < 18 {
          number.digits = number.digits * 10 + Int64(byte - UInt8(ascii: "0"))
          if number.digits > 0 { seen += 1 }
          if isFraction { number.exponent -= 1 }
        } else if !isFraction {
          number.exponent += 1
        }
      } else {
        break
      }
      place += 1
    }
    guard hasDigits, let power = power(text.from(place)) else { return nil }
    number.exponent += power
    return number
  }

  /// What stands after the digits: nothing, or the exponent of a number.
  private static func power(_ text: Text) -> Int? {
    guard !text.isEmpty else { return 0 }
    guard Letters.lower(text[0]) == UInt8(ascii: "e"), text.count > 1 else { return nil }
    let sign = text[1]
    let hasSign = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
    guard let value = whole(text.from(hasSign ? 2 : 1)), value < 400 else { return nil }
    return sign == UInt8(ascii: "-") ? -Int(value) : Int(value)
  }
}

extension Digits.Decimal {
  private static let powers: [Int64] = (0...18).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

  /// The number times ten to a power, rounded to the nearest; nil: it is beyond nine digits more than that.
  func scaled(_ power: Int) -> Int64? {
    guard digits != 0 else { return 0 }
    let shift = exponent + power
    guard shift < 19 else { return nil }
    guard shift < 0 else {
      let (value, isOver) = digits.multipliedReportingOverflow(by: Self.powers[shift])
      return isOver ? nil : isNegative ? -value : value
    }
    guard shift >= -18 else { return 0 }
    let divisor = Self.powers[-shift]
    let value = digits / divisor + (digits % divisor * 2 >= divisor ? 1 : 0)
    return isNegative ? -value : value
  }

  /// The number times ten to a power, without its fraction.
  func floored(_ power: Int) -> Int64? {
    let shift = exponent + power
    guard shift < 0 else { return scaled(power) }
    guard shift >= -18 else { return 0 }
    return isNegative ? nil : digits / Self.powers[-shift]
  }
}
