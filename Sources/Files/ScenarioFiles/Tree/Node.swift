import Scenario

/// A node of a YAML document, with its position in the text.
struct Node: Sendable {
  enum Content: Sendable {
    /// A scalar. It is plain if it is neither quoted nor in block style.
    case scalar(String, isPlain: Bool)
    case list([Node])
    case mapping([Pair])
    /// An alias, which has already been reported as a problem.
    case refused
  }

  /// A key of a mapping and its value; keys are always scalars.
  struct Pair: Sendable {
    var key: String
    var keySpan: Span
    var value: Node
    /// Whether the pair is not in the file, because a plain value stands for a mapping with only this key.
    var isImplied = false
  }

  var content: Content
  var span: Span

  /// The text of the node if it is a scalar; `nil` for other nodes.
  var text: String? {
    if case .scalar(let text, isPlain: _) = content { return text }
    return nil
  }

  var items: [Node]? {
    if case .list(let items) = content { return items }
    return nil
  }

  /// The pairs of a mapping in file order; `nil` for other nodes. Notes, whose keys begin with x-, are excluded.
  var pairs: [Pair]? {
    if case .mapping(let pairs) = content { return pairs }
    return nil
  }

  /// Whether the node is a plain scalar that means null in YAML 1.2.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// Returns the value of a key if the node is a mapping.
  subscript(key: String) -> Node? { pairs?.first { $0.key == key }?.value }

  /// Returns the node as YAML on a single line.
  ///
  /// - Parameter scalar: a function that formats a scalar.
  func oneLine(_ scalar: (_ text: String, _ isPlain: Bool) -> String, key: (String) -> String) -> String {
    switch content {
    case .scalar(let text, let isPlain): scalar(text, isPlain)
    case .list(let items): "[" + items.map { $0.oneLine(scalar, key: key) }.joined(separator: ", ") + "]"
    case .mapping(let pairs):
      "{" + pairs.map { key($0.key) + ": " + $0.value.oneLine(scalar, key: key) }.joined(separator: ", ") + "}"
    case .refused: "?"
    }
  }

  /// A description of the node's shape, such as `a mapping`, `a list` or `a plain value`.
  var shape: String {
    switch content {
    case .scalar: "a plain value"
    case .list: "a list"
    case .mapping: "a mapping"
    case .refused: "an alias"
    }
  }
}

/// A value to be written to a file.
package indirect enum PlainValue: Hashable, Sendable {
  /// A string, which is written in quotes.
  case text(String)
  /// A number or a boolean, written without quotes.
  case bare(String)
  case list([PlainValue])
  case mapping([Pair])

  package struct Pair: Hashable, Sendable {
    var key: String
    var value: PlainValue

    package init(key: String, value: PlainValue) { (self.key, self.value) = (key, value) }
  }

  /// Returns a mapping without the keys whose value is `nil`.
  static func mapping(_ pairs: KeyValuePairs<String, PlainValue?>) -> PlainValue {
    .mapping(pairs.compactMap { pair in pair.value.map { Pair(key: pair.key, value: $0) } })
  }

  static func flag(_ value: Bool) -> PlainValue { .bare(value ? "true" : "false") }
  static func count(_ value: some BinaryInteger) -> PlainValue { .bare(String(value)) }
  static func number(_ value: Double) -> PlainValue { .bare(QuantityText.number(value)) }

  /// Returns the value as JSON, with each short value on a single line.
  func json(indent: Int = 0) -> String {
    let line = oneLine()
    if line.utf8.count + indent <= 100 { return line }
    let blanks = String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .text, .bare: return line
    case .list(let items):
      return "[\n" + items.map { blanks + $0.json(indent: indent + 2) }.joined(separator: ",\n") + end + "]"
    case .mapping(let pairs):
      let lines = pairs.map { blanks + JSONText.quote($0.key) + ": " + $0.value.json(indent: indent + 2) }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    }
  }

  /// Returns the value on a single line.
  ///
  /// - Parameter written: a function that formats strings and keys.
  func oneLine(_ written: (String) -> String = JSONText.quote) -> String {
    switch self {
    case .text(let text): written(text)
    case .bare(let text): text
    case .list(let items): "[" + items.map { $0.oneLine(written) }.joined(separator: ", ") + "]"
    case .mapping(let pairs):
      "{" + pairs.map { written($0.key) + ": " + $0.value.oneLine(written) }.joined(separator: ", ") + "}"
    }
  }
}

/// The expansion of shorthands: plain values that stand for a mapping with one key, such as `jitter: 5min` for `jitter:
/// {up_to: 5min}`.
enum Shorthand {
  /// Returns the tree with all shorthands below a pattern of the key table expanded. Positions still refer to the
  /// source text.
  static func expand(_ node: Node, at path: String) -> Node {
    let table = KeyTable.standard
    var expanded = node
    switch node.content {
    case .scalar(let text, isPlain: _):
      guard let entry = table[path], let key = entry.shorthand, entry.isShorthand(text) else { return node }
      expanded.content = .mapping([Node.Pair(key: key, keySpan: node.span, value: node, isImplied: true)])
    case .list(let items):
      guard let item = table.child("*", of: path) else { return node }
      expanded.content = .list(items.map { expand($0, at: item.path) })
    case .mapping(let pairs):
      expanded.content = .mapping(
        pairs.map { pair in
          guard let child = table.child(pair.key, of: path) else { return pair }
          var pair = pair
          pair.value = expand(pair.value, at: child.path)
          return pair
        })
    case .refused: break
    }
    return expanded
  }
}

extension KeyEntry {
  /// Whether a plain value is intended for the key of the shorthand: it is a quantity or one of the words that the key
  /// accepts.
  fileprivate func isShorthand(_ text: String) -> Bool {
    guard let key = shorthand else { return false }
    if KeyTable.standard.child(key, of: path)?.words.contains(text) == true { return true }
    return !words.contains(text) && text.first.map { $0.isDigit || "+-.".contains($0) } ?? false
  }
}
