package import FleetEngine
package import Scenario

/// A format of synthetic access logs, with the fields that its servers write.
package enum RequestLogFormat: String, CaseIterable, Sendable {
  /// A JSON object a line, timed by the request's arrival.
  case jsonl
  /// `combined` of nginx and Apache, timed by the end of the answer.
  case nginx

  /// What its lines are sorted by: the time that they begin with.
  package var order: SentRequest.Order {
    switch self {
    case .jsonl: .arrival
    case .nginx: .end
    }
  }

  /// Bytes of a line, about: names of endpoints differ.
  package var bytesPerLine: Int {
    switch self {
    case .jsonl: 310
    case .nginx: 180
    }
  }
}

/// Writes requests as lines of a log.
package struct RequestLogWriter {
  private var lines: any RequestLines

  /// - Parameter withProbe: whether the query tells why the widget's run happened, in a parameter `w`.
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
