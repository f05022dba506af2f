/// What the first lines of a table with separators tell of its columns.
struct TableHead {
  private let separator: UInt8
  private let names: [String]
  private let hasNames: Bool
  private let header: Text
  private let timeColumn: Int
  private let numbers: [Int]

  /// nil: it has one column alone, or none that holds times.
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

  /// A table of requests where a column says what a request does, else one of counts.
  func plan(_ table: FieldTable) -> LinePlan? {
    let telling: Set = [Role.path, .request, .agent].map(\.rawValue).reduce(into: []) { $0.insert(UInt16($1)) }
    let isOfRequests = hasNames && names.contains { table.targets(of: $0).contains { telling.contains($0.slot) } }
    let head = hasNames ? Array(header.bytes) : []
    if isOfRequests {
      let lines = TableLines(names, table, separator: separator, allowsQuotes: true, fewest: names.count)
      return LinePlan(.csv, .table(lines), name: "a table of requests", header: head)
    }
    guard !numbers.isEmpty else { return nil }
    let lines = CountLines(separator: separator, timeColumn: timeColumn, columns: numbers, names: names)
    return LinePlan(.csv, .counts(lines), name: "a table of counts", header: head)
  }
}
