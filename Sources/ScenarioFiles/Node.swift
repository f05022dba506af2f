/// A piece of a YAML document with its place.
struct Node: Sendable {
  enum Content: Sendable {
    /// Plain: written without quotes and not as a block.
    case scalar(String, isPlain: Bool)
    case list([Node])
    case mapping([Pair])
    /// An alias, of which a problem tells already.
    case refused
  }

  /// A key, always a scalar, with its value.
  struct Pair: Sendable {
    var key: String
    var keySpan: Span
    var value: Node
    /// Not written: a plain value stands for a mapping with this key alone.
    var isImplied = false
  }

  var content: Content
  var span: Span

  /// The text of a scalar.
  var text: String? {
    if case .scalar(let text, isPlain: _) = content { return text }
    return nil
  }

  var items: [Node]? {
    if case .list(let items) = content { return items }
    return nil
  }

  /// In the order of the text; notes, whose keys begin with x-, are left out.
  var pairs: [Pair]? {
    if case .mapping(let pairs) = content { return pairs }
    return nil
  }

  /// A plain scalar that YAML 1.2 reads as null.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// The value of a key of a mapping.
  subscript(key: String) -> Node? { pairs?.first { $0.key == key }?.value }

  /// On one line, as YAML.
  ///
  /// - Parameter scalar: how the text of a scalar stands in it.
  func oneLine(_ scalar: (_ text: String, _ isPlain: Bool) -> String, key: (String) -> String) -> String {
    switch content {
    case .scalar(let text, let isPlain): scalar(text, isPlain)
    case .list(let items): "[" + items.map { $0.oneLine(scalar, key: key) }.joined(separator: ", ") + "]"
    case .mapping(let pairs):
      "{" + pairs.map { key($0.key) + ": " + $0.value.oneLine(scalar, key: key) }.joined(separator: ", ") + "}"
    case .refused: "?"
    }
  }

  /// `a mapping`, `a list`, `a plain value`.
  var shape: String {
    switch content {
    case .scalar: "a plain value"
    case .list: "a list"
    case .mapping: "a mapping"
    case .refused: "an alias"
    }
  }
}
