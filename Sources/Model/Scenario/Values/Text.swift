extension String {
  /// The number of terminal columns that the string occupies.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension Character {
  /// The number of terminal columns: 0 for combining marks, 2 for East Asian wide characters and emoji, and 1 for all
  /// others (Unicode annex 11).
  package var displayWidth: Int {
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
  /// Whether the East Asian Width is W or F, based on the Unicode block (Unicode annex 11).
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// Whether the character may be invisible or change how the surrounding text is displayed.
  ///
  /// Hidden characters include control characters (which terminals interpret and XML forbids), text direction marks,
  /// line separators and noncharacters.
  package var isHidden: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF:
      true
    default: false
    }
  }
}

extension Sequence where Element: Hashable {
  /// The distinct elements, in order of their first occurrence.
  package var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
