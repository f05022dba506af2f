/// Reads the CSV files that we write, row after row, and knows the line of what it reads.
package struct CSVReader {
  private let file: String
  private let bytes: [UInt8]
  private var position = 0
  /// Where the fields of the row stand, quotes included.
  private var fields: [Range<Int>] = []
  /// The line on which the row begins, counted from 1.
  package private(set) var line = 0
  private var nextLine = 1
  private let columns: [String]
  /// By column.
  private let bounds: [ClosedRange<Double>]
  /// The place of a column that says nothing new and is passed over; nil: there is none.
  private var passed: Int?

  /// Reads the header.
  ///
  /// - Parameter optional: a column that may stand anywhere besides, and is passed over.
  package init(
    _ bytes: [UInt8], file: String, columns: [String], optional: String? = nil
  ) throws(StoredFileError) {
    self.bytes = bytes
    self.file = file
    self.columns = columns
    bounds = columns.map(StoredBounds.range)
    let others = StoredFileError(file, line: 1, "its columns are not those of this version")
    guard try readRow() else { throw others }
    var header = try (0..<fields.count).map(text)
    passed = optional.flatMap { header.firstIndex(of: $0) }
    if let passed {
      header.remove(at: passed)
      fields.remove(at: passed)
    }
    guard header == columns else { throw others }
  }

  /// Goes on to the next row.
  ///
  /// - Returns: false at the end of the file.
  package mutating func next() throws(StoredFileError) -> Bool {
    let width = fields.count
    guard try readRow() else { return false }
    let more = passed == nil ? 0 : 1
    guard fields.count == width + more else { throw damaged("\(fields.count) fields instead of \(width + more)") }
    if let passed { fields.remove(at: passed) }
    return true
  }

  /// - Parameter column: nil: of the line as a whole.
  package func damaged(_ message: String, _ column: Int? = nil) -> StoredFileError {
    StoredFileError(file, line: line, column: column.map { "column \(columns[$0])" }, message)
  }

  package func isBlank(_ column: Int) -> Bool { fields[column].isEmpty }

  /// The field as it stands in the file.
  package func raw(_ column: Int) -> ArraySlice<UInt8> { bytes[fields[column]] }

  /// A name or sentence, without its quotes and the apostrophe that keeps spreadsheets from calculating.
  package func text(_ column: Int) throws(StoredFileError) -> String {
    var content = Array(raw(column))
    let quote = UInt8(ascii: "\"")
    if content.first == quote {
      var plain: [UInt8] = []
      var isSecond = false
      for byte in content.dropFirst().dropLast() {
        isSecond = byte == quote && !isSecond
        if !isSecond { plain.append(byte) }
      }
      content = plain
    }
    guard let text = String(validating: content, as: UTF8.self) else { throw damaged("not UTF-8") }
    return CSVText.unguarded(text)
  }

  /// A whole number within the bounds of its column.
  package func integer(_ column: Int) throws(StoredFileError) -> Int64 {
    guard let value = whole(column), let integer = Int64(exactly: value) else { throw noNumber(column) }
    guard bounds[column].contains(Double(integer)) else { throw beyond(column) }
    return integer
  }

  /// A figure within the bounds of its column; blank is not one.
  package func number(_ column: Int) throws(StoredFileError) -> Double {
    guard let value = Double(String(decoding: raw(column), as: UTF8.self)), value.isFinite else {
      throw noNumber(column)
    }
    guard bounds[column].contains(value) else { throw beyond(column) }
    return value
  }

  /// A count of the fleet as one of the simulated devices.
  package func count(_ column: Int, _ scale: Scale) throws(StoredFileError) -> Int64 {
    let written: Quantity
    if let whole = whole(column) {
      guard bounds[column].contains(Double(whole)) else { throw beyond(column) }
      written = .whole(whole)
    } else {
      written = .real(try number(column))
    }
    guard let count = scale.simulatedCount(written), (0...Int128(StoredBounds.mostCount)).contains(count) else {
      throw damaged("\(shown(column)) is not a count of the simulated devices", column)
    }
    return Int64(count)
  }

  /// The digits of a field as a number; nil where it has anything else, or more than 38.
  private func whole(_ column: Int) -> Int128? {
    let field = raw(column)
    let isNegative = field.first == UInt8(ascii: "-")
    let digits = isNegative ? field.dropFirst() : field
    guard !digits.isEmpty, digits.count <= 38 else { return nil }
    // 18 digits fit 64 bits, whose arithmetic is much faster.
    if digits.count <= 18 {
      var value: Int64 = 0
      for byte in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return Int128(isNegative ? -value : value)
    }
    return Int128(String(decoding: field, as: UTF8.self))
  }

  /// The field for messages.
  private func shown(_ column: Int) -> String { "'" + String(decoding: raw(column).prefix(40), as: UTF8.self) + "'" }

  private func beyond(_ column: Int) -> StoredFileError {
    damaged("\(shown(column)) is beyond what can be there", column)
  }

  private func noNumber(_ column: Int) -> StoredFileError { damaged("\(shown(column)) is not a number", column) }

  /// Finds the fields of the next row; every row ends with a line feed.
  private mutating func readRow() throws(StoredFileError) -> Bool {
    line = nextLine
    guard position < bytes.count else { return false }
    fields.removeAll(keepingCapacity: true)
    var start = position
    var isQuoted = false
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "\n"):
        nextLine += 1
        guard !isQuoted else { continue }
        fields.append(start..<position - 1)
        return true
      case UInt8(ascii: ",") where !isQuoted:
        fields.append(start..<position - 1)
        start = position
      default: continue
      }
    }
    throw damaged("the file ends in the middle of a row")
  }
}
