internal import CWords

/// The texts built into the program: the catalogue of words, page styles and scripts, and starter scenarios.
package enum Words {
  /// Returns the text of a file in Sources/Words/CWords by name, without the final line break.
  package static func text(_ name: String) -> String {
    guard let text = wf_text(name) else { preconditionFailure("no text has the name '\(name)'") }
    return String(String(cString: text).dropLast())
  }
}
