/// A warning about a valid scenario: it asks for what the system, the budget or the sample cannot give.
package struct Lint: Hashable, Sendable {
  /// A number that the message is made from.
  package struct Number: Hashable, Sendable {
    package var name: String
    package var value: Double
    /// As in summary.csv: `1/day`, `s`, `1/s`, `1`.
    package var unit: String
  }

  /// A code of lints.
  package var rule: Code
  /// Keys of the file from the top, items of lists by their number from 0; the key may be left out in the file.
  package var path: [String]
  /// Names in it are as the file has them: make them printable where they are shown.
  package var sentence: String
  /// A few words for the place itself.
  package var note: String
  package var help: String
  /// Keys with the values that mend it together; none where that is not known.
  package var mends: [Mend]
  package var numbers: [Number]

  /// A key by its path, with a value, as `--set` takes them.
  package struct Mend: Hashable, Sendable {
    package var path: String
    package var value: String

    package init(path: String, value: String) { (self.path, self.value) = (path, value) }
  }

  package init(
    _ rule: Code, at path: [String], _ sentence: String, note: String, help: String,
    numbers: KeyValuePairs<String, (Double, String)>, mends: [Mend] = []
  ) {
    self.rule = rule
    self.path = path
    self.sentence = sentence
    self.note = note
    self.help = help
    self.mends = mends
    let all = numbers.map { Number(name: $0.key, value: $0.value.0, unit: $0.value.1) }
    // A limit that there is not has no number.
    self.numbers = all.filter(\.value.isFinite)
  }
}
