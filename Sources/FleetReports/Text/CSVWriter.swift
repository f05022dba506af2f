import Studies

/// Rows of RFC 4180 in UTF-8 with LF; no text in them can become a spreadsheet's formula.
struct CSVWriter {
  private(set) var text = TextBuffer()
  private var isRowStart = true

  init(header: [String]) {
    for name in header { field(name) }
    endRow()
  }

  var bytes: [UInt8] { text.bytes }

  mutating func reserve(_ count: Int) { text.reserve(count) }

  mutating func field(_ value: String) { field(encoded: Self.encoded(value)) }

  /// A field that `encoded(_:)` has made before, for columns that repeat.
  mutating func field(encoded: [UInt8]) {
    separate()
    text.append(bytes: encoded)
  }

  mutating func field(_ value: Int64) {
    separate()
    text.append(value)
  }

  mutating func field(_ value: Int) { field(Int64(value)) }

  mutating func field(_ value: Double?) {
    separate()
    if let value { text.append(value) }
  }

  /// Unknown is blank.
  mutating func field(_ value: Quantity?) {
    separate()
    if let value { text.append(value) }
  }

  mutating func blank() { separate() }

  mutating func endRow() {
    text.append(byte: UInt8(ascii: "\n"))
    isRowStart = true
  }

  private mutating func separate() {
    if isRowStart { isRowStart = false } else { text.append(byte: UInt8(ascii: ",")) }
  }

  /// A text as a field: led by an apostrophe where a spreadsheet would calculate, quoted where needed.
  static func encoded(_ value: String) -> [UInt8] { CSVText.field(value) }
}
