import SimulationKernel

/// Takes the rows of a text of conditions one by one.
struct ConditionsReader {
  typealias Problem = ConditionsTextError.Problem

  /// One row.
  private struct Row {
    var endpoint: String
    var step: Int64
    var from: Int64
    var to: Int64
    var conditions: Conditions
  }

  /// One endpoint's rows.
  private struct Part {
    var name: String
    var rows: [Row]
    var end: Int64
  }

  private static let columns = ConditionsText.header.split(separator: ",").map(String.init)
  /// 2 230 years, beyond which no instant of a run lies.
  private static let longest: Int64 = 1 << 46
  /// Steps of all endpoints together, of four bytes each: what a text of a few rows may ask for in memory.
  private static let mostSteps: Int64 = 1 << 26

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

  /// Begins the rows of another endpoint.
  private mutating func begin(_ row: Row) throws(Problem) {
    guard !parts.contains(where: { $0.name == row.endpoint }) else { throw .endpointAgain(row.endpoint) }
    try checkEnd()
    if let first = parts.first?.rows.first, first.from != row.from { throw .gap(expected: first.from) }
    parts.append(Part(name: row.endpoint, rows: [row], end: row.to))
  }

  /// All endpoints have the same steps.
  private func checkEnd() throws(Problem) {
    guard let first = parts.first, let last = parts.last, last.end != first.end else { return }
    throw .otherEnd(last.name, expected: first.end)
  }

  /// What all rows tell.
  func trajectory() throws(Problem) -> ConditionsTrajectory {
    guard let first = parts.first, let row = first.rows.first else { throw .noRows }
    try checkEnd()
    let steps = (first.end - row.from) / row.step
    guard steps <= Self.mostSteps / Int64(parts.count) else { throw .tooManySteps(most: Self.mostSteps) }
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
    _ fields: [Substring], _ index: Int, atMost most: Double = 1
  ) throws(Problem) -> Share {
    guard let value = Double(fields[index]), value >= 0, value <= most else { throw bad(fields, index) }
    return Share(fraction: value)
  }

  private static func wait(
    _ fields: [Substring], _ index: Int, atLeast least: TimeAmount
  ) throws(Problem) -> TimeAmount {
    if fields[index] == ConditionsText.endless { return QueueWait.endless }
    let value = TimeAmount.milliseconds(try whole(fields, index))
    guard value >= least, value < QueueWait.endless else { throw bad(fields, index) }
    return value
  }
}
