package import FleetEngine
package import Scenario

/// A format for a synthetic access log, with the fields that its servers write.
package enum RequestLogFormat: String, CaseIterable, Sendable {
  /// One JSON object per line, with the time at which the request arrived.
  case jsonl
  /// The `combined` format of nginx and Apache, with the time at which the response ended.
  case nginx

  /// The order of the lines, which follows the times at the start of each line.
  package var order: SentRequest.Order {
    switch self {
    case .jsonl: .arrival
    case .nginx: .end
    }
  }

  /// The approximate number of bytes per line, which depends on endpoint names.
  package var bytesPerLine: Int {
    switch self {
    case .jsonl: 310
    case .nginx: 180
    }
  }
}

/// A writer of requests as log lines.
package struct RequestLogWriter {
  private var lines: any RequestLines

  /// - Parameter withProbe: whether the query has a parameter `w` with the cause of the widget's run.
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

/// A writer for the lines of one format.
protocol RequestLines {
  /// Appends the line of a request, including the line break.
  mutating func append(_ request: SentRequest, to text: inout TextBuffer)
}
