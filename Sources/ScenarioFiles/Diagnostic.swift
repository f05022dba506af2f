package import Scenario

/// One problem of a scenario, with its place.
package struct Diagnostic: Hashable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package var code: Code
  package var severity: Severity
  /// The file's name, or `--set argument`.
  package var file: String
  /// Counted from 1; nil: the problem is the whole file's.
  package var line: Int?
  /// In Unicode scalars, counted from 1.
  package var column: Int?
  /// In Unicode scalars; at least 1.
  package var length: Int
  /// Safe to show on a terminal, like `note` and `advice`.
  package var sentence: String
  /// Stands beside the caret.
  package var note: String
  package var advice: Help?
  /// The line around the place.
  package var excerpt: Excerpt?

  package init(
    code: Code, severity: Severity = .error, file: String, line: Int?, column: Int?, length: Int, sentence: String,
    note: String, help: Help?, excerpt: Excerpt?
  ) {
    self.code = code
    self.severity = severity
    self.file = file
    self.line = line
    self.column = column
    self.length = length
    self.sentence = sentence
    self.note = note
    advice = help
    self.excerpt = excerpt
  }

  /// The advice as one line.
  package var help: String? { advice?.text }
}
