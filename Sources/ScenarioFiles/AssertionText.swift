import Scenario

/// An assertion with the place up to which it has been read.
struct AssertionText {
  private let scalars: [Unicode.Scalar]
  private(set) var position = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    skipBlanks()
  }

  /// The next character that is no blank; nil at the end.
  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  /// Passes one character and the blanks behind it.
  mutating func skip() {
    position += 1
    skipBlanks()
  }

  mutating func move(to place: Int) {
    position = min(place, scalars.count)
    skipBlanks()
  }

  private mutating func skipBlanks() {
    while let scalar = next, AssertionText.isBlank(scalar) { position += 1 }
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  /// Letters, digits and `_`, as the names of metrics, statistics and labels have.
  mutating func word() -> (String, Range<Int>) {
    take { $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-" }
  }

  /// The characters of a comparison.
  mutating func sign() -> (String, Range<Int>) { take { "<>=!≤≥≠~".unicodeScalars.contains($0) } }

  /// What stands to the next `,` or `}`, or between quotes.
  mutating func labelValue() -> (String, Range<Int>) {
    guard let quote = next, quote == "\"" || quote == "'",
      let end = scalars[(position + 1)...].firstIndex(of: quote)
    else { return take { $0 != "," && $0 != "}" } }
    let range = position..<end + 1
    let value = string(position + 1..<end)
    position = end + 1
    skipBlanks()
    return (value, range)
  }

  /// All that is left, without the blanks around it.
  func rest() -> (String, Range<Int>) {
    var end = scalars.count
    while end > position, AssertionText.isBlank(scalars[end - 1]) { end -= 1 }
    return (string(position..<end), position..<max(end, position))
  }

  private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> (String, Range<Int>) {
    let start = position
    while let scalar = next, belongs(scalar) { position += 1 }
    var end = position
    while end > start, AssertionText.isBlank(scalars[end - 1]) { end -= 1 }
    skipBlanks()
    return (string(start..<end), start..<end)
  }

  private func string(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  /// What stands before ` of `, and where it goes on behind; nil without one.
  static func splitAtOf(_ text: String) -> (share: String, offset: Int)? {
    let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard parts.count > 1, parts[1] == "of" else { return nil }
    return (String(parts[0]), text[..<parts[1].endIndex].unicodeScalars.count)
  }
}

extension AssertionText {
  /// A problem with the place where reading stands.
  func unreadable(_ sentence: String, help: Help?) -> AssertionProblem {
    problem(.badAssertion, sentence, note: "here", help: help, at: position..<position + 1)
  }

  func problem(
    _ code: Code, _ sentence: String, note: String, help: Help?, at range: Range<Int>
  ) -> AssertionProblem {
    AssertionProblem(problem: ValueProblem(code, sentence, note: note, help: help), range: range)
  }
}
