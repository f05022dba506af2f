/// Lines that are objects of JSON each.
///
/// Only wanted keys are looked into; what else there is is stepped over, however deep.
final class ObjectLines: LineFormat, Sendable {
  private let tree: KeyTree

  init(_ table: FieldTable) { tree = KeyTree(table.names.map { ($0, table.targets(of: $0)) }) }

  /// Lines of a pattern of nginx that is an object.
  init(_ table: FieldTable, pattern: LogPattern) {
    let mapped = pattern.keys.map { ($0.key, table.targets(of: $0.name) + table.targets(of: $0.key)) }
    let others = table.names.filter { name in !pattern.keys.contains { $0.key == name } }
    tree = KeyTree(mapped + others.map { ($0, table.targets(of: $0)) })
  }

  /// Records of OpenTelemetry as `DocumentSplitter` writes them.
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
      // In a list of objects each line ends with a comma.
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

  /// Calls itself at most as often as the tree is deep.
  ///
  /// - Returns: the place after the object whose brace has been opened; nil: it is none.
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

  /// Calls with the keys and the texts, numbers and words at the top of an object, as they stand.
  static func visitMembers(_ line: Text, _ visit: (_ key: Text, _ value: Text) -> Void) {
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
      if isText || line[place] != UInt8(ascii: "{") && line[place] != UInt8(ascii: "[") {
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
      // The first of several values stands for all.
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

  /// A text without its quotes and escapes, or a number or a word as it stands; null is no value.
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

  /// - Returns: the place after a value of any kind; nil: it does not end.
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

  /// - Returns: the place after a list of attributes whose bracket has been opened.
  private func attributes(_ row: Row, _ line: Text, _ start: Int) -> Int? {
    var place = Self.afterSpace(line, start)
    while place < line.count, line[place] == UInt8(ascii: "{") {
      guard let end = attribute(row, line, place + 1) else { return nil }
      place = Self.afterSpace(line, end)
      if place < line.count, line[place] == UInt8(ascii: ",") { place = Self.afterSpace(line, place + 1) }
    }
    return place < line.count && line[place] == UInt8(ascii: "]") ? place + 1 : nil
  }

  /// `{"key": "url.path", "value": {"stringValue": "/x"}}`: the first value within is taken.
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
