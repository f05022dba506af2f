/// What takes the fields out of a line.
protocol LineFormat {
  /// - Returns: why it is no line of this format; nil: the row is filled.
  mutating func fill(_ row: Row, _ line: Text) -> Rejection?
}

/// Finds where a quoted text ends.
enum Quotes {
  /// The place of the quote that closes the text that begins at a place; a backslash takes the meaning of what follows.
  @inline(__always) static func closing(_ line: Text, from start: Int) -> Int? {
    var place = start
    while let found = line.place(of: UInt8(ascii: "\""), from: place) {
      guard found > start, line[found - 1] == UInt8(ascii: "\\"), isEscaped(line, found, start) else { return found }
      place = found + 1
    }
    return nil
  }

  private static func isEscaped(_ line: Text, _ place: Int, _ start: Int) -> Bool {
    var count = 0
    while place - count > start, line[place - count - 1] == UInt8(ascii: "\\") { count += 1 }
    return count % 2 == 1
  }
}
