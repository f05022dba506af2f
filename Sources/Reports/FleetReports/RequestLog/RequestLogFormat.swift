package import FleetEngine
package import Scenario

/// A format for a synthetic access log, with the fields that the corresponding servers write.
package enum RequestLogFormat: String, CaseIterable, Sendable {
  /// One JSON object per line, which contains the time at which the request arrived.
  case jsonl
  /// The `combined` format of nginx and Apache, which contains the time at which the response ended.
  case nginx

  /// The order in which lines are written. It follows the times that the lines contain.
  package var order: SentRequest.Order {
    switch self {
    case .jsonl: .arrival
    case .nginx: .end
    }
  }

  /// The approximate number of bytes per line, which depends on the length of the endpoint names.
  package var bytesPerLine: Int {
    switch self {
    case .jsonl: 310
    case .nginx: 180
    }
  }
}

/// Writes requests as log lines.
package struct RequestLogWriter {
  private var lines: any RequestLines

  /// - Parameter withProbe: whether the query contains the parameter `w`, which includes the cause of the widget's run.
  package init(_ format: RequestLogFormat, of scenario: Scenario, cohortSizes: [Int], withProbe: Bool) {
    let scene = RequestScene(scenario, cohortSizes: cohortSizes, withProbe: withProbe)
    lines =
      switch format {
      case .jsonl: JSONRequestLines(scene)
      case .nginx: CombinedRequestLines(scene)
      }
  }

  package mutating func append(_ requests: some Sequence<SentRequest>, to text: inout TextBuffer) {
    Self.append(requests, &lines, to: &text)
  }

  private static func append(
    _ requests: some Sequence<SentRequest>, _ lines: inout some RequestLines, to text: inout TextBuffer
  ) {
    for request in requests { lines.append(request, to: &text) }
  }
}

/// Writes requests as log lines in one particular format.
protocol RequestLines {
  /// Appends the line for a request, including the line break at its end.
  mutating func append(_ request: SentRequest, to text: inout TextBuffer)
}
