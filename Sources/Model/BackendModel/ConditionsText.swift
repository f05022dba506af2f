import SimulationKernel

/// A CSV representation of a trajectory of conditions, with one row per spell of constant conditions, grouped by
/// endpoint.
///
/// Shares are written with enough digits to be read back exactly. In endpoint names, all characters except letters,
/// digits, `-`, `_` and `.` are percent-encoded byte by byte. A file without any endpoints cannot be read back.
package struct ConditionsText {
  package static let header =
    "endpoint,step_ms,from_ms,to_ms,miss_share,outage_share,limited_share,refused_share,wait_ms,last_wait_ms,"
    + "copy_share,cached_error_share"
  /// The text that represents an endless wait in the CSV.
  static let endless = "timeout"

  /// Returns the trajectory as CSV, with lines ending in LF.
  package static func encode(_ trajectory: ConditionsTrajectory) -> [UInt8] {
    var text = header + "\n"
    let grid = trajectory.grid
    for (endpoint, name) in trajectory.endpoints.enumerated() {
      let spells = trajectory.spells(of: endpoint)
      for (index, spell) in spells.enumerated() {
        let next = index + 1 < spells.count ? spells[index + 1].firstStep : grid.count
        let from = grid.beginning(of: spell.firstStep).millisecondsSinceStart
        let to = grid.beginning(of: next).millisecondsSinceStart
        text += "\(encoded(name)),\(grid.length.milliseconds),\(from),\(to),\(encoded(spell.conditions))\n"
      }
    }
    return Array(text.utf8)
  }

  private static func encoded(_ conditions: Conditions) -> String {
    let shares = [conditions.misses, conditions.outage, conditions.limited, conditions.refused]
    let waits = [conditions.wait.first, conditions.wait.last].map {
      $0 == QueueWait.endless ? endless : String($0.milliseconds)
    }
    let edge = [conditions.copies, conditions.errors]
    return (shares.map(\.fraction.description) + waits + edge.map(\.fraction.description)).joined(separator: ",")
  }

  static func encoded(_ name: String) -> String {
    name.utf8.reduce(into: "") { text, byte in
      let character = Character(UnicodeScalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-_.".contains(character) {
        text.append(character)
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Returns the decoded name; `nil` if the text is not the encoding of any name.
  static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    guard let name = String(validating: bytes, as: UTF8.self), encoded(name) == text else { return nil }
    return name
  }

  /// Reads a trajectory from CSV.
  package static func decode(_ bytes: [UInt8]) throws(ConditionsTextError) -> ConditionsTrajectory {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConditionsTextError(line: 1, problem: .notText)
    }
    // Splits the text into Unicode scalars, because CR LF is a single `Character`.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
    if lines.last == "" { lines.removeLast() }
    guard lines.first == Substring(header) else { throw ConditionsTextError(line: 1, problem: .header(header)) }
    var reader = ConditionsReader()
    for (index, line) in lines.enumerated().dropFirst() {
      do throws(ConditionsTextError.Problem) { try reader.read(line) } catch {
        throw ConditionsTextError(line: index + 1, problem: error)
      }
    }
    do throws(ConditionsTextError.Problem) { return try reader.trajectory() } catch {
      throw ConditionsTextError(line: lines.count, problem: error)
    }
  }
}

/// A reader for the CSV rows of a trajectory of conditions.
struct ConditionsReader {
  typealias Problem = ConditionsTextError.Problem

  private struct Row {
    var endpoint: String
    var step: Int64
    var from: Int64
    var to: Int64
    var conditions: Conditions
  }

  /// The rows of one endpoint.
  private struct Part {
    var name: String
    var rows: [Row]
    var end: Int64
  }

  private static let columns = ConditionsText.header.split(separator: ",").map(String.init)
  /// The maximum time in milliseconds, which is 2 230 years and thus longer than any run.
  private static let longest: Int64 = 1 << 46
  /// The maximum total number of steps over all endpoints. A step takes four bytes, so this limits the amount of memory
  /// that reading a small file can require.
  private static let maxSteps: Int64 = 1 << 26

  private var parts: [Part] = []

  mutating func read(_ line: Substring) throws(Problem) {
    let row = try Self.row(line)
    if let first = parts.first?.rows.first, first.step != row.step { throw .otherStep }
    let length = row.to - row.from
    guard length > 0, length % row.step == 0 else { throw .notWholeSteps }
    if let last = parts.last, last.name == row.endpoint {
      guard row.from == last.end else { throw .gap(expected: last.end) }
      parts[parts.count - 1].rows.append(row)
      parts[parts.count - 1].end = row.to
    } else {
      try begin(row)
    }
  }

  /// Starts reading the rows of another endpoint.
  private mutating func begin(_ row: Row) throws(Problem) {
    guard !parts.contains(where: { $0.name == row.endpoint }) else { throw .endpointAgain(row.endpoint) }
    try checkEnd()
    if let first = parts.first?.rows.first, first.from != row.from { throw .gap(expected: first.from) }
    parts.append(Part(name: row.endpoint, rows: [row], end: row.to))
  }

  /// Checks that all endpoints have the same number of steps.
  private func checkEnd() throws(Problem) {
    guard let first = parts.first, let last = parts.last, last.end != first.end else { return }
    throw .otherEnd(last.name, expected: first.end)
  }

  /// Returns the trajectory built from all rows.
  func trajectory() throws(Problem) -> ConditionsTrajectory {
    guard let first = parts.first, let row = first.rows.first else { throw .noRows }
    try checkEnd()
    let steps = (first.end - row.from) / row.step
    guard steps <= Self.maxSteps / Int64(parts.count) else { throw .tooManySteps(maximum: Self.maxSteps) }
    return ConditionsTrajectory(
      beginning: Instant(millisecondsSinceStart: row.from), stepLength: .milliseconds(row.step),
      endpoints: parts.map(\.name),
      spells: parts.map { $0.rows.map { ($0.conditions, Int(($0.to - $0.from) / $0.step)) } })
  }

  private static func row(_ line: Substring) throws(Problem) -> Row {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == columns.count else { throw .fields(fields.count) }
    guard let name = ConditionsText.decoded(fields[0]), !name.isEmpty else { throw bad(fields, 0) }
    let step = try whole(fields, 1)
    guard step > 0 else { throw bad(fields, 1) }
    return Row(
      endpoint: name, step: step, from: try whole(fields, 2), to: try whole(fields, 3),
      conditions: try conditions(fields))
  }

  private static func conditions(_ fields: [Substring]) throws(Problem) -> Conditions {
    let misses = try share(fields, 4)
    return Conditions(
      errors: try share(fields, 11, atMost: 1 - misses.fraction), misses: misses,
      copies: try share(fields, 10, atMost: misses.fraction), outage: try share(fields, 5),
      limited: try share(fields, 6), refused: try share(fields, 7),
      wait: QueueWait(
        first: try wait(fields, 8, atLeast: .zero), last: try wait(fields, 9, atLeast: .zero - QueueWait.endless)))
  }

  private static func bad(_ fields: [Substring], _ index: Int) -> Problem {
    .value(column: columns[index], String(fields[index]))
  }

  private static func whole(_ fields: [Substring], _ index: Int) throws(Problem) -> Int64 {
    guard let value = Int64(fields[index]), value.magnitude <= longest else { throw bad(fields, index) }
    return value
  }

  private static func share(
    _ fields: [Substring], _ index: Int, atMost maximum: Double = 1
  ) throws(Problem) -> Share {
    guard let value = Double(fields[index]), value >= 0, value <= maximum else { throw bad(fields, index) }
    return Share(fraction: value)
  }

  private static func wait(
    _ fields: [Substring], _ index: Int, atLeast minimum: TimeAmount
  ) throws(Problem) -> TimeAmount {
    if fields[index] == ConditionsText.endless { return QueueWait.endless }
    let value = TimeAmount.milliseconds(try whole(fields, index))
    guard value >= minimum, value < QueueWait.endless else { throw bad(fields, index) }
    return value
  }
}

/// An error in the CSV of conditions, with the number of the line that contains it.
package struct ConditionsTextError: Error, Equatable, Sendable {
  /// The line number, starting at 1.
  package var line: Int
  package var problem: Problem

  package enum Problem: Error, Equatable, Sendable {
    case notText
    /// A first line that is not the expected header; the associated value is the expected header.
    case header(String)
    /// A row with the wrong number of fields; the associated value is that number.
    case fields(Int)
    /// An invalid value in a column.
    case value(column: String, String)
    /// A spell that does not start at the end of the previous spell; the associated value is that end in milliseconds.
    case gap(expected: Int64)
    /// A spell whose length is not a whole number of steps.
    case notWholeSteps
    /// A step length that differs from the step length in the first row.
    case otherStep
    /// An endpoint whose rows are not adjacent.
    case endpointAgain(String)
    /// An endpoint whose rows do not end at the same time as the rows of the first endpoint.
    case otherEnd(String, expected: Int64)
    case noRows
    /// A total number of steps that exceeds the limit; the total includes all endpoints.
    case tooManySteps(maximum: Int64)
  }

  package init(line: Int, problem: Problem) {
    self.line = line
    self.problem = problem
  }

  /// A one-sentence message, without the line number.
  package var message: String {
    switch problem {
    case .notText: "this is not UTF-8 text"
    case .header(let expected): "the first line must be \(expected)"
    case .fields(let count): "a row must have 11 fields; this one has \(count)"
    case .value(let column, let text): "\(column) cannot be \"\(text)\""
    case .gap(let expected): "from_ms must be \(expected), where the previous row ends"
    case .notWholeSteps: "from_ms and to_ms must lie a whole number of steps apart, at least one"
    case .otherStep: "step_ms must be the same in every row"
    case .endpointAgain(let name): "the rows of endpoint \(name) must be contiguous"
    case .otherEnd(let name, let expected): "the rows of endpoint \(name) must end at \(expected) ms like the others"
    case .noRows: "there are no rows"
    case .tooManySteps(let maximum):
      "the rows have more than \(maximum) steps over all endpoints, the maximum allowed"
    }
  }
}
