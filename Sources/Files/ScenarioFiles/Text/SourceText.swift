import Scenario

/// A source text from which nodes are read: the file or a `--set` argument.
struct SourceText: Sendable {
  let name: String
  let bytes: [UInt8]
  /// Whether messages may quote the text. This is the case if the user typed it, or if it contains the expected schema.
  private(set) var isQuotable = true

  init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

  /// Creates the source text of a file that might not be a scenario.
  ///
  /// - Parameter schema: the prefix of the schema name, which must occur as the value of some key. The spelling of this
  ///   key is ignored.
  init(file name: String, _ bytes: [UInt8], schema: String = "widgetfleet/v") {
    self.init(name: name, bytes: TextCheck.withoutMark(bytes))
    let between = Set(" \t\"'".utf8)
    isQuotable = self.bytes.ranges(of: Array(schema.utf8)).contains { range in
      self.bytes[..<range.lowerBound].last { !between.contains($0) } == UInt8(ascii: ":")
    }
  }

  func place(ofByte offset: Int, source: Int) -> Span {
    var cursor = SourceCursor()
    while cursor.byte < offset, cursor.byte < bytes.count { cursor.step(in: bytes) }
    return Span(source: source, line: cursor.line, column: cursor.column, length: 1)
  }

  /// Returns the position of the last visible character, used if the text ends too early.
  func end(source: Int) -> Span {
    // The last character may consist of several bytes; this is the index of the first one.
    let last = bytes.lastIndex { !SourceText.blanks.contains($0) && $0 & 0xC0 != 0x80 } ?? 0
    var place = place(ofByte: last, source: source)
    place.column += 1
    return place
  }

  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  /// Returns at most `reach` bytes of the line before the cursor, and at most `reach` bytes after it.
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

/// A position in a text that moves only forward, so that many positions can be found in a single pass.
struct SourceCursor: Sendable {
  private(set) var line = 1
  private(set) var column = 1
  private(set) var byte = 0
  private(set) var lineStart = 0

  /// Moves to a position, or to the end of the line if the line is shorter than the column.
  mutating func move(line: Int, column: Int, in bytes: [UInt8]) {
    if (line, column) < (self.line, self.column) { self = SourceCursor() }
    while byte < bytes.count, self.line < line || self.column < column {
      if self.line == line, bytes[byte] == 0x0A || bytes[byte] == 0x0D { return }
      step(in: bytes)
    }
  }

  /// Skips one scalar or one line ending (LF, CRLF or CR).
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

/// A position in a source text.
struct Span: Hashable, Sendable {
  /// The number of the source text: 0 for the file, or at least 1 for `--set` arguments.
  var source: Int
  /// The line number, starting at 1.
  var line: Int
  /// The column number in Unicode scalars, starting at 1.
  var column: Int
  /// The length of the marked text in Unicode scalars; at least 1.
  var length: Int

  /// The position of the first character only, used for mappings and lists.
  var narrow: Span { Span(source: source, line: line, column: column, length: 1) }
}

/// A check of a file's bytes before they are parsed as YAML.
enum TextCheck {
  /// The maximum size of a file in bytes (4 MB).
  static let maxBytes = 4_000_000

  /// A reason for rejecting a file.
  struct Refusal {
    var code: Code
    /// The byte offset of the problem; `nil` if the problem concerns the whole file.
    var offset: Int?
    var sentence: String
    var note: String
    var help: Help
  }

  /// Returns the text without a byte order mark at its start.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// Returns the first reason for rejecting the file; `nil` if it is acceptable.
  static func refusal(of bytes: [UInt8]) -> Refusal? {
    if bytes.count > maxBytes { return tooLarge }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || isWideWithoutMark(bytes) {
      return Refusal(
        code: .encoding, offset: nil, sentence: "the file is UTF-16, not UTF-8", note: "",
        help: "save the file as UTF-8")
    }
    return scan(bytes)
  }

  private static let tooLarge = Refusal(
    code: .tooLarge, offset: nil, sentence: "the file is larger than 4 MB", note: "",
    help: "a scenario is only a few kB; is this the right file?")

  private static func isWideWithoutMark(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && (bytes[0] == 0) != (bytes[1] == 0) && (bytes[2] == 0) == (bytes[0] == 0)
      && (bytes[3] == 0) == (bytes[1] == 0)
  }

  private static func scan(_ bytes: [UInt8]) -> Refusal? {
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      while index < buffer.count {
        let byte = buffer[index]
        if byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x0D || byte == 0x09 {
          index += 1
          continue
        }
        guard let (scalar, length) = decode(buffer, at: index) else { return invalid(byte, at: index) }
        if scalar.isHidden { return hidden(scalar, at: index) }
        index += length
      }
      return nil
    }
  }

  private static func invalid(_ byte: UInt8, at offset: Int) -> Refusal {
    Refusal(
      code: .encoding, offset: offset, sentence: "the file is not UTF-8",
      note: "byte 0x\(String(byte, radix: 16)) does not belong here", help: "save the file as UTF-8")
  }

  private static func hidden(_ scalar: Unicode.Scalar, at offset: Int) -> Refusal {
    Refusal(
      code: .controlCharacter, offset: offset,
      sentence: "the file contains the control character \(scalar.codePointName)",
      note: "invisible here", help: "remove it")
  }

  /// Returns the Unicode scalar encoded in UTF-8 at `index` and its length in bytes; `nil` if the bytes are not valid
  /// UTF-8.
  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, Int)? {
    let first = UInt32(bytes[index])
    let length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length > 0, index + length <= bytes.count else { return nil }
    var value = length == 1 ? first : first & (0xFF >> UInt32(length + 1))
    for offset in 1..<max(length, 1) {
      let next = UInt32(bytes[index + offset])
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | next & 0x3F
    }
    let isShortest = length < 3 || value >= (length == 3 ? 0x800 : 0x10000)
    guard isShortest, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }
}
