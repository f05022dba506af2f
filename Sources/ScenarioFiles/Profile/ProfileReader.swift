import Scenario

/// Puts the content of the profile that `os` names into the tree, and checks it (MODEL.md 4.9).
struct ProfileReader {
  private var problems: ProblemList

  /// The tree with the profile in place of its path; the same tree without one, and after a problem.
  static func expand(_ root: Node, problems: inout ProblemList) -> Node {
    guard let os = root["os"], let named = os["profile"], let path = named.text, !named.isNull else { return root }
    var reader = ProfileReader(problems: problems)
    let profile = reader.profile(path, at: named.span)
    problems = reader.problems
    return profile.map { root.replacing("os", with: os.replacing("profile", with: $0)) } ?? root
  }

  private mutating func profile(_ path: String, at span: Span) -> Node? {
    switch problems.files.content(path) {
    case .failure(let refusal):
      problems.add(
        .unreadable, at: span, "the profile \(path.quoted) cannot be read: \(refusal.reason)", note: "this file",
        help: "its path begins at the folder of the scenario file")
      return nil
    case .success(let bytes):
      let source = problems.add(source: SourceText(name: path, bytes: TextCheck.withoutMark(bytes)))
      return mapping(source: source, named: span)
    }
  }

  /// The tree of a profile's text; nil after a problem.
  ///
  /// - Parameter place: where the profile is named.
  private mutating func mapping(source: Int, named place: Span) -> Node? {
    let before = problems.count
    let node = TreeReader.read(source: source, problems: &problems)
    if let node, node.pairs != nil { return node }
    if problems.count == before {
      let name = problems.sources[source].name
      problems.add(
        .wrongShape, at: node?.span ?? place, "the profile \(name.quoted) is no mapping", note: "keys expected",
        help: Help("it begins with schema: \(SystemProfile.schema)"))
    }
    return nil
  }
}

extension Node {
  /// The mapping with another value of a key that it has.
  fileprivate func replacing(_ key: String, with value: Node) -> Node {
    var node = self
    node.content = .mapping(
      (pairs ?? []).map { pair in
        var pair = pair
        if pair.key == key { pair.value = value }
        return pair
      })
    return node
  }

  /// The mapping with a value below some keys, unless something is written there.
  func filling(_ keys: ArraySlice<String>, with value: Node) -> Node {
    guard let key = keys.first, let pairs else { return self }
    var filled = self
    let rest = keys.dropFirst()
    if let index = pairs.firstIndex(where: { $0.key == key }) {
      guard !rest.isEmpty else { return self }
      var changed = pairs
      changed[index].value = pairs[index].value.filling(rest, with: value)
      filled.content = .mapping(changed)
    } else {
      let empty = Node(content: .mapping([]), span: value.span)
      let inner = rest.isEmpty ? value : empty.filling(rest, with: value)
      filled.content = .mapping(pairs + [Node.Pair(key: key, keySpan: value.span, value: inner)])
    }
    return filled
  }

  /// What is written below some keys; nil: nothing.
  func below(_ path: String) -> Node? {
    path.split(separator: ".").reduce(Optional(self)) { node, key in
      node?[String(key)].flatMap { $0.isNull ? nil : $0 }
    }
  }
}
