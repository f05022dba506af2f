import FleetReports
import Scenario

extension String {
  /// In ASCII, with a question mark for every column of what is not: what stands below stays below.
  var asciiColumns: String {
    String(
      flatMap { character -> String in
        if character.isASCII { return String(character) }
        if let known = Self.replacements[character] { return known }
        return String(repeating: "?", count: character.displayWidth)
      })
  }

  /// A JSON document in ASCII: all else is escaped, which says the same.
  var asciiDocument: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      guard !scalar.isASCII else { return text.unicodeScalars.append(scalar) }
      for unit in String(scalar).utf16 { text += JSONValue.escaped(unit) }
    }
  }

  /// Signs with an ASCII form as wide as they are.
  private static let replacements: [Character: String] = [
    "\u{A0}": " ", "\u{202F}": " ", "–": "-", "−": "-", "×": "x", "’": "'", "“": "\"", "”": "\"",
  ]
}
