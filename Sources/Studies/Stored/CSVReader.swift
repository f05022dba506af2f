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

  /// Reads the header.
  package init(_ bytes: [UInt8], file: String, columns: [String]) throws(StoredFileError) {
    self.bytes = bytes
    self.file = file
    guard try readRow(), try (0..<fields.count).map(text) == columns else {
      throw StoredFileError(file, line: 1, "its columns are not those of this version")
    }
  }

  /// Goes on to the next row.
  ///
  /// - Returns: false at the end of the file.
  package mutating func next() throws(StoredFileError) -> Bool {
    let width = fields.count
    guard try readRow() else { return false }
    guard fields.count == width else { throw damaged("\(fields.count) fields instead of \(width)") }
    return true
  }

  package func damaged(_ message: String) -> StoredFileError { StoredFileError(file, line: line, message) }

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

  /// A whole number.
  package func integer(_ column: Int) throws(StoredFileError) -> Int64 {
    let field = raw(column)
    var value: Int64 = 0
    let isNegative = field.first == UInt8(ascii: "-")
    let digits = isNegative ? field.dropFirst() : field
    for byte in digits {
      let (tens, over) = value.multipliedReportingOverflow(by: 10)
      let (sum, overAgain) = tens.addingReportingOverflow(Int64(byte &- UInt8(ascii: "0")))
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), !over, !overAgain else { throw noNumber(column) }
      value = sum
    }
    guard !digits.isEmpty else { throw noNumber(column) }
    return isNegative ? -value : value
  }

  /// A figure; blank is not one.
  package func number(_ column: Int) throws(StoredFileError) -> Double {
    guard let value = Double(String(decoding: raw(column), as: UTF8.self)), value.isFinite else {
      throw noNumber(column)
    }
    return value
  }

  /// A count of the fleet as one of the simulated devices.
  package func count(_ column: Int, _ scale: Scale) throws(StoredFileError) -> Int64 {
    let field = raw(column)
    let isWhole = field.allSatisfy { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "e") }
    if isWhole, scale.fleet == scale.simulated { return try integer(column) }
    let value: Quantity = isWhole ? .whole(Int128(try integer(column))) : .real(try number(column))
    let simulated = (value.approximate * Double(scale.simulated) / Double(max(scale.fleet, 1))).rounded()
    guard simulated >= 0, simulated < 9e15, scale.fleetCount(Int128(simulated)) == value else {
      throw damaged("\(String(decoding: field, as: UTF8.self)) is not a count of the simulated devices")
    }
    return Int64(simulated)
  }

  private func noNumber(_ column: Int) -> StoredFileError {
    damaged("field \(column + 1) is not a number")
  }

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
