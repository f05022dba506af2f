/// From where to where each value stands in the text of a YAML file.
struct TextExtents {
  struct Extent {
    /// In bytes; without comments and blanks behind.
    var range: Range<Int>
    /// A mapping or list without brackets.
    var isBlock: Bool
  }

  /// A value by its beginning; a block and its first key begin at one place.
  private struct Place: Hashable {
    var line: Int
    var column: Int
    var isScalar: Bool

    init(line: Int, column: Int, isScalar: Bool) { (self.line, self.column, self.isScalar) = (line, column, isScalar) }

    init(_ mark: YAMLEvent.Mark, isScalar: Bool) { self.init(line: mark.line, column: mark.column, isScalar: isScalar) }
  }

  private struct Open {
    var start: YAMLEvent.Mark
    /// The end of what it holds so far.
    var end: YAMLEvent.Mark
  }

  private var extents: [Place: Extent] = [:]

  /// nil for a text that is not YAML.
  init?(of bytes: [UInt8]) {
    var open: [Open] = []
    var found: [(Place, YAMLEvent.Mark, YAMLEvent.Mark, isBlock: Bool)] = []
    func close(_ end: YAMLEvent.Mark) { if !open.isEmpty { open[open.count - 1].end = end } }
    let source = SourceText(name: "", bytes: bytes)
    let failure = YAMLEvents.visit(bytes) { event in
      switch event.kind {
      case .scalar:
        found.append((Place(event.start, isScalar: true), event.start, event.end, isBlock: false))
        close(event.end)
      case .listStart, .mappingStart: open.append(Open(start: event.start, end: event.end))
      case .listEnd, .mappingEnd:
        guard let last = open.popLast() else { return false }
        // The end of a block lies behind all the comments that follow it.
        let isBlock = !source.isBracket(at: last.start)
        let end = isBlock ? last.end : event.end
        found.append((Place(last.start, isScalar: false), last.start, end, isBlock))
        close(end)
      default: break
      }
      return true
    }
    guard failure == nil else { return nil }
    // In the order of the text the cursor goes through it once.
    let starts = source.bytes(at: found.map(\.1))
    let ends = source.bytes(at: found.map(\.2))
    for (index, value) in found.enumerated() where starts[index] <= ends[index] {
      extents[value.0] = Extent(range: starts[index]..<ends[index], isBlock: value.isBlock)
    }
  }

  func extent(ofKey pair: Node.Pair) -> Extent? {
    extents[Place(line: pair.keySpan.line, column: pair.keySpan.column, isScalar: true)]
  }

  func extent(of node: Node) -> Extent? {
    extents[Place(line: node.span.line, column: node.span.column, isScalar: node.text != nil)]
  }
}

extension SourceText {
  fileprivate func isBracket(at mark: YAMLEvent.Mark) -> Bool {
    var cursor = SourceCursor()
    cursor.move(line: mark.line, column: mark.column, in: bytes)
    return cursor.byte < bytes.count && (bytes[cursor.byte] == 0x7B || bytes[cursor.byte] == 0x5B)
  }

  /// The bytes at which places begin.
  fileprivate func bytes(at marks: [YAMLEvent.Mark]) -> [Int] {
    var cursor = SourceCursor()
    var places = Array(repeating: 0, count: marks.count)
    let order = marks.indices.sorted { (marks[$0].line, marks[$0].column) < (marks[$1].line, marks[$1].column) }
    for index in order {
      cursor.move(line: marks[index].line, column: marks[index].column, in: bytes)
      places[index] = cursor.byte
    }
    return places
  }
}
