import Scenario

/// Returns a table with aligned cells that fits the width of the terminal. A cell that does not fit is moved to a
/// second line, after the name of its column.
///
/// - Parameter rows: the rows, the first of which contains the column names.
func alignedLines(
  _ rows: [[String]], numberColumns: Set<Int>, width: Int = TerminalWidth.columns
) -> [String] {
  guard let header = rows.first else { return [] }
  let cells = rows.map { row -> [String] in [abridged(plain(row[0]), to: width / 2)] + row.dropFirst().map(plain) }
  let widths = header.indices.map { column -> Int in cells.map { $0[column].displayWidth }.max() ?? 0 }
  let fitting = columnsThatFit(widths, width)
  return cells.indices.flatMap { number -> [String] in
    let row = cells[number]
    let first = (0..<fitting).map { column -> String in
      let space = String(repeating: " ", count: widths[column] - row[column].displayWidth)
      return numberColumns.contains(column) ? space + row[column] : row[column] + space
    }
    let others = (fitting..<row.count).filter { number > 0 && !row[$0].isEmpty }.flatMap { column -> [String] in
      folded(header[column] + ": " + rows[number][column], indent: 6, width: width)
    }
    return [first.joined(separator: "  ").trimmingEnd()] + others
  }
}

/// Returns how many of the first columns fit into the width of a terminal; at least one.
private func columnsThatFit(_ widths: [Int], _ widest: Int) -> Int {
  var used = -2
  let count = widths.prefix { width in
    used += width + 2
    return used <= widest
  }.count
  return max(1, count)
}

/// Returns a name, with its middle omitted if the name is too long.
private func abridged(_ name: String, to widest: Int) -> String {
  guard name.displayWidth > widest else { return name }
  let half = (widest - 3) / 2
  let end = String(fitting(name.reversed(), half).reversed())
  return String(fitting(name, widest - 3 - end.displayWidth)) + "..." + end
}

/// Returns text wrapped at spaces to the width of the terminal. Lines are not broken within numbers; words longer than
/// a line are broken anywhere.
func folded(_ text: String, indent: Int = 0, width: Int = TerminalWidth.columns) -> [String] {
  let widest = TerminalWidth.ofSentences(width)
  var lines: [String] = []
  var line = String(repeating: " ", count: indent)
  var isEmpty = true
  func breakLine() {
    lines.append(line)
    line = String(repeating: " ", count: indent > 0 ? indent + 2 : 2)
    isEmpty = true
  }
  for word in text.split(separator: " ") {
    var rest = Substring(word)
    if !isEmpty, line.displayWidth + 1 + rest.displayWidth > widest { breakLine() }
    if !isEmpty { line += " " }
    while line.displayWidth + rest.displayWidth > widest {
      let part = fitting(rest, widest - line.displayWidth)
      line += String(part)
      rest = rest.dropFirst(part.count)
      breakLine()
    }
    line += rest
    isEmpty = false
  }
  return (lines + [line]).map(plain)
}

/// Returns lines of facts that are separated by ` · `. Lines are broken only between facts.
func foldedFacts(_ text: String) -> [String] {
  let facts = text.replacing(" · ", with: "\n").replacing(" ", with: "\u{A0}")
  return folded(facts.replacing("\n", with: ", "))
}

extension StringProtocol {
  fileprivate var displayWidth: Int { String(self).displayWidth }

  /// Returns the text with trailing spaces removed.
  fileprivate func trimmingEnd() -> String { String(reversed().drop { $0 == " " }.reversed()) }
}
