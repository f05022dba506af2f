/// A parser for lines that each contain a JSON object.
///
/// Only requested keys are parsed; all other content is skipped at any depth.
final class ObjectLines: LineFormat, Sendable {
  private let tree: KeyTree

  init(_ table: FieldTable) { tree = KeyTree(table.names.map { ($0, table.targets(of: $0)) }) }

  /// Creates the format for an nginx pattern that is a JSON object.
  init(_ table: FieldTable, pattern: LogPattern) {
    let mapped = pattern.keys.map { ($0.key, table.targets(of: $0.name) + table.targets(of: $0.key)) }
    let others = table.names.filter { name in !pattern.keys.contains { $0.key == name } }
    tree = KeyTree(mapped + others.map { ($0, table.targets(of: $0)) })
  }

  /// Creates the format for OpenTelemetry records as written by `DocumentScanner`.
  init(telemetry table: FieldTable) {
    let own = ["startTimeUnixNano", "endTimeUnixNano", "timeUnixNano", "observedTimeUnixNano", "spanId", "kind"]
    let fields = own.map { ("record.\($0)", table.targets(of: $0)) }
    let attributes = table.names.filter { !own.contains($0) }.map { ($0, table.targets(of: $0)) }
    tree = KeyTree(fields + attributes, attributes: [["record", "attributes"], ["resource", "attributes"]])
  }

  @inline(__always) func fill(_ row: Row, _ line: Text) -> Rejection? {
    let start = Self.afterSpace(line, 0)
    guard start < line.count, line[start] == UInt8(ascii: "{") else { return .malformed }
    guard var place = object(row, line, start + 1, KeyTree.root) else { return .malformed }
    while place < line.count {
      // If the objects are the elements of a list, each line ends with a comma.
      guard Letters.isSpace(line[place]) || line[place] == UInt8(ascii: ",") else { return .malformed }
      place += 1
    }
    return nil
  }

  @inline(__always) static func afterSpace(_ line: Text, _ start: Int) -> Int {
    var place = start
    while place < line.count, line[place] <= 0x20 { place += 1 }
    return place
  }

  /// Parses an object, recursing no deeper than the tree.
  ///
  /// - Returns: the position after the object, whose opening brace has been consumed; `nil` if it is malformed.
  private func object(_ row: Row, _ line: Text, _ start: Int, _ node: Int) -> Int? {
    var place = Self.afterSpace(line, start)
    if place < line.count, line[place] == UInt8(ascii: "}") { return place + 1 }
    while place < line.count, line[place] == UInt8(ascii: "\"") {
      guard let close = Quotes.closing(line, from: place + 1) else { return nil }
      let key = line.slice(place + 1, close)
      place = Self.afterSpace(line, close + 1)
      guard place < line.count, line[place] == UInt8(ascii: ":") else { return nil }
      place = Self.afterSpace(line, place + 1)
      let child = tree.child(of: node, key)
      guard let end = child.map({ value(row, line, place, $0) }) ?? Self.skip(line, place) else { return nil }
      place = Self.afterSpace(line, end)
      guard place < line.count else { return nil }
      if line[place] == UInt8(ascii: "}") { return place + 1 }
      guard line[place] == UInt8(ascii: ",") else { return nil }
      place = Self.afterSpace(line, place + 1)
    }
    return nil
  }

  /// Calls `visit` with the keys and the raw strings, numbers and words at the top level of an object.
  ///
  /// - Parameter hasObjects: whether to call `visit` with inner objects as well.
  static func visitMembers(_ line: Text, hasObjects: Bool = false, _ visit: (_ key: Text, _ value: Text) -> Void) {
    var place = afterSpace(line, 0) + 1
    while place < line.count {
      place = afterSpace(line, place)
      guard place < line.count, line[place] == UInt8(ascii: "\""), let close = Quotes.closing(line, from: place + 1)
      else { return }
      let key = line.slice(place + 1, close)
      place = afterSpace(line, close + 1)
      guard place < line.count, line[place] == UInt8(ascii: ":") else { return }
      place = afterSpace(line, place + 1)
      guard let end = skip(line, place) else { return }
      let isText = line[place] == UInt8(ascii: "\"")
      let isObject = line[place] == UInt8(ascii: "{")
      if isText || isObject && hasObjects || !isObject && line[place] != UInt8(ascii: "[") {
        visit(key, isText ? line.slice(place + 1, end - 1) : line.slice(place, end))
      }
      place = afterSpace(line, end) + 1
    }
  }

  private func value(_ row: Row, _ line: Text, _ place: Int, _ node: Int) -> Int? {
    guard place < line.count else { return nil }
    switch line[place] {
    case UInt8(ascii: "{") where tree.nodes[node].hasChildren: return object(row, line, place + 1, node)
    case UInt8(ascii: "[") where tree.nodes[node].isAttributes: return attributes(row, line, place + 1)
    case UInt8(ascii: "["):
      // If the value is a list, its first element is used.
      let first = Self.afterSpace(line, place + 1)
      if first < line.count, let found = Self.scalar(row, line, first) { tree.set(row, node, found.value) }
      return Self.skip(line, place)
    case UInt8(ascii: "{"): return Self.skip(line, place)
    default:
      guard let found = Self.scalar(row, line, place) else { return nil }
      tree.set(row, node, found.value)
      return found.end
    }
  }

  /// Returns a string without its quotes and with escape sequences decoded, or an unchanged number or word. Null is
  /// ignored.
  private static func scalar(_ row: Row, _ line: Text, _ place: Int) -> (value: Text, end: Int)? {
    if line[place] == UInt8(ascii: "\"") {
      guard let close = Quotes.closing(line, from: place + 1) else { return nil }
      let raw = line.slice(place + 1, close)
      guard raw.place(of: UInt8(ascii: "\\")) != nil else { return (raw, close + 1) }
      return (row.text(raw.count) { Escapes.json(raw, to: $0) }, close + 1)
    }
    guard let end = wordEnd(line, place) else { return nil }
    let word = line.slice(place, end)
    return (word == "null" ? .empty : word, end)
  }

  private static func wordEnd(_ line: Text, _ start: Int) -> Int? {
    var place = start
    while place < line.count {
      let byte = line[place]
      let isPart =
        Letters.isDigit(byte) || Letters.isLetter(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "+")
      guard isPart else { break }
      place += 1
    }
    return place > start ? place : nil
  }

  /// - Returns: the position after a value of any type; `nil` if the value is not terminated.
  private static func skip(_ line: Text, _ start: Int) -> Int? {
    guard start < line.count else { return nil }
    var (place, depth) = (start, 0)
    while place < line.count {
      switch line[place] {
      case UInt8(ascii: "\""):
        guard let close = Quotes.closing(line, from: place + 1) else { return nil }
        place = close + 1
        if depth == 0 { return place }
      case UInt8(ascii: "{"), UInt8(ascii: "["): (depth, place) = (depth + 1, place + 1)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return nil }
        (depth, place) = (depth - 1, place + 1)
        if depth == 0 { return place }
      default:
        guard depth == 0 else {
          place += 1
          continue
        }
        return wordEnd(line, place)
      }
    }
    return nil
  }

  /// - Returns: the position after a list of attributes, whose opening bracket has been consumed.
  private func attributes(_ row: Row, _ line: Text, _ start: Int) -> Int? {
    var place = Self.afterSpace(line, start)
    while place < line.count, line[place] == UInt8(ascii: "{") {
      guard let end = attribute(row, line, place + 1) else { return nil }
      place = Self.afterSpace(line, end)
      if place < line.count, line[place] == UInt8(ascii: ",") { place = Self.afterSpace(line, place + 1) }
    }
    return place < line.count && line[place] == UInt8(ascii: "]") ? place + 1 : nil
  }

  /// Parses `{"key": "url.path", "value": {"stringValue": "/x"}}`, using the first inner value.
  private func attribute(_ row: Row, _ line: Text, _ start: Int) -> Int? {
    var (place, name) = (Self.afterSpace(line, start), Text.empty)
    while place < line.count, line[place] == UInt8(ascii: "\"") {
      guard let close = Quotes.closing(line, from: place + 1) else { return nil }
      let key = line.slice(place + 1, close)
      place = Self.afterSpace(line, close + 1)
      guard place < line.count, line[place] == UInt8(ascii: ":") else { return nil }
      place = Self.afterSpace(line, place + 1)
      guard let end = Self.skip(line, place) else { return nil }
      if key == "key", end - place >= 2 { name = line.slice(place + 1, end - 1) }
      if key == "value", let node = tree.child(of: KeyTree.root, name) {
        takeAttribute(row, line.upTo(end), place, node)
      }
      place = Self.afterSpace(line, end)
      guard place < line.count else { return nil }
      if line[place] == UInt8(ascii: "}") { return place + 1 }
      guard line[place] == UInt8(ascii: ",") else { return nil }
      place = Self.afterSpace(line, place + 1)
    }
    return nil
  }

  private func takeAttribute(_ row: Row, _ line: Text, _ start: Int, _ node: Int) {
    guard line[start] == UInt8(ascii: "{"), let colon = line.place(of: UInt8(ascii: ":"), from: start) else { return }
    let place = Self.afterSpace(line, colon + 1)
    if place < line.count, let found = Self.scalar(row, line, place) { tree.set(row, node, found.value) }
  }
}

/// The requested keys of JSON objects, as a tree in which each key is found by hashing a few of its bytes.
///
/// `@unchecked` is safe because the memory behind the pointers is written by `init` and does not change until `deinit`.
final class KeyTree: @unchecked Sendable {
  struct Node: BitwiseCopyable {
    var firstTarget = 0
    var endOfTargets = 0
    var hasChildren = false
    /// Whether the value is a list of objects with a `key` and a `value`, like OpenTelemetry attributes.
    var isAttributes = false
  }

  private struct Edge: BitwiseCopyable {
    var parent: Int
    var key: Int
    var length: Int
    var child: Int
    /// The index of the next edge in the same bucket; -1 if there is none.
    var next: Int
  }

  static let root = 0

  private(set) var nodes: UnsafeMutableBufferPointer<Node>
  private let targets: UnsafeMutableBufferPointer<FieldTarget>
  private let edges: UnsafeMutableBufferPointer<Edge>
  private let keys: UnsafeMutableBufferPointer<UInt8>
  private let keyStart: UnsafePointer<UInt8>
  private let buckets: UnsafeMutableBufferPointer<Int>
  private static let bucketCount = 1_024

  /// - Parameters:
  ///   - fields: keys, or paths of keys separated by dots; a path may also be the name of a single key that contains
  ///     dots.
  ///   - attributes: the key paths of attribute lists.
  init(_ fields: [(path: String, targets: [FieldTarget])], attributes: [[String]] = []) {
    var builder = Builder()
    for (path, targets) in fields {
      let parts = path.split(separator: ".").map(String.init)
      builder.add([path], targets)
      if parts.count > 1 { builder.add(parts, targets) }
    }
    for path in attributes { builder.addAttributes(path) }
    nodes = .allocate(copying: builder.flatNodes)
    targets = .allocate(copying: builder.flatTargets)
    edges = .allocate(copying: builder.edges)
    keys = .allocate(copying: builder.keys)
    keyStart = keys.baseAddress.map { UnsafePointer($0) } ?? Text.emptyStart.pointer
    buckets = .allocate(copying: builder.buckets)
  }

  deinit {
    nodes.deallocate()
    targets.deallocate()
    edges.deallocate()
    keys.deallocate()
    buckets.deallocate()
  }

  @inline(__always) func set(_ row: Row, _ node: Int, _ value: Text) {
    for target in nodes[node].firstTarget..<nodes[node].endOfTargets { row.set(targets[target], value) }
  }

  /// Returns the node of a key below another node; `nil` if the key is not requested. A key that contains dots is also
  /// looked up component by component.
  @inline(__always) func child(of node: Int, _ key: Text) -> Int? {
    if let child = direct(node, key) { return child }
    guard key.place(of: UInt8(ascii: ".")) != nil else { return nil }
    return byParts(node, key)
  }

  private func byParts(_ node: Int, _ key: Text) -> Int? {
    var (node, rest) = (node, key)
    while let point = rest.place(of: UInt8(ascii: ".")) {
      guard let next = direct(node, rest.upTo(point)) else { return nil }
      (node, rest) = (next, rest.from(point + 1))
    }
    return direct(node, rest)
  }

  @inline(__always) private func direct(_ node: Int, _ key: Text) -> Int? {
    guard key.count > 0 else { return nil }
    var index = buckets[Self.bucket(node, key.count, key[0], key[key.count - 1])]
    while index >= 0 {
      let edge = edges[index]
      if edge.parent == node, edge.length == key.count,
        Text(keyStart + edge.key, edge.length) == key
      {
        return edge.child
      }
      index = edge.next
    }
    return nil
  }

  @inline(__always) private static func bucket(_ node: Int, _ count: Int, _ first: UInt8, _ last: UInt8) -> Int {
    (node &* 97 &+ count &* 31 &+ Int(first) &* 7 &+ Int(last) &* 13) & (bucketCount - 1)
  }

  private struct Builder {
    var nodes = [Node()]
    var targets: [[FieldTarget]] = [[]]
    var edges: [Edge] = []
    var keys: [UInt8] = [0]
    var buckets = [Int](repeating: -1, count: KeyTree.bucketCount)
    private var children: [String: Int] = [:]

    mutating func add(_ path: [String], _ own: [FieldTarget]) {
      let node = node(at: path)
      targets[node] += own
    }

    mutating func addAttributes(_ path: [String]) {
      let node = node(at: path)
      nodes[node].isAttributes = true
    }

    private mutating func node(at path: [String]) -> Int {
      path.reduce(KeyTree.root) { node, key in
        let name = "\(node) \(key)"
        if let known = children[name] { return known }
        let child = nodes.count
        nodes.append(Node())
        targets.append([])
        nodes[node].hasChildren = true
        children[name] = child
        addEdge(node, Array(key.utf8), child)
        return child
      }
    }

    private mutating func addEdge(_ parent: Int, _ key: [UInt8], _ child: Int) {
      guard let first = key.first, let last = key.last else { return }
      let bucket = KeyTree.bucket(parent, key.count, first, last)
      edges.append(Edge(parent: parent, key: keys.count, length: key.count, child: child, next: buckets[bucket]))
      buckets[bucket] = edges.count - 1
      keys += key
    }

    var flatTargets: [FieldTarget] { targets.flatMap { $0 } }

    var flatNodes: [Node] {
      var first = 0
      return nodes.indices.map { index in
        var node = nodes[index]
        node.firstTarget = first
        first += targets[index].count
        node.endOfTargets = first
        return node
      }
    }
  }
}
