/// Which keys of JSON objects are wanted: a tree of keys, each found by a hash of a few of its bytes.
///
/// Unchecked for its pointers alone: what they point to is written by init, and never again until deinit.
final class KeyTree: @unchecked Sendable {
  struct Node: BitwiseCopyable {
    var firstTarget = 0
    var endOfTargets = 0
    var hasChildren = false
    /// Whether its value is a list of objects that have a `key` and a `value`, as OpenTelemetry writes attributes.
    var isAttributes = false
  }

  private struct Edge: BitwiseCopyable {
    var parent: Int
    var key: Int
    var length: Int
    var child: Int
    /// The next edge of the bucket; -1: none.
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
  ///   - fields: keys, or paths of keys with points between them, which may be one key, too.
  ///   - attributes: paths of lists of attributes.
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

  /// The node of a key below another; nil: nobody wants it. A key with points is looked up part by part, too.
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
