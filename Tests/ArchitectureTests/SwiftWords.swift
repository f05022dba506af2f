/// The words of Swift code with the characters around them; comments and string literals are left out.
struct SwiftWords {
  struct Word: Equatable {
    var text: String
    var line: Int
    /// The characters next to it; a space at either end of the file.
    var before: Character
    var after: Character
  }

  private(set) var words: [Word] = []
  /// The lines on which a value is force-unwrapped, or declared to be.
  private(set) var forcedLines: [Int] = []

  private let bytes: [UInt8]
  private var place = 0
  private var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    while place < bytes.count { step() }
  }

  private mutating func step() {
    if startsWith("//") { return skip(to: "\n") }
    if startsWith("\"\"\"") { return skipText(until: "\"\"\"") }
    if startsWith("\"") { return skipText(until: "\"") }
    if Self.isPartOfWord(bytes[place]) { return takeWord() }
    if startsWith("\n") { line += 1 }
    if startsWith("!"), isForce { forcedLines.append(line) }
    place += 1
  }

  private mutating func takeWord() {
    let start = place
    while place < bytes.count, Self.isPartOfWord(bytes[place]) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    words.append(Word(text: text, line: line, before: character(start - 1), after: character(place)))
  }

  private mutating func skip(to end: String) {
    while place < bytes.count, !startsWith(end) { place += 1 }
  }

  private mutating func skipText(until end: String) {
    place += end.utf8.count
    while place < bytes.count, !startsWith(end) {
      if startsWith("\n") { line += 1 }
      place += startsWith("\\") ? 2 : 1
    }
    place += end.utf8.count
  }

  /// Whether it is the `!` of `value!`, `Type!` or `try!`, but not of `!value` or `a != b`.
  private var isForce: Bool {
    let before = character(place - 1)
    let touchesValue = ")]>\"?".contains(before) || place > 0 && Self.isPartOfWord(bytes[place - 1])
    return touchesValue && character(place + 1) != "="
  }

  private func character(_ index: Int) -> Character {
    bytes.indices.contains(index) ? Character(UnicodeScalar(bytes[index])) : " "
  }

  private func startsWith(_ text: String) -> Bool {
    var index = place
    for byte in text.utf8 {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: byte >= 0x80
    }
  }
}
