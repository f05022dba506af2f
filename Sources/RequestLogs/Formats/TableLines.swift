/// Lines of a table: fields between separators, quoted or not.
///
/// Unchecked for its pointers alone: what they point to is written by init, and never again until deinit.
final class TableLines: LineFormat, @unchecked Sendable {
  private let separator: UInt8
  private let allowsQuotes: Bool
  /// Fields that a line must have at least.
  private let fewest: Int
  /// Where the targets of each column begin, and where those of the last end.
  private let starts: UnsafeMutableBufferPointer<Int>
  private let targets: UnsafeMutableBufferPointer<FieldTarget>
  private let columns: Int

  /// - Parameters:
  ///   - names: of the columns; a line may have more.
  ///   - fewest: columns that a line must have, for those at the end came with later versions.
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

  /// A quote ends a text where the separator or the end of the line follows, and no backslash stands before.
  @inline(__always) private func closing(_ line: Text, from start: Int) -> Int? {
    var place = start
    while let found = Quotes.closing(line, from: place) {
      if found + 1 == line.count || line[found + 1] == separator { return found }
      place = found + 1
    }
    return nil
  }
}

/// The columns of the access logs of Application Load Balancers.
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

  /// Columns that every version has had.
  static let fewest = 17
  /// What the first column may be.
  static let types = ["http", "https", "h2", "grpcs", "ws", "wss"]
}
