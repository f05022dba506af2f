import Scenario

/// Plain values that stand for a mapping with one key: `jitter: 5min` is `jitter: {up_to: 5min}`.
enum Shorthand {
  /// The tree below a pattern of the key table with every shorthand written out; places stay those of the text.
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
  /// Whether a plain value is meant for the key that the shorthand stands for: an amount, or a word of that key alone.
  fileprivate func isShorthand(_ text: String) -> Bool {
    guard let key = shorthand else { return false }
    if KeyTable.standard.child(key, of: path)?.words.contains(text) == true { return true }
    return !words.contains(text) && text.first.map { $0.isDigit || "+-.".contains($0) } ?? false
  }
}
