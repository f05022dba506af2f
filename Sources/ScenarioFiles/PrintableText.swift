extension String {
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

extension Unicode.Scalar {
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
