internal import CWords

/// The texts inside the program: the catalogue of its words, styles and scripts of pages, starter scenarios.
package enum Words {
  /// Returns the text of a file of Sources/Words/CWords by its name, without the last line break.
  package static func text(_ name: String) -> String {
    guard let text = wf_text(name) else { preconditionFailure("no text has the name '\(name)'") }
    return String(String(cString: text).dropLast())
  }
}
