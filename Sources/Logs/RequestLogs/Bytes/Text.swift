internal import Platform

/// A slice of a byte buffer, which is valid for as long as the block of lines that contains it.
struct Text: BitwiseCopyable {
  let start: UnsafePointer<UInt8>
  let count: Int

  init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    assert(count >= 0)
    self.start = start
    self.count = count
  }

  /// The start address of all empty texts, which any thread may read because it never changes and is never freed.
  private nonisolated(unsafe) static let nowhere: UnsafePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()

  static let emptyStart = Address(nowhere)

  /// An empty text.
  static var empty: Text { Text(emptyStart.pointer, 0) }

  var isEmpty: Bool { count == 0 }
  var end: UnsafePointer<UInt8> { start + count }

  @inline(__always) subscript(index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return start[index]
  }

  /// Returns the bytes in the half-open range between two positions.
  @inline(__always) func slice(_ from: Int, _ to: Int) -> Text {
    assert(from >= 0 && from <= to && to <= count)
    return Text(start + from, to - from)
  }

  @inline(__always) func from(_ place: Int) -> Text { slice(place, count) }
  @inline(__always) func upTo(_ place: Int) -> Text { slice(0, place) }

  /// Returns the position of the next occurrence of a byte; `nil` if the text does not contain it.
  @inline(__always) func place(of byte: UInt8, from: Int = 0) -> Int? {
    assert(from >= 0 && from <= count)
    guard let found = memchr(start + from, Int32(byte), count - from) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  func place(of word: StaticString) -> Int? { place(of: Text(word.utf8Start, word.utf8CodeUnitCount)) }

  /// Returns the position of the next occurrence of a byte sequence; `nil` if the text does not contain it.
  func place(of part: Text, from: Int = 0) -> Int? {
    guard !part.isEmpty else { return from }
    var place = from
    while place + part.count <= count, let found = self.place(of: part[0], from: place) {
      if found + part.count <= count, memcmp(start + found, part.start, part.count) == 0 { return found }
      place = found + 1
    }
    return nil
  }

  @inline(__always) static func == (left: Text, right: Text) -> Bool {
    left.count == right.count && memcmp(left.start, right.start, left.count) == 0
  }

  @inline(__always) func hasPrefix(_ word: StaticString) -> Bool {
    word.utf8CodeUnitCount <= count && memcmp(start, word.utf8Start, word.utf8CodeUnitCount) == 0
  }

  func hasSuffix(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    return length <= count && memcmp(end - length, word.utf8Start, length) == 0
  }

  @inline(__always) static func == (left: Text, right: StaticString) -> Bool {
    left.count == right.utf8CodeUnitCount && memcmp(left.start, right.utf8Start, left.count) == 0
  }

  func contains(_ word: StaticString) -> Bool {
    place(of: word) != nil
  }

  /// Returns whether the text contains a word, ignoring case; the word must be given in lower case.
  func containsAnyCase(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard length <= count else { return false }
    return (0...count - length).contains { place in
      (0..<length).allSatisfy { Letters.lower(start[place + $0]) == word.utf8Start[$0] }
    }
  }

  /// The text without leading or trailing spaces or tabs.
  var trimmed: Text {
    var (from, to) = (0, count)
    while from < to, Letters.isSpace(start[from]) { from += 1 }
    while to > from, Letters.isSpace(start[to - 1]) { to -= 1 }
    return slice(from, to)
  }

  /// Whether the text is empty or a hyphen, both of which represent a missing value in log formats.
  var isNone: Bool { isEmpty || count == 1 && start[0] == UInt8(ascii: "-") }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
  var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// An address in memory that all threads may share.
///
/// `@unchecked` is safe because the bytes behind the pointer are written before it is shared, and are never changed or
/// freed.
struct Address: @unchecked Sendable {
  let pointer: UnsafePointer<UInt8>

  init(_ pointer: UnsafePointer<UInt8>) { self.pointer = pointer }
}

/// Functions that classify ASCII characters, such as letters and digits.
enum Letters {
  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
  @inline(__always) static func lower(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }
  @inline(__always) static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
  static func isLetter(_ byte: UInt8) -> Bool { lower(byte) &- UInt8(ascii: "a") < 26 }

  /// Returns the value of a hexadecimal digit; `nil` for other bytes.
  @inline(__always) static func hex(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - UInt8(ascii: "0") }
    let letter = lower(byte) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }
}

extension StaticString {
  var text: Text { Text(utf8Start, utf8CodeUnitCount) }
}

extension [UInt8] {
  /// Calls `body` with the bytes as a text that is valid only during the call.
  func withText<Result, Failure: Error>(_ body: (Text) throws(Failure) -> Result) throws(Failure) -> Result {
    try withUnsafeBufferPointer { bytes throws(Failure) in
      guard let start = bytes.baseAddress else { return try body(.empty) }
      return try body(Text(start, bytes.count))
    }
  }
}

/// Parsers for numbers in logs.
enum Digits {
  /// Returns a whole number of at most 18 digits; `nil` for anything else.
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

  /// Returns the value of two decimal digits at a position; `nil` if the bytes are not digits.
  @inline(__always) static func two(_ text: Text, _ place: Int) -> Int? {
    guard place + 2 <= text.count else { return nil }
    let (high, low) = (text[place] &- UInt8(ascii: "0"), text[place + 1] &- UInt8(ascii: "0"))
    return high < 10 && low < 10 ? Int(high) * 10 + Int(low) : nil
  }

  /// A number without its sign: its first 18 digits and the position of its decimal point.
  struct Decimal {
    var digits: Int64
    /// The power of ten by which `digits` is multiplied to get the number.
    var exponent: Int
    var isNegative: Bool
  }

  /// Parses `12`, `-1`, `0.005` or `1.7e9`, ignoring digits after the eighteenth; `nil` for anything else.
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

  /// Returns the exponent after the digits of a number; 0 if there is no exponent.
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

  /// Returns the number times a power of ten, rounded to the nearest integer; `nil` if it exceeds 64 bits.
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

  /// Returns the number times a power of ten, rounded towards zero.
  func floored(_ power: Int) -> Int64? {
    let shift = exponent + power
    guard shift < 0 else { return scaled(power) }
    guard shift >= -18 else { return 0 }
    return isNegative ? nil : digits / Self.powers[-shift]
  }
}

/// Decoders for escape sequences, which represent bytes that a format cannot contain directly. Each function writes at
/// most as many bytes as it reads.
enum Escapes {
  /// Writes the unescaped text of a JSON string; anything that is not an escape sequence stays unchanged.
  ///
  /// - Returns: the number of bytes written.
  static func json(_ text: Text, to output: UnsafeMutablePointer<UInt8>) -> Int {
    var (place, count) = (0, 0)
    while place < text.count {
      guard text[place] == UInt8(ascii: "\\"), place + 1 < text.count else {
        output[count] = text[place]
        (place, count) = (place + 1, count + 1)
        continue
      }
      if text[place + 1] == UInt8(ascii: "u"), let unit = hex(text, place + 2, digits: 4) {
        let low = unit >> 10 == 0x36 ? hex(text, place + 8, digits: 4) : nil
        let isPair = low.map { $0 >> 10 == 0x37 } ?? false && text[place + 6] == UInt8(ascii: "\\")
        let scalar = Unicode.Scalar(isPair ? 0x10000 + ((unit & 0x3FF) << 10 | (low ?? 0) & 0x3FF) : unit)
        for byte in String(scalar ?? "\u{FFFD}").utf8 {
          output[count] = byte
          count += 1
        }
        place += isPair ? 12 : 6
      } else {
        output[count] = letter(text[place + 1])
        (place, count) = (place + 2, count + 1)
      }
    }
    return count
  }

  private static func letter(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    default: byte
    }
  }

  private static func hex(_ text: Text, _ place: Int, digits: Int) -> UInt32? {
    guard place + digits <= text.count else { return nil }
    var value: UInt32 = 0
    for index in place..<place + digits {
      guard let digit = Letters.hex(text[index]) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Returns whether a byte may start a percent or backslash escape.
  static func mayBegin(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") }

  /// Returns the bytes with escape sequences such as `%41` and `\x41` decoded; anything else stays unchanged.
  static func percentAndHex(_ bytes: [UInt8]) -> [UInt8] {
    var (result, place) = ([UInt8](), 0)
    while place < bytes.count {
      let isPercent = bytes[place] == UInt8(ascii: "%")
      let isHex = bytes[place] == UInt8(ascii: "\\") && place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "x")
      let digits = place + (isHex ? 2 : 1)
      if isPercent || isHex, digits + 1 < bytes.count, let high = Letters.hex(bytes[digits]),
        let low = Letters.hex(bytes[digits + 1])
      {
        result.append(high << 4 | low)
        place = digits + 2
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return result
  }
}
