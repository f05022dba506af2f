package import FleetEngine
package import Scenario

/// A format of synthetic access logs, with the fields that its servers write.
package enum RequestLogFormat: String, CaseIterable, Sendable {
  /// A JSON object per line, with the time of the request's arrival.
  case jsonl
  /// `combined` of nginx and Apache, with the time of the answer's end.
  case nginx

  /// The order of its lines: by the time at their start.
  package var order: SentRequest.Order {
    switch self {
    case .jsonl: .arrival
    case .nginx: .end
    }
  }

  /// The approximate bytes of a line, which depend on names of endpoints.
  package var bytesPerLine: Int {
    switch self {
    case .jsonl: 310
    case .nginx: 180
    }
  }
}

/// A writer of requests as lines of a log.
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

/// The lines of one format.
protocol RequestLines {
  /// Appends a request's line with its end.
  mutating func append(_ request: SentRequest, to text: inout TextBuffer)
}
