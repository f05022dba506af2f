/// One `--set PATH=VALUE`, or what another option has of that form.
package struct SetArgument: Hashable, Sendable {
  /// As given on the command line, without the flag.
  package var text: String
  /// Where it was said, for messages.
  let option: String

  package init(_ text: String, option: String = "--set") { (self.text, self.option) = (text, option) }
}

/// A part of a path with its place in the argument.
struct PathStep {
  var text: String
  var span: Span
}

/// An argument taken apart: the keys to walk, and what to put there.
struct Setting {
  /// More can name nothing: no key lies so deep.
  static let mostSteps = 32

  var steps: [PathStep]
  var value: Node
  /// Where it was said, for messages.
  var option = "--set"

  /// Reads the source of an argument; nil after a problem.
  static func read(source: Int, option: String = "--set", problems: inout ProblemList) -> Setting? {
    guard
      let (scalars, equals) = split(
        source, "\(option) takes PATH=VALUE", example: "clock.step=1s", problems: &problems)
    else { return nil }
    guard let value = value(scalars, from: equals + 1, source, option, &problems) else { return nil }
    let steps = steps(scalars[..<equals], source)
    guard steps.count <= mostSteps else {
      problems.add(.settingPath, at: steps.first?.span, "the path names no key", note: "no key lies so deep")
      return nil
    }
    return Setting(steps: steps, value: value, option: option)
  }

  /// The characters of an argument, and where the sign behind its path stands; nil after a problem.
  static func split(
    _ source: Int, _ form: String, example: String, problems: inout ProblemList
  ) -> (scalars: [Unicode.Scalar], equals: Int)? {
    let scalars = Array(String(decoding: problems.sources[source].bytes, as: UTF8.self).unicodeScalars)
    if let equals = scalars.firstIndex(of: "="), equals > 0 { return (scalars, equals) }
    problems.add(
      .settingSyntax, at: Span(source: source, line: 1, column: 1, length: max(1, scalars.count)), form,
      note: scalars.first == "=" ? "no path" : "no = here", help: .write(like: example))
    return nil
  }

  /// Parses what follows the sign as YAML, behind as many blanks as the path has characters: so places stay right.
  private static func value(
    _ scalars: [Unicode.Scalar], from start: Int, _ source: Int, _ option: String, _ problems: inout ProblemList
  ) -> Node? {
    var blanked = String.UnicodeScalarView(repeating: " ", count: start)
    blanked.append(contentsOf: scalars[start...])
    let before = problems
    let node = TreeReader.read(Array(String(blanked).utf8), source: source, problems: &problems)
    if let node, !node.isNull { return node }
    if problems.count == before.count {
      problems.add(
        .missingValue, at: Span(source: source, line: 1, column: max(1, start), length: 1), "\(option) has no value",
        note: "nothing follows", help: "it is PATH=VALUE; text with blanks needs quotes of the shell")
    }
    return nil
  }

  /// Parses what follows the sign as the items of a list with commas between, behind as many blanks as the path has
  /// characters: so places stay right, and commas in brackets belong there; nil after a problem.
  static func list(
    _ scalars: [Unicode.Scalar], from start: Int, _ source: Int, _ problems: inout ProblemList
  ) -> [Node]? {
    var list = String.UnicodeScalarView(repeating: " ", count: start - 1)
    list.append("[")
    list.append(contentsOf: scalars[start...])
    list.append("]")
    guard let node = TreeReader.read(Array(String(list).utf8), source: source, problems: &problems) else { return nil }
    return node.items ?? []
  }

  static func steps(_ path: ArraySlice<Unicode.Scalar>, _ source: Int) -> [PathStep] {
    path.split(separator: ".", maxSplits: mostSteps, omittingEmptySubsequences: false).map { part in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: part)
      let span = Span(source: source, line: 1, column: part.startIndex + 1, length: max(1, part.count))
      return PathStep(text: String(text), span: span)
    }
  }

  /// The path that is a key of the file, each part with its place where the key is written as it reads.
  static func steps(ofKey pair: Node.Pair) -> [PathStep] {
    var column = pair.keySpan.column
    let isPlain = pair.keySpan.length == pair.key.unicodeScalars.count
    return pair.key.split(separator: ".", omittingEmptySubsequences: false).map { part in
      var place = pair.keySpan
      let length = part.unicodeScalars.count
      if isPlain { (place.column, place.length) = (column, max(1, length)) }
      column += length + 1
      return PathStep(text: String(part), span: place)
    }
  }
}
