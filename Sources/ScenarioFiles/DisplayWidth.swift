extension String {
  /// Columns that a terminal gives to the text.
  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The text without anything that a terminal would obey, and at most `longest` characters of it.
  func printable(longest: Int) -> String {
    let kept = unicodeScalars.prefix(longest).map { $0.isHidden ? "\\u{\(String($0.value, radix: 16))}" : String($0) }
    return kept.joined() + (unicodeScalars.count > longest ? "..." : "")
  }

  /// The text without anything that a terminal would obey.
  var printable: String { printable(longest: 400) }

  /// As a message quotes what the user wrote.
  var quoted: String { "'\(printable(longest: 60))'" }
}

extension Character {
  /// 0 for a lone mark, 2 for East Asian wide characters and emoji, otherwise 1 (Unicode annex 11).
  var displayWidth: Int {
    if utf8.count == 1 { return 1 }
    guard let first = unicodeScalars.first else { return 0 }
    if unicodeScalars.contains(where: { $0.value == 0xFE0F || $0.properties.isEmojiPresentation }) { return 2 }
    if first.isWide { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}

extension Unicode.Scalar {
  /// East Asian Width W or F, by blocks (Unicode annex 11).
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Control and bidirectional characters, line separators and noncharacters: what may hide or change the text.
  var isHidden: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF:
      true
    default: false
    }
  }

  /// As in U+202E.
  var codePointName: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
