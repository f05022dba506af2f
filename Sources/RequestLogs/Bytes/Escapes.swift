/// Ways to write bytes that a format cannot hold as they are. Each writes at most as many bytes as it reads.
enum Escapes {
  /// The text of a string of JSON; what is no escape stays as it is.
  ///
  /// - Returns: how many bytes were written.
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

  /// Whether an escape of percent or of a backslash may begin so.
  static func mayBegin(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") }

  /// `%41` and `\x41` as A; what is neither stays as it is.
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
