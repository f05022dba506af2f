package import RequestStatistics
package import Scenario

/// Which lines of a log belong to which kinds of a scenario: by the kind that a line names, else by the endpoint in its
/// path.
package struct KindTraffic: Sendable {
  /// For each kind of the scenario whether it can be told from others.
  package let isAlone: [Bool]
  /// By the index of a path's name the endpoint that it is; nil: none of the scenario's.
  private let endpointOfPath: [Int?]
  /// By the index of a kind's name the kind.
  private let kindOfName: [Int?]
  /// By endpoint the kinds that ask it.
  private let kindsOfEndpoint: [[Int]]
  /// Whether some line is known to come from a widget: then others of the same path do not.
  private let knowsWidgets: Bool

  /// Endpoints of which the log has requests.
  package let endpoints: Set<Int>

  package init(_ picture: LogPicture, _ scenario: Scenario) {
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

  /// The endpoint whose name is the path's, or one of its segments; of several the longest name.
  static func endpoint(ofPath path: String, among names: [String]) -> Int? {
    if let exact = names.firstIndex(of: path) { return exact }
    let segments = path.split(separator: "/")
    return names.indices.filter { segments.contains(Substring(names[$0])) }.max {
      (names[$0].utf8.count, names[$1]) < (names[$1].utf8.count, names[$0])
    }
  }

  /// Whether a request is a phone's, sent for a widget as far as is known.
  private func isWidget(_ request: SampledRequest) -> Bool {
    switch request.requestClass {
    case .widget: true
    case .bot, .browser, .otherExtension: false
    case .app, .other, .unknown: !knowsWidgets
    }
  }

  /// The kind of a request of the scenario's widgets, counted from 1; `none`: of one of several; nil: of none of them.
  package func kind(of request: SampledRequest) -> NameIndex? {
    guard isWidget(request) else { return nil }
    let name = Int(request.kind.number)
    if name > 0, kindOfName.indices.contains(name), let kind = kindOfName[name] { return Self.index(ofKind: kind) }
    let path = Int(request.path.number)
    guard endpointOfPath.indices.contains(path), let endpoint = endpointOfPath[path] else { return nil }
    let kinds = kindsOfEndpoint[endpoint]
    return kinds.count == 1 ? Self.index(ofKind: kinds[0]) : NameIndex.none
  }

  /// How wakes name a kind of the scenario.
  package static func index(ofKind kind: Int) -> NameIndex { NameIndex(UInt16(kind + 1)) }

  /// The endpoint of a path by the index of its name; nil: none of the scenario's.
  func endpoint(ofPath index: Int) -> Int? {
    endpointOfPath.indices.contains(index) ? endpointOfPath[index] : nil
  }

  /// Lines and failed lines of the paths of an endpoint.
  package func rows(of endpoint: Int, in picture: LogPicture) -> NameCounts.Row {
    picture.census.paths.rows.enumerated().reduce(into: NameCounts.Row()) { sum, row in
      if endpointOfPath[row.offset] == endpoint { sum.merge(row.element) }
    }
  }
}
