import RequestStatistics

/// A single-threaded reader for blocks of lines.
final class LineReader {
  /// The results of reading the lines of a block.
  struct Tally {
    var lines = 0
    var parsed = 0
    var comments = 0
    var rejected = [Int](repeating: 0, count: Rejection.allCases.count)
    var counts: [CountRow] = []

    mutating func reject(_ reason: Rejection) { rejected[reason.rawValue] += 1 }
  }

  /// The number of requests that are passed on in one batch.
  private static let batch = 1_024

  private let options: LogOptions
  private let table: FieldTable
  private let row: Row
  private let builder: RequestBuilder
  private var stamps = StampReader()
  private let requests: UnsafeMutablePointer<LoggedRequest>

  init(_ options: LogOptions, _ table: FieldTable, _ names: LogNames) {
    (self.options, self.table) = (options, table)
    row = Row(slots: table.slots, longestLine: options.limits.line)
    builder = RequestBuilder(options, table, names)
    requests = .allocate(capacity: Self.batch)
    stamps.local = options.localTime
  }

  deinit {
    row.free()
    requests.deallocate()
  }

  /// - Parameter take: a function that receives the requests in batches.
  func read(_ block: LineBlock, _ take: (UnsafeBufferPointer<LoggedRequest>) -> Void) -> Tally {
    var (tally, rest) = (Tally(), block.text)
    var plan = block.plan
    builder.node = block.node
    while let present = plan {
      plan = nil
      builder.startsRequests = present.startsRequests
      switch present.lines {
      case .pattern(let format): read(&rest, present, format, &tally, take)
      case .objects(let format): read(&rest, present, format, &tally, take)
      case .table(let format): plan = read(&rest, present, format, &tally, take)
      case .counts(let format): readCounts(rest, present, format, &tally)
      }
    }
    return tally
  }

  /// - Returns: the plan for the remaining lines, if a header line in the middle of the block changes the columns.
  @inline(__always) @discardableResult private func read(
    _ rest: inout Text, _ plan: LinePlan, _ format: some LineFormat, _ tally: inout Tally,
    _ take: (UnsafeBufferPointer<LoggedRequest>) -> Void
  ) -> LinePlan? {
    var (place, count, following) = (0, 0, LinePlan?.none)
    var format = format
    let (text, isTelemetry) = (rest, plan.isTelemetry)
    while place < text.count, following == nil {
      let end = text.place(of: 0x0A, from: place) ?? text.count
      let line = text.slice(place, end).trimmedEnd
      place = end + 1
      guard !line.isEmpty else { continue }
      if line[0] == UInt8(ascii: "#") || isHeader(line, plan) {
        tally.comments += 1
        following = plan.following(line, table)
        continue
      }
      tally.lines += 1
      if let reason = fill(line, &format) {
        tally.reject(reason)
        continue
      }
      switch builder.build(row, line, isTelemetry: isTelemetry) {
      case .failure(let reason): tally.reject(reason)
      case .success(let request):
        (requests + count).initialize(to: request)
        count += 1
        tally.parsed += 1
        if count == Self.batch {
          take(UnsafeBufferPointer(start: requests, count: count))
          count = 0
        }
      }
    }
    if count > 0 { take(UnsafeBufferPointer(start: requests, count: count)) }
    rest = text.from(min(place, text.count))
    return following
  }

  @inline(__always) private func fill(_ line: Text, _ format: inout some LineFormat) -> Rejection? {
    guard line.count <= options.limits.line else { return .tooLong }
    row.clear()
    return format.fill(row, line)
  }

  /// Returns whether a line names the columns of a comma-separated table. In concatenated files, such lines also occur
  /// in the middle.
  @inline(__always) private func isHeader(_ line: Text, _ plan: LinePlan) -> Bool {
    plan.format == .csv && !plan.header.isEmpty && plan.header.withText { $0 == line }
  }

  private func readCounts(_ text: Text, _ plan: LinePlan, _ format: CountLines, _ tally: inout Tally) {
    var place = 0
    while place < text.count {
      let end = text.place(of: 0x0A, from: place) ?? text.count
      let line = text.slice(place, end).trimmedEnd
      place = end + 1
      guard !line.isEmpty else { continue }
      if line[0] == UInt8(ascii: "#") || isHeader(line, plan) {
        tally.comments += 1
        continue
      }
      tally.lines += 1
      switch format.read(line, &stamps) {
      case .failure(let reason): tally.reject(reason)
      case .success(let rows):
        tally.parsed += 1
        tally.counts += rows
      }
    }
  }
}
