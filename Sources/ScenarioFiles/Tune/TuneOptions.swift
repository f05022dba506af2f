/// What the command line says of a tuning, in place of the file.
package struct TuneOptions: Sendable {
  /// A figure, or the path of a searched key; nil: that of the file.
  package var minimize: String?
  /// `PATH=A..B` or `PATH=V1,V2,...`; empty: what the file searches.
  package var search: [String]

  package init(minimize: String? = nil, search: [String] = []) {
    self.minimize = minimize
    self.search = search
  }

  static let searchOption = "--search"

  var isEmpty: Bool { minimize == nil && search.isEmpty }

  /// The tree of a file with what the command line says in the place of what the file says.
  func applied(to root: Node, problems: inout ProblemList) -> Node {
    guard !isEmpty, var pairs = root.pairs else { return root }
    var section = root["tune"]?.pairs ?? []
    if let minimize {
      let source = problems.add(source: SourceText(name: "--minimize argument", bytes: Array(minimize.utf8)))
      let span = Span(source: source, line: 1, column: 1, length: max(1, minimize.unicodeScalars.count))
      let value = Node(content: .scalar(minimize, isPlain: true), span: span)
      Self.put(Node.Pair(key: "minimize", keySpan: span, value: value), into: &section)
    }
    let keys = searched(&problems)
    if let first = keys.first {
      let value = Node(content: .mapping(keys), span: first.keySpan)
      Self.put(Node.Pair(key: "search", keySpan: first.keySpan, value: value), into: &section)
    }
    guard problems.isEmpty, let place = section.first?.keySpan, isComplete(section, &problems) else { return root }
    let value = Node(content: .mapping(section), span: root["tune"]?.span ?? place)
    Self.put(Node.Pair(key: "tune", keySpan: value.span, value: value), into: &pairs)
    return Node(content: .mapping(pairs), span: root.span)
  }

  /// In the place of a pair of that key.
  private static func put(_ pair: Node.Pair, into pairs: inout [Node.Pair]) {
    if let index = pairs.firstIndex(where: { $0.key == pair.key }) { pairs[index] = pair } else { pairs.append(pair) }
  }

  private func searched(_ problems: inout ProblemList) -> [Node.Pair] {
    var pairs: [Node.Pair] = []
    for text in search {
      let source = problems.add(source: SourceText(name: Self.searchOption + " argument", bytes: Array(text.utf8)))
      guard let pair = Self.pair(source, &problems) else { continue }
      if pairs.contains(where: { $0.key == pair.key }) {
        problems.add(
          .duplicateName, at: pair.keySpan, "\(pair.key.quoted) is searched twice", note: "the second time")
      } else {
        pairs.append(pair)
      }
    }
    return pairs
  }

  /// A key with its range or its list; nil after a problem.
  private static func pair(_ source: Int, _ problems: inout ProblemList) -> Node.Pair? {
    guard
      let (scalars, equals) = Setting.split(
        source, "\(searchOption) takes PATH=A..B", example: "kinds.weather.jitter.up_to=0s..30min", problems: &problems),
      let items = Setting.list(scalars, from: equals + 1, source, &problems)
    else { return nil }
    let span = Span(source: source, line: 1, column: 1, length: equals)
    guard let first = items.first, !items.contains(where: \.isNull) else {
      problems.add(
        .missingValue, at: span, "\(searchOption) has no value", note: "of this path",
        help: "a range is A..B, and a list has commas between its values")
      return nil
    }
    // What stands alone is a range, or a list in brackets.
    let value = items.count == 1 ? first : Node(content: .list(items), span: first.span)
    var key = String.UnicodeScalarView()
    key.append(contentsOf: scalars[..<equals])
    return Node.Pair(key: String(key), keySpan: span, value: value)
  }

  /// Whether there is something to make small and something to search, by the command line or the file.
  private func isComplete(_ section: [Node.Pair], _ problems: inout ProblemList) -> Bool {
    let lacks = { (key: String) in !section.contains { $0.key == key } }
    if lacks("minimize") {
      problems.add(
        .missingKey, at: nil, "nothing to minimize is named",
        help: "give --minimize requests, another figure or a searched key, or the scenario a tune with minimize")
    }
    if lacks("search") {
      problems.add(
        .missingKey, at: nil, "there is nothing to search",
        help: "give --search kinds.weather.jitter.up_to=0s..30min, or the scenario a tune with paths to search")
    }
    return problems.isEmpty
  }
}
