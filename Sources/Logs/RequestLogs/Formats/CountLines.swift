/// The number of requests in one time bin.
package struct CountBin: Hashable, Sendable {
  /// The start of the bin in milliseconds since 1970.
  package let time: Int64
  package let count: Int64
}

/// The counts in one column of a table, sorted by time.
package struct CountSeries: Sendable {
  /// The name of the column in the table's first line or, if there is none, a name such as `column 2`.
  package let column: String
  /// The most common interval between timestamps in milliseconds; `nil` if there is only one bin.
  package let step: Int64?
  /// The meaning of the timestamps in the table. Timestamps that mark the end of a bin have been moved back by one
  /// step.
  package let stamp: LogOptions.StampMeaning
  package let bins: [CountBin]
  /// Whether the values are requests per second, which is assumed if some of them are not whole numbers.
  package let isRate: Bool

  init(column: String, rows: [CountRow], stamp: LogOptions.StampMeaning) {
    let rows = rows.sorted { ($0.time, $0.count) < ($1.time, $1.count) }
    var gaps: [Int64: Int] = [:]
    for (one, next) in zip(rows, rows.dropFirst()) where next.time > one.time {
      gaps[next.time - one.time, default: 0] += 1
    }
    let step = gaps.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
    let shift = stamp == .end ? step ?? 0 : 0
    self.column = column
    self.step = step
    self.stamp = stamp
    let isRate = rows.contains { $0.count % CountRow.unit != 0 }
    self.isRate = isRate
    let seconds = isRate ? Double(step ?? 1_000) / 1_000 : 1
    bins = rows.map { row in
      let count = (Double(row.count) / Double(CountRow.unit) * seconds).rounded()
      return CountBin(time: row.time - shift, count: isRate ? Int64(count) : row.count / CountRow.unit)
    }
  }
}

/// A row in a table of counts.
struct CountRow: Hashable, Sendable, BitwiseCopyable {
  var time: Int64
  var column: Int32
  /// The count or rate in millionths.
  var count: Int64

  /// The number of millionths that represent the value 1.
  static let unit: Int64 = 1_000_000
}

/// Lines of a table of counts, with a time in one column and counts in others.
final class CountLines: Sendable {
  let separator: UInt8
  let timeColumn: Int
  let columns: [Int]
  let names: [String]

  init(separator: UInt8, timeColumn: Int, columns: [Int], names: [String]) {
    (self.separator, self.timeColumn, self.columns, self.names) = (separator, timeColumn, columns, names)
  }

  static func fields(_ line: Text, _ separator: UInt8) -> [Text] {
    line.bytes.split(separator: separator, omittingEmptySubsequences: false).map { part in
      let text = Text(line.start + part.startIndex, part.count).trimmed
      let isQuoted = text.count > 1 && text[0] == UInt8(ascii: "\"") && text[text.count - 1] == UInt8(ascii: "\"")
      return isQuoted ? text.slice(1, text.count - 1) : text
    }
  }

  func read(_ line: Text, _ stamps: inout StampReader) -> Result<[CountRow], Rejection> {
    let fields = Self.fields(line, separator)
    guard timeColumn < fields.count else { return .failure(.malformed) }
    switch stamps.read(fields[timeColumn]) {
    case .none: return .failure(.noTime)
    case .impossible: return .failure(.impossibleTime)
    case .at(let time):
      let rows = columns.compactMap { column -> CountRow? in
        guard column < fields.count, let number = Digits.decimal(fields[column]), let whole = number.scaled(0),
          whole >= 0
        else { return nil }
        let count = number.scaled(6) ?? Int64.max / CountRow.unit * CountRow.unit
        return CountRow(time: time, column: Int32(column), count: count)
      }
      return rows.isEmpty ? .failure(.malformed) : .success(rows)
    }
  }
}
