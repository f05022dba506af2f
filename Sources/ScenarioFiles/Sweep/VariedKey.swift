import Scenario

/// A key of a sweep with the values that it takes, each as it was written.
struct VariedKey {
  var steps: [PathStep]
  var values: [Node]
  /// Where it was said: `--vary` or `sweep.vary`.
  var origin: String
  /// Of the whole path.
  var span: Span

  var path: String { steps.map(\.text).joined(separator: ".") }

  func setting(_ value: Node) -> Setting { Setting(steps: steps, value: value, option: origin) }

  /// Reads `PATH=V1,V2,...` of the command line; nil after a problem.
  init?(argument source: Int, problems: inout ProblemList) {
    let text = problems.sources[source]
    let scalars = Array(String(decoding: text.bytes, as: UTF8.self).unicodeScalars)
    guard let equals = scalars.firstIndex(of: "="), equals > 0 else {
      let whole = Span(source: source, line: 1, column: 1, length: max(1, scalars.count))
      problems.add(
        .settingSyntax, at: whole, "--vary takes PATH=V1,V2,...", note: scalars.first == "=" ? "no path" : "no = here",
        help: "write --vary kinds.weather.jitter.up_to=0s,5min,10min")
      return nil
    }
    // A list behind as many blanks as the path has characters: so places stay right, and commas in brackets belong there.
    var list = String.UnicodeScalarView(repeating: " ", count: equals)
    list.append("[")
    list.append(contentsOf: scalars[(equals + 1)...])
    list.append("]")
    guard let node = TreeReader.read(Array(String(list).utf8), source: source, problems: &problems) else { return nil }
    let items = node.items ?? []
    values = items.count == 1 ? items[0].items ?? items : items
    steps = Setting.steps(scalars[..<equals], source)
    origin = "--vary"
    span = Span(source: source, line: 1, column: 1, length: equals)
    guard isComplete(&problems) else { return nil }
  }

  /// Reads a key of `sweep.vary` with its list; nil after a problem.
  init?(pair: Node.Pair, problems: inout ProblemList) {
    let parts = pair.key.split(separator: ".", omittingEmptySubsequences: false)
    var column = pair.keySpan.column
    let isPlain = pair.keySpan.length == pair.key.unicodeScalars.count
    steps = parts.map { part in
      var place = pair.keySpan
      let length = part.unicodeScalars.count
      if isPlain { (place.column, place.length) = (column, max(1, length)) }
      column += length + 1
      return PathStep(text: String(part), span: place)
    }
    (origin, span) = ("sweep.vary", pair.keySpan)
    guard let items = pair.value.items else {
      problems.add(
        .wrongShape, at: pair.value.span, "\(pair.key.quoted) takes a list of values", note: "not a list",
        help: "write \(pair.key.printable(longest: 40)): [1h, 2h]; ranges come in a later version")
      return nil
    }
    values = items
    guard isComplete(&problems) else { return nil }
  }

  private func isComplete(_ problems: inout ProblemList) -> Bool {
    if values.isEmpty || values.contains(where: \.isNull) {
      problems.add(
        .missingValue, at: span, "\(origin) has \(values.isEmpty ? "no values" : "an empty value")",
        note: "of this path",
        help: "write values with commas between: 1h, 2h")
      return false
    }
    let isOfScenario = steps.count <= Setting.mostSteps && !["schema", "sweep", "tune"].contains(steps[0].text)
    if !isOfScenario {
      problems.add(
        .settingPath, at: steps[0].span, "\(origin) names nothing that can be varied", note: "no value of the scenario")
    }
    return isOfScenario
  }
}

extension Node {
  /// On one line, as YAML.
  var flowText: String {
    switch content {
    case .scalar(let text, isPlain: _): text.printable(longest: 200)
    case .list(let items): "[" + items.map(\.flowText).joined(separator: ", ") + "]"
    case .mapping(let pairs):
      "{" + pairs.map { "\($0.key.printable(longest: 200)): \($0.value.flowText)" }.joined(separator: ", ") + "}"
    case .refused: "?"
    }
  }
}
