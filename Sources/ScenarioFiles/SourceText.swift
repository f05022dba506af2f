/// A text from which nodes come: the file, or one `--set` argument.
struct SourceText: Sendable {
  let name: String
  let bytes: [UInt8]

  /// The place of a byte.
  func place(ofByte offset: Int, source: Int) -> Span {
    var cursor = SourceCursor()
    while cursor.byte < offset, cursor.byte < bytes.count { cursor.step(in: bytes) }
    return Span(source: source, line: cursor.line, column: cursor.column, length: 1)
  }

  /// The last place of the text that shows something: where to point when a text ends too early.
  func end(source: Int) -> Span {
    // Where its last character begins, which may be several bytes long.
    let last = bytes.lastIndex { !SourceText.blanks.contains($0) && $0 & 0xC0 != 0x80 } ?? 0
    var place = place(ofByte: last, source: source)
    place.column += 1
    return place
  }

  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  /// At most `reach` bytes of the cursor's line before the cursor, and at most that many from it on.
  func surroundings(of cursor: SourceCursor, reach: Int) -> (before: [Unicode.Scalar], after: [Unicode.Scalar]) {
    var from = max(cursor.lineStart, cursor.byte - reach)
    while from < cursor.byte, bytes[from] & 0xC0 == 0x80 { from += 1 }
    var to = min(bytes.count, cursor.byte + reach)
    to = bytes[cursor.byte..<to].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? to
    while to < bytes.count, to > cursor.byte, bytes[to] & 0xC0 == 0x80 { to -= 1 }
    return (scalars(from..<cursor.byte), scalars(cursor.byte..<to))
  }

  private func scalars(_ range: Range<Int>) -> [Unicode.Scalar] {
    Array(String(decoding: bytes[range], as: UTF8.self).unicodeScalars)
  }
}

/// A place in a text that moves forward, so that many places are found in one pass.
struct SourceCursor: Sendable {
  private(set) var line = 1
  private(set) var column = 1
  private(set) var byte = 0
  private(set) var lineStart = 0

  /// Moves to a place; to the end of its line when the line is shorter.
  mutating func move(line: Int, column: Int, in bytes: [UInt8]) {
    if (line, column) < (self.line, self.column) { self = SourceCursor() }
    while byte < bytes.count, self.line < line || self.column < column {
      if self.line == line, bytes[byte] == 0x0A || bytes[byte] == 0x0D { return }
      step(in: bytes)
    }
  }

  /// Passes one scalar, or one end of a line: LF, CRLF or CR.
  mutating func step(in bytes: [UInt8]) {
    let first = bytes[byte]
    byte += 1
    let isReturn = first == 0x0D
    if isReturn, byte < bytes.count, bytes[byte] == 0x0A { byte += 1 }
    if isReturn || first == 0x0A {
      line += 1
      column = 1
      lineStart = byte
      return
    }
    while byte < bytes.count, bytes[byte] & 0xC0 == 0x80 { byte += 1 }
    column += 1
  }
}

/// A place in a source text.
struct Span: Hashable, Sendable {
  /// 0: the file; from 1: a `--set` argument.
  var source: Int
  /// Counted from 1.
  var line: Int
  /// In Unicode scalars, counted from 1.
  var column: Int
  /// In Unicode scalars; at least 1.
  var length: Int

  /// The first character only, for mappings and lists.
  var narrow: Span { Span(source: source, line: line, column: column, length: 1) }
}
