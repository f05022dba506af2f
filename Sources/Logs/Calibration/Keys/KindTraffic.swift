package import RequestStatistics
package import Scenario

/// The assignment of log lines to a scenario's kinds: by the kind that a line names or, if it names none, by the
/// endpoint in its path.
package struct KindTraffic: Sendable {
  /// Whether each kind of the scenario can be distinguished from the others.
  package let isAlone: [Bool]
  /// The scenario's endpoint for each path in the log, by name index; `nil` if the scenario has no such endpoint.
  private let endpointOfPath: [Int?]
  /// The scenario's kind for each kind in the log, by name index.
  private let kindOfName: [Int?]
  /// The kinds that send requests to each endpoint.
  private let kindsOfEndpoint: [[Int]]
  /// Whether any line is known to come from a widget. If so, other lines with the same path are attributed to other
  /// senders.
  private let knowsWidgets: Bool

  /// The endpoints with requests in the log.
  package let endpoints: Set<Int>

  package init(_ picture: LogSummary, _ scenario: Scenario) {
    let paths = picture.census.paths.rows.indices.map { picture.names.paths[NameIndex(UInt16($0))] }
    let endpointNames = scenario.endpoints.map(\.name)
    let endpointOfPath = paths.map { $0.flatMap { Self.endpoint(ofPath: $0, among: endpointNames) } }
    self.endpointOfPath = endpointOfPath
    let kindNames = scenario.kinds.map(\.name)
    kindOfName = picture.census.kinds.rows.indices.map { index in
      picture.names.kinds[NameIndex(UInt16(index))].flatMap { kindNames.firstIndex(of: $0) }
    }
    kindsOfEndpoint = endpointNames.indices.map { endpoint in
      scenario.kinds.indices.filter { scenario.kinds[$0].requests.contains { $0.endpoint == endpoint } }
    }
    let rows = picture.census.paths.rows
    let widget = Int(RequestClass.widget.rawValue)
    knowsWidgets = rows.indices.contains { endpointOfPath[$0] != nil && rows[$0].classes[widget] > 0 }
    endpoints = Set(rows.indices.filter { rows[$0].lines > 0 }.compactMap { endpointOfPath[$0] })
    let named = Set(kindOfName.compactMap { $0 })
    let byEndpoint = kindsOfEndpoint
    isAlone = scenario.kinds.indices.map { kind in
      named.contains(kind) || byEndpoint.filter { $0.contains(kind) }.allSatisfy { $0.count == 1 }
    }
  }

  /// Returns the endpoint whose name is the path or one of its segments. If several names match, the longest one is
  /// used.
  static func endpoint(ofPath path: String, among names: [String]) -> Int? {
    if let exact = names.firstIndex(of: path) { return exact }
    let segments = path.split(separator: "/")
    return names.indices.filter { segments.contains(Substring(names[$0])) }.max {
      (names[$0].utf8.count, names[$1]) < (names[$1].utf8.count, names[$0])
    }
  }

  /// Returns whether a request is known or assumed to come from a widget.
  private func isWidget(_ request: SampledRequest) -> Bool {
    switch request.requestClass {
    case .widget: true
    case .bot, .browser, .otherExtension: false
    case .app, .other, .unknown: !knowsWidgets
    }
  }

  /// Returns the kind of a request from the scenario's widgets, as a number starting at 1. The result is `none` if the
  /// kind is ambiguous, and `nil` for other requests.
  package func kind(of request: SampledRequest) -> NameIndex? {
    guard isWidget(request) else { return nil }
    let name = Int(request.kind.number)
    if name > 0, kindOfName.indices.contains(name), let kind = kindOfName[name] { return Self.index(ofKind: kind) }
    let path = Int(request.path.number)
    guard endpointOfPath.indices.contains(path), let endpoint = endpointOfPath[path] else { return nil }
    let kinds = kindsOfEndpoint[endpoint]
    return kinds.count == 1 ? Self.index(ofKind: kinds[0]) : NameIndex.none
  }

  /// Returns the name index that represents a kind in wakes.
  package static func index(ofKind kind: Int) -> NameIndex { NameIndex(UInt16(kind + 1)) }

  /// Returns the endpoint for the name index of a path; `nil` if the scenario has no such endpoint.
  func endpoint(ofPath index: Int) -> Int? {
    endpointOfPath.indices.contains(index) ? endpointOfPath[index] : nil
  }

  /// Returns the numbers of lines and of failed lines, summed over all paths of an endpoint.
  package func rows(of endpoint: Int, in picture: LogSummary) -> NameCounts.Row {
    picture.census.paths.rows.enumerated().reduce(into: NameCounts.Row()) { sum, row in
      if endpointOfPath[row.offset] == endpoint { sum.merge(row.element) }
    }
  }
}
