import Studies

/// A writer of rows in RFC 4180 format, encoded in UTF-8 with LF line endings. Text is protected from being evaluated
/// as a spreadsheet formula.
struct CSVWriter {
  private(set) var text = TextBuffer()
  private var isRowStart = true

  init(header: [String]) {
    for name in header { field(name) }
    endRow()
  }

  var bytes: [UInt8] { text.bytes }

  mutating func reserve(_ count: Int) { text.reserve(count) }

  /// Removes the text but keeps the memory for further rows. Call this function only between two rows.
  mutating func clear() { text.clear() }

  mutating func field(_ value: String) { field(encoded: Self.encoded(value)) }

  /// Writes a field that was already encoded by `encoded(_:)`. Used for columns with recurring values.
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

  /// Writes the value of a figure; blank if it is unknown.
  mutating func field(_ value: Quantity?) {
    separate()
    if let value { text.append(value) }
  }

  mutating func blank() { separate() }

  /// Writes the last part of a row, given as fields or as arrays of fields. A `nil` field is written as blank.
  mutating func row(_ fields: any CSVField...) {
    for field in fields { field.write(to: &self) }
    endRow()
  }

  /// Writes part of a row, given as fields or as arrays of fields.
  mutating func fields(_ fields: any CSVField...) { for field in fields { field.write(to: &self) } }

  mutating func endRow() {
    text.append(byte: UInt8(ascii: "\n"))
    isRowStart = true
  }

  private mutating func separate() {
    if isRowStart { isRowStart = false } else { text.append(byte: UInt8(ascii: ",")) }
  }

  /// Returns text as a field. It is quoted if needed and has a leading apostrophe if a spreadsheet would evaluate it.
  static func encoded(_ value: String) -> [UInt8] { CSVText.field(value) }
}

/// Part of a row, which is either a single field or an array of fields.
protocol CSVField {
  func write(to csv: inout CSVWriter)
}

extension String: CSVField {
  func write(to csv: inout CSVWriter) { csv.field(self) }
}

extension Int: CSVField {
  func write(to csv: inout CSVWriter) { csv.field(self) }
}

extension Double: CSVField {
  func write(to csv: inout CSVWriter) { csv.field(self) }
}

extension Quantity: CSVField {
  func write(to csv: inout CSVWriter) { csv.field(self) }
}

extension Optional: CSVField where Wrapped: CSVField {
  func write(to csv: inout CSVWriter) { if let self { self.write(to: &csv) } else { csv.blank() } }
}

extension Array: CSVField where Element: CSVField {
  func write(to csv: inout CSVWriter) { for field in self { field.write(to: &csv) } }
}

/// A safeguard against CSV text that spreadsheets would evaluate as formulas.
enum CSVText {
  private static let starts: Set<Character> = ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "＝", "＋", "－", "＠"]

  /// Returns text with a leading apostrophe if a spreadsheet would evaluate it. In such text, the apostrophe is added
  /// even if the text already starts with apostrophes.
  static func guarded(_ text: String) -> String { isFormula(text) ? "'" + text : text }

  /// Returns text as an RFC 4180 field that no spreadsheet evaluates, quoted if needed.
  static func field(_ text: String) -> [UInt8] {
    let safe = Array(guarded(text).utf8)
    let special: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    guard safe.contains(where: special.contains) || safe.first == 0x20 || safe.last == 0x20 else { return safe }
    let quote = UInt8(ascii: "\"")
    return [quote] + safe.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
  }

  private static func isFormula(_ text: String) -> Bool { text.first { $0 != "'" }.map(starts.contains) ?? false }
}
