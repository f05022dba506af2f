import FleetReports
import Scenario

extension String {
  /// The text in ASCII. Other characters are replaced by one question mark per column, to preserve the alignment of
  /// columns.
  var asciiColumns: String {
    String(
      flatMap { character -> String in
        if character.isASCII { return String(character) }
        if let known = Self.replacements[character] { return known }
        return String(repeating: "?", count: character.displayWidth)
      })
  }

  /// The JSON document in ASCII, with all other characters escaped.
  var asciiDocument: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      guard !scalar.isASCII else { return text.unicodeScalars.append(scalar) }
      for unit in String(scalar).utf16 { text += JSONValue.escaped(unit) }
    }
  }

  /// ASCII replacements of equal width for certain characters.
  private static let replacements: [Character: String] = [
    "\u{A0}": " ", "\u{202F}": " ", "–": "-", "−": "-", "×": "x", "’": "'", "“": "\"", "”": "\"",
  ]
}
