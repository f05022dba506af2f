internal import CWords

/// The texts that are built into the program: the catalogue of words, the styles and scripts of pages, and the starter
/// scenarios.
package enum Words {
  /// Returns the text of the file with this name in Sources/Words/CWords, without its final line break.
  package static func text(_ name: String) -> String {
    guard let text = wf_text(name) else { preconditionFailure("no text has the name '\(name)'") }
    return String(String(cString: text).dropLast())
  }
}
