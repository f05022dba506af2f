import Scenario

/// Why the text of a value cannot be read.
struct ValueProblem: Error, Hashable {
  var code: Code
  /// What is wrong, after the name of the key: `needs a unit`.
  var sentence: String
  /// Stands beside the caret.
  var note: String
  var help: Help?

  init(_ code: Code, _ sentence: String, note: String = "", help: Help? = nil) {
    self.code = code
    self.sentence = sentence
    self.note = note
    self.help = help
  }
}
