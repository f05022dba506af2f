/// A parser for lines of a table, whose fields are separated by a character and may be quoted.
///
/// `@unchecked` is safe because the memory behind the pointers is written by `init` and does not change until `deinit`.
final class TableLines: LineFormat, @unchecked Sendable {
  let separator: UInt8
  private let allowsQuotes: Bool
  /// The minimum number of fields in a valid line.
  private let fewest: Int
  /// The index of the first target of each column, followed by the end of the last column's targets.
  private let starts: UnsafeMutableBufferPointer<Int>
  private let targets: UnsafeMutableBufferPointer<FieldTarget>
  private let columns: Int

  /// - Parameters:
  ///   - names: the column names; a line may have more columns than these.
  ///   - fewest: the minimum number of columns per line; later versions of the format have more.
  init(_ names: [String], _ table: FieldTable, separator: UInt8, allowsQuotes: Bool, fewest: Int) {
    self.separator = separator
    self.allowsQuotes = allowsQuotes
    self.fewest = fewest
    var (starts, targets) = ([0], [FieldTarget]())
    for name in names {
      targets += table.targets(of: name)
      starts.append(targets.count)
    }
    columns = names.count
    self.starts = .allocate(copying: starts)
    self.targets = .allocate(copying: targets)
  }

  deinit {
    starts.deallocate()
    targets.deallocate()
  }

  @inline(__always) func fill(_ row: Row, _ line: Text) -> Rejection? {
    var (place, column) = (0, 0)
    while column < columns {
      var end: Int
      if allowsQuotes, place < line.count, line[place] == UInt8(ascii: "\"") {
        guard let close = closing(line, from: place + 1) else { return .malformed }
        take(row, column, line.slice(place + 1, close))
        end = close + 1
        guard end == line.count || line[end] == separator else { return .malformed }
      } else {
        end = line.place(of: separator, from: place) ?? line.count
        take(row, column, line.slice(place, end))
      }
      column += 1
      guard end < line.count else { break }
      place = end + 1
    }
    return column >= fewest ? nil : .malformed
  }

  @inline(__always) private func take(_ row: Row, _ column: Int, _ value: Text) {
    for target in starts[column]..<starts[column + 1] { row.set(targets[target], value) }
  }

  /// Returns the position of the closing quote. It precedes a separator or the end of the line, and does not follow a
  /// backslash.
  @inline(__always) private func closing(_ line: Text, from start: Int) -> Int? {
    var place = start
    while let found = Quotes.closing(line, from: place) {
      if found + 1 == line.count || line[found + 1] == separator { return found }
      place = found + 1
    }
    return nil
  }
}

/// The columns of Application Load Balancer access logs.
///
/// Source: Elastic Load Balancing, "Access logs for your Application Load Balancer", access log entries.
enum LoadBalancerColumns {
  static let names = [
    "type", "response_creation_time", "elb", "client:port", "target:port", "request_processing_time",
    "target_processing_time", "response_processing_time", "elb_status_code", "target_status_code", "received_bytes",
    "sent_bytes", "request_line", "user_agent", "ssl_cipher", "ssl_protocol", "target_group_arn", "x-amzn-trace-id",
    "domain_name", "chosen_cert_arn", "matched_rule_priority", "request_creation_time", "actions_executed",
    "redirect_url", "error_reason", "target:port_list", "target_status_code_list", "classification",
    "classification_reason", "conn_trace_id",
  ]

  /// The number of columns that every version of the format has.
  static let fewest = 17
  /// The possible values of the first column.
  static let types = ["http", "https", "h2", "grpcs", "ws", "wss"]
}

/// The columns of a separated table, derived from its first lines.
struct TableHead {
  private let separator: UInt8
  private let names: [String]
  private let hasNames: Bool
  private let header: Text
  private let timeColumn: Int
  private let numbers: [Int]

  /// Creates the description of a table; `nil` if there is only one column or no time column.
  init?(_ first: Text, _ lines: [Text], _ separator: UInt8, _ options: LogOptions) {
    let cells = CountLines.fields(first, separator)
    guard cells.count > 1 else { return nil }
    self.separator = separator
    var stamps = StampReader()
    let rows = lines.dropFirst().prefix(20).map { CountLines.fields($0, separator) }
    let hasNames = cells.allSatisfy { Digits.decimal($0) == nil } && cells.allSatisfy { !Self.isTime($0, &stamps) }
    self.hasNames = hasNames
    names = cells.enumerated().map { hasNames ? $1.string : "column \($0 + 1)" }
    header = first
    let all = hasNames ? rows : [cells] + rows
    let asked = Self.column(.time, names, options)
    let times = cells.indices.filter { column in
      !all.isEmpty && all.allSatisfy { column < $0.count && Self.isTime($0[column], &stamps) }
    }
    guard let time = asked ?? times.first else { return nil }
    timeColumn = time
    let known = names.firstIndex { KnownFields.meanings[$0]?.role == .count }
    let counts = (Self.column(.count, names, options) ?? known).map { [$0] }
    numbers =
      counts
      ?? cells.indices.filter { column in
        column != time && all.contains { column < $0.count && Digits.decimal($0[column]) != nil }
          && all.allSatisfy { column < $0.count && ($0[column].isEmpty || Digits.decimal($0[column]) != nil) }
      }
  }

  private static func isTime(_ text: Text, _ stamps: inout StampReader) -> Bool {
    guard !text.isEmpty, case .at = stamps.read(text) else { return false }
    return true
  }

  private static func column(_ role: Role, _ names: [String], _ options: LogOptions) -> Int? {
    let wanted = options.maps.compactMap { map -> String? in
      guard map.role == role, case .field(let name) = map.field else { return nil }
      return name
    }
    return wanted.compactMap { names.firstIndex(of: $0) }.first
  }

  /// Returns the plan for a table of requests if any column describes a request; otherwise, the plan for a table of
  /// counts.
  func plan(_ table: FieldTable) -> LinePlan? {
    let telling: Set = [Role.path, .request, .agent].map(\.rawValue).reduce(into: []) { $0.insert(UInt16($1)) }
    let isOfRequests = hasNames && names.contains { table.targets(of: $0).contains { telling.contains($0.slot) } }
    let head = hasNames ? Array(header.bytes) : []
    if isOfRequests {
      let lines = TableLines(names, table, separator: separator, allowsQuotes: true, fewest: names.count)
      return LinePlan(.csv, .table(lines), name: "a request table", header: head)
    }
    guard !numbers.isEmpty else { return nil }
    let lines = CountLines(separator: separator, timeColumn: timeColumn, columns: numbers, names: names)
    return LinePlan(.csv, .counts(lines), name: "a table of request counts", header: head)
  }
}
