import RequestStatistics

/// Turns the values of lines into requests, in one thread.
struct RequestBuilder {
  private let options: LogOptions
  private let table: FieldTable
  private let names: LogNames
  private let pseudonyms: Pseudonyms
  private var stamps = StampReader()
  private let derived: [DerivedField]
  /// The server of lines that do not say it.
  var node = NameIndex.none

  private let agents: ByteCache<AgentFacts>
  private let paths: ByteCache<PathFacts>
  /// Names of paths that many paths share.
  private let pathNames: ByteCache<NameIndex>
  private let kinds: ByteCache<NameIndex>
  private let nodes: ByteCache<NameIndex>
  private let caches: ByteCache<CacheResult>
  private let slowRules: [Int]

  private struct PathFacts: BitwiseCopyable {
    var name = NameIndex.none
    var rule: Int32 = .max
  }

  init(_ options: LogOptions, _ table: FieldTable, _ names: LogNames) {
    (self.options, self.table, self.names) = (options, table, names)
    pseudonyms = options.pseudonyms
    derived = table.derived.map { DerivedField($0.slot, $0.from) }
    agents = ByteCache(logarithm: 12, unknown: AgentFacts())
    paths = ByteCache(logarithm: 12, unknown: PathFacts())
    pathNames = ByteCache(logarithm: 12, unknown: .none)
    kinds = ByteCache(logarithm: 8, unknown: .none)
    nodes = ByteCache(logarithm: 8, unknown: .none)
    caches = ByteCache(logarithm: 6, unknown: .none)
    slowRules = table.ruleSlots.indices.filter {
      table.ruleSlots[$0] != Role.agent.rawValue && table.ruleSlots[$0] != Role.path.rawValue
    }
  }

  func free() {
    agents.free()
    paths.free()
    pathNames.free()
    kinds.free()
    nodes.free()
    caches.free()
    for field in derived { field.free() }
  }

  /// - Parameter isTelemetry: only spans of servers and log records are requests.
  @inline(__always) mutating func build(
    _ row: Row, _ line: Text, isTelemetry: Bool
  ) -> Result<LoggedRequest, Rejection> {
    var target = Target()
    let text = row[.path].isEmpty ? Target.ofRequest(row[.request]) : row[.path]
    if !text.isEmpty { target = Target(text) }
    if target.query.isEmpty { target.query = row[.query] }
    let isBare = row[.request].isEmpty && row[.path].isEmpty && row[.status].isEmpty && row[.agent].isEmpty
    if isBare || isTelemetry && !Self.isOfServer(row, target) { return .failure(.noRequest) }
    for field in derived { field.fill(row, target) }

    var request: LoggedRequest
    switch time(row) {
    case .success(let found): request = found
    case .failure(let rejection): return .failure(rejection)
    }
    request.status = Digits.whole(row[.status]).flatMap { UInt16(exactly: $0) } ?? 0
    if !row[.bytes].isEmpty { request.bytes = Digits.whole(row[.bytes]) ?? -1 }
    if !row[.id].isEmpty { request.sender = pseudonyms.sender(row[.id]) }
    request.line = pseudonyms.hash(row[.requestID].isEmpty ? line : row[.requestID])
    if !row[.cache].isEmpty { request.cache = caches.value(of: row[.cache], orElse: Self.cacheResult) }
    if !row[.kind].isEmpty { request.kind = kinds.value(of: Probe.kind(row[.kind]), orElse: kind) }
    request.node = node
    if !row[.node].isEmpty {
      request.node = nodes.value(of: row[.node]) { names.nodes.index(of: NameCleaner.printable(Array($0.bytes))) }
    }
    classify(&request, row, target)
    return .success(request)
  }

  // MARK: Time

  @inline(__always) private mutating func time(_ row: Row) -> Result<LoggedRequest, Rejection> {
    let duration = duration(row)
    var stamp = Stamp.none
    var isArrival = false
    if !row[.arrival].isEmpty {
      stamp = stamps.read(row[.arrival], unit: row.unit(of: .arrival))
      isArrival = true
    }
    if case .none = stamp {
      isArrival = false
      stamp = written(row)
    }
    guard case .at(var time) = stamp else {
      if case .impossible = stamp { return .failure(.impossibleTime) }
      return .failure(.noTime)
    }
    if let meaning = options.stamp { isArrival = meaning == .begin }
    if !isArrival, let duration { time -= duration }
    var request = LoggedRequest(at: time)
    if let duration {
      request.duration = Int32(clamping: duration)
    } else if isArrival, !row[.end].isEmpty, case .at(let end) = stamps.read(row[.end]), end >= time {
      request.duration = Int32(clamping: end - time)
    }
    return .success(request)
  }

  @inline(__always) private mutating func written(_ row: Row) -> Stamp {
    guard !row[.date].isEmpty else { return stamps.read(row[.time], unit: row.unit(of: .time)) }
    // A day and a time of day, in two fields.
    if case .at(let time) = stamps.read(row[.time], unit: row.unit(of: .time)), row[.time].count > 8 {
      return .at(time)
    }
    guard case .at(let day) = stamps.read(row[.date]) else { return .none }
    return StampReader.timeOfDay(row[.time]).map { .at(day + $0) } ?? .none
  }

  @inline(__always) private func duration(_ row: Row) -> Int64? {
    guard let first = DurationReader.milliseconds(row[.duration], unit: row.unit(of: .duration)) else { return nil }
    guard !row[.secondDuration].isEmpty || !row[.thirdDuration].isEmpty else { return first }
    let others = [Role.secondDuration, .thirdDuration].reduce(Int64(0)) { sum, role in
      sum + (DurationReader.milliseconds(row[role], unit: row.unit(of: role)) ?? 0)
    }
    return first + others
  }

  // MARK: Names

  @inline(__always) private func classify(_ request: inout LoggedRequest, _ row: Row, _ target: Target) {
    var rule = Int32.max
    if !row[.agent].isEmpty {
      let facts = agents.value(of: row[.agent], orElse: agentFacts)
      (request.agent, request.system, request.requestClass) = (facts.name, facts.system, facts.requestClass)
      rule = facts.rule
    }
    if !target.path.isEmpty {
      let facts = paths.value(of: target.path, orElse: pathFacts)
      request.path = facts.name
      rule = min(rule, facts.rule)
    }
    for index in slowRules where index < rule {
      let value = row[slot: table.ruleSlots[index]]
      if !value.isEmpty, options.classRules[index].expression.matches(value) { rule = Int32(index) }
    }
    if rule != .max { request.requestClass = options.classRules[Int(rule)].requestClass }
  }

  private func agentFacts(_ raw: Text) -> AgentFacts {
    let reader = AgentReader(raw)
    let rule = firstRule(on: .agent, reader.text)
    return AgentFacts(
      name: names.agents.index(of: reader.name), requestClass: reader.requestClass, system: reader.system, rule: rule)
  }

  private func pathFacts(_ path: Text) -> PathFacts {
    let rule = firstRule(on: .path, Array(path.bytes))
    if let endpoint = options.endpointRules.first(where: { $0.expression.matches(path) }) {
      return PathFacts(name: names.paths.index(of: Array(endpoint.name.utf8)), rule: rule)
    }
    let name = NameCleaner.path(path).withText { text in
      pathNames.value(of: text) { names.paths.index(of: $0.bytes) }
    }
    return PathFacts(name: name, rule: rule)
  }

  private func firstRule(on role: Role, _ text: [UInt8]) -> Int32 {
    text.withText { text in
      let index = options.classRules.indices.first {
        table.ruleSlots[$0] == role.rawValue && options.classRules[$0].expression.matches(text)
      }
      return index.map { Int32($0) } ?? .max
    }
  }

  private func kind(_ text: Text) -> NameIndex {
    names.kinds.index(of: NameCleaner.segment(Escapes.percentAndHex(Array(text.bytes))))
  }

  // MARK: What else a line says

  /// Spans of clients and of what happens within a server are no requests; a record of a log is one if it has a path.
  private static func isOfServer(_ row: Row, _ target: Target) -> Bool {
    let kind = row[.spanKind]
    guard !kind.isEmpty else { return !target.path.isEmpty }
    return (kind == "2" || kind == "SPAN_KIND_SERVER") && !(row[.path].isEmpty && row[.status].isEmpty)
  }

  /// Words of nginx and CloudFront.
  private static func cacheResult(_ text: Text) -> CacheResult {
    let known: [(StaticString, CacheResult)] = [
      ("hit", .hit), ("stale", .hit), ("originshieldhit", .hit), ("updating", .hit), ("refreshhit", .refresh),
      ("revalidated", .refresh), ("miss", .miss), ("expired", .miss), ("bypass", .miss), ("error", .error),
      ("limitexceeded", .error), ("capacityexceeded", .error),
    ]
    return known.first { text.count == $0.0.utf8CodeUnitCount && text.containsAnyCase($0.0) }?.1 ?? .none
  }
}
