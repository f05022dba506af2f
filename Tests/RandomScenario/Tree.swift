/// A YAML value to write.
indirect enum Tree: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// A plain scalar, written literally.
  case plain(String)
  case map([(key: String, value: Tree)])
  case list([Tree])

  init(stringLiteral value: String) { self = .plain(value) }

  /// Returns text in quotes.
  static func quoted(_ text: String) -> Tree { .plain("\"" + text + "\"") }

  /// The value on one line.
  var flow: String {
    switch self {
    case .plain(let text): text
    case .map(let pairs): "{" + pairs.map { Self.key($0.key) + ": " + $0.value.flow }.joined(separator: ", ") + "}"
    case .list(let items): "[" + items.map(\.flow).joined(separator: ", ") + "]"
    }
  }

  /// Returns the lines of a mapping; short values take one line.
  func lines(indent: String = "") -> [String] {
    guard case .map(let pairs) = self else { return [indent + flow] }
    return pairs.flatMap { key, value -> [String] in
      let line = indent + Self.key(key) + ": " + value.flow
      guard line.count > 100, value.isBlock else { return [line] }
      return [indent + Self.key(key) + ":"] + value.blockLines(indent: indent + "  ")
    }
  }

  private func blockLines(indent: String) -> [String] {
    guard case .list(let items) = self else { return lines(indent: indent) }
    return items.flatMap { item -> [String] in
      let line = indent + "- " + item.flow
      guard line.count > 100, item.isBlock else { return [line] }
      let lines = item.lines(indent: indent + "  ")
      return [indent + "- " + (lines.first ?? "").dropFirst(indent.count + 2)] + lines.dropFirst()
    }
  }

  /// Whether the value can span several lines.
  private var isBlock: Bool {
    switch self {
    case .plain: false
    case .map(let pairs): !pairs.isEmpty
    case .list(let items):
      items.allSatisfy { item in
        if case .map(let pairs) = item { return !pairs.isEmpty }
        return false
      } && !items.isEmpty
    }
  }

  private static func key(_ name: String) -> String {
    let isSimple = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || [0x2D, 0x2E, 0x2F, 0x5F, 0x25].contains(byte)
    }
    return isSimple && !name.isEmpty ? name : "\"" + name + "\""
  }
}

/// A mapping under construction.
struct Fields {
  private(set) var pairs: [(key: String, value: Tree)] = []

  subscript(key: String) -> Tree? {
    get { pairs.first { $0.key == key }?.value }
    set {
      pairs.removeAll { $0.key == key }
      if let newValue { pairs.append((key, newValue)) }
    }
  }

  var tree: Tree { .map(pairs) }

  /// Returns the plain value of a key if it is the only key: `jitter: 5min`.
  func shortest(_ key: String) -> Tree { pairs.count == 1 ? self[key] ?? tree : tree }
}
