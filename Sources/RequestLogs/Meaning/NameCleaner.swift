/// Takes out of texts what tells people apart and what a page cannot show.
enum NameCleaner {
  /// Segments of a path's name; the rest is `...`.
  static let mostSegments = 6
  /// Bytes of a segment; a longer one is taken for an id.
  static let longestSegment = 32
  /// Hexadecimal digits from which on a segment is taken for an id.
  private static let shortestHex = 8

  private static let number = Array("{n}".utf8)
  private static let id = Array("{id}".utf8)
  private static let rest = Array("...".utf8)

  /// The name of a path without query: `/v2/widgets/{n}/{id}`.
  static func path(_ text: Text) -> [UInt8] {
    var (name, segments) = ([UInt8](), 0)
    for segment in Escapes.percentAndHex(Array(text.bytes)).split(separator: UInt8(ascii: "/")) {
      name.append(UInt8(ascii: "/"))
      guard segments < mostSegments else { return name + rest }
      name += self.segment(Array(segment))
      segments += 1
    }
    if name.isEmpty || text.count > 1 && text[text.count - 1] == UInt8(ascii: "/") { name.append(UInt8(ascii: "/")) }
    return name
  }

  /// A word that is shown, or what stands for it where it may tell a person.
  static func segment(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    if bytes.allSatisfy(Letters.isDigit) { return number }
    let isLong = bytes.count > longestSegment || bytes.contains(UInt8(ascii: "@"))
    return isLong || holdsKey(bytes) ? id : printable(bytes)
  }

  /// Whether its letters and digits are those of a hexadecimal number: UUIDs, hashes, tokens.
  private static func holdsKey(_ bytes: [UInt8]) -> Bool {
    var (length, digits) = (0, 0)
    for byte in bytes {
      if Letters.hex(byte) != nil {
        length += 1
        if Letters.isDigit(byte) { digits += 1 }
        if length >= shortestHex, digits > 0 { return true }
      } else if byte != UInt8(ascii: "-") {
        (length, digits) = (0, 0)
      }
    }
    return false
  }

  /// As UTF-8 that shows what it holds: no control characters and none that turn the direction of writing.
  static func printable(_ bytes: [UInt8]) -> [UInt8] {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    guard !isPlain else { return bytes }
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      text.append(isShown(scalar) ? scalar : "\u{FFFD}")
    }
    return Array(String(text).utf8)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
