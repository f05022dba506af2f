package import FleetEngine
package import Scenario

/// A format for a synthetic access log. It has the same fields as the logs of real servers.
package enum RequestLogFormat: String, CaseIterable, Sendable {
  /// A format with one JSON object per line, which contains the arrival time of the request.
  case jsonl
  /// The `combined` format of nginx and Apache, which contains the time at which the response ended.
  case nginx

  /// The order of the lines, which follows the times they contain.
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

  /// - Parameter withProbe: whether queries contain the probe's parameter `w`, which includes the cause of the widget's
  ///   run.
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

/// A format in which requests are written as log lines.
protocol RequestLines {
  /// Appends the line of a request, including the line break.
  mutating func append(_ request: SentRequest, to text: inout TextBuffer)
}
