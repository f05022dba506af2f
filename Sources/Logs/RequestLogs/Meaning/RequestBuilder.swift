import RequestStatistics

/// A single-threaded builder that creates requests from the values in lines.
final class RequestBuilder {
  private let options: LogOptions
  private let table: FieldTable
  private let names: LogNames
  private let pseudonyms: Pseudonyms
  private var stamps = StampReader()
  private let derived: [DerivedField]
  /// The server assumed for lines that do not name one.
  var node = NameIndex.none
  /// Whether timestamps without a defined meaning mark the start of requests.
  var startsRequests = false

  private let agents: ByteCache<AgentFacts>
  private let paths: ByteCache<PathFacts>
  /// The names of paths, cached by path; several paths may have the same name.
  private let pathNames: ByteCache<NameIndex>
  private let kinds: ByteCache<NameIndex>
  private let nodes: ByteCache<NameIndex>
  private let caches: ByteCache<CacheResult>
  private let slowRules: [Int]
  private let hasWidgetRule: Bool

  private struct PathFacts: BitwiseCopyable {
    var name = NameIndex.none
    var rule: Int32 = .max
  }

  init(_ options: LogOptions, _ table: FieldTable, _ names: LogNames) {
    (self.options, self.table, self.names) = (options, table, names)
    pseudonyms = options.pseudonyms
    stamps.local = options.localTime
    derived = table.derived.map { DerivedField($0.slot, $0.from) }
    agents = ByteCache(logarithm: 12, unknown: AgentFacts())
    paths = ByteCache(logarithm: 12, unknown: PathFacts())
    pathNames = ByteCache(logarithm: 12, unknown: .none)
    kinds = ByteCache(logarithm: 8, unknown: .none)
    nodes = ByteCache(logarithm: 8, unknown: .none)
    caches = ByteCache(logarithm: 6, unknown: .none)
    hasWidgetRule = options.classRules.contains { $0.requestClass == .widget }
    slowRules = table.ruleSlots.indices.filter {
      table.ruleSlots[$0] != Role.agent.rawValue && table.ruleSlots[$0] != Role.path.rawValue
    }
  }

  deinit {
    agents.free()
    paths.free()
    pathNames.free()
    kinds.free()
    nodes.free()
    caches.free()
    for field in derived { field.free() }
  }

  /// Returns the HTTP status of a request. If the client cancelled the request, it is 499 as in nginx, even though load
  /// balancers write 460 and CDNs write 000.
  private static func status(_ text: Text) -> UInt16 {
    let status = Digits.whole(text).flatMap { UInt16(exactly: $0) } ?? 0
    return status == 460 || status == 0 && text.count == 3 ? 499 : status
  }

  /// - Parameter isTelemetry: whether the row is a telemetry record, which is a request only if it is a server span or
  ///   a log record.
  @inline(__always) func build(
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
    request.status = Self.status(row[.status])
    if !row[.bytes].isEmpty { request.bytes = Digits.whole(row[.bytes]) ?? -1 }
    if !row[.id].isEmpty { request.sender = pseudonyms.sender(row[.id]) }
    request.source = request.sender
    if request.source == 0, !row[.address].isEmpty { request.source = pseudonyms.sender(Target.host(row[.address])) }
    request.isNumbered = !row[.requestID].isEmpty
    request.line = pseudonyms.hash(request.isNumbered ? row[.requestID] : line)
    request.node = node
    nameRest(&request, row)
    classify(&request, row, target)
    return .success(request)
  }

  // MARK: Time

  @inline(__always) private func time(_ row: Row) -> Result<LoggedRequest, Rejection> {
    let duration = duration(row)
    var stamp = Stamp.none
    var isArrival = false
    if !row[.arrival].isEmpty {
      stamp = stamps.read(row[.arrival], unit: row.unit(of: .arrival))
      isArrival = true
    }
    if case .none = stamp {
      isArrival = startsRequests
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

  @inline(__always) private func written(_ row: Row) -> Stamp {
    guard !row[.date].isEmpty else { return stamps.read(row[.time], unit: row.unit(of: .time)) }
    // In this format, the date and the time of day are separate fields.
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
      let facts = agents[row[.agent]] ?? agentFacts(row[.agent])
      (request.agent, request.system, request.requestClass) = (facts.name, facts.system, facts.requestClass)
      rule = facts.rule
    }
    if !target.path.isEmpty {
      let facts = paths[target.path] ?? pathFacts(target.path)
      request.path = facts.name
      rule = min(rule, facts.rule)
    }
    for index in slowRules where index < rule {
      let value = row[slot: table.ruleSlots[index]]
      if !value.isEmpty, options.classRules[index].expression.matches(value) { rule = Int32(index) }
    }
    if rule != .max {
      request.requestClass = options.classRules[Int(rule)].requestClass
    } else if hasWidgetRule, request.requestClass == .widget {
      // The user's rule for widgets replaces the built-in rule.
      request.requestClass = .other
    }
  }

  private func agentFacts(_ raw: Text) -> AgentFacts {
    let reader = AgentReader(raw)
    let rule = reader.text.withText { firstRule(on: .agent, $0) }
    let facts = AgentFacts(
      name: names.agents.index(of: reader.name), requestClass: reader.requestClass, system: reader.system, rule: rule)
    agents.keep(facts, of: raw)
    return facts
  }

  private func pathFacts(_ path: Text) -> PathFacts {
    let facts = PathFacts(name: pathName(path), rule: firstRule(on: .path, path))
    paths.keep(facts, of: path)
    return facts
  }

  private func pathName(_ path: Text) -> NameIndex {
    if let endpoint = options.endpointRules.first(where: { $0.expression.matches(path) }) {
      return names.paths.index(ofGiven: endpoint.name)
    }
    return NameCleaner.withPath(path) { name in
      if let known = pathNames[name] { return known }
      let index = names.paths.index(of: name.bytes)
      pathNames.keep(index, of: name)
      return index
    }
  }

  private func firstRule(on role: Role, _ text: Text) -> Int32 {
    let index = options.classRules.indices.first {
      table.ruleSlots[$0] == role.rawValue && options.classRules[$0].expression.matches(text)
    }
    return index.map { Int32($0) } ?? .max
  }

  /// Sets the widget kind, the server and the cache result of a request.
  @inline(__always) private func nameRest(_ request: inout LoggedRequest, _ row: Row) {
    if !row[.cache].isEmpty { request.cache = caches[row[.cache]] ?? cacheResult(row[.cache]) }
    if !row[.kind].isEmpty {
      let kind = Probe.kind(row[.kind])
      request.kind = kinds[kind] ?? kindName(kind)
    }
    if !row[.node].isEmpty { request.node = nodes[row[.node]] ?? nodeName(row[.node]) }
  }

  private func kindName(_ text: Text) -> NameIndex {
    let index = names.kinds.index(of: NameCleaner.segment(Escapes.percentAndHex(Array(text.bytes))))
    kinds.keep(index, of: text)
    return index
  }

  private func nodeName(_ text: Text) -> NameIndex {
    let index = names.nodes.index(of: NameCleaner.printable(Array(text.bytes)))
    nodes.keep(index, of: text)
    return index
  }

  // MARK: Other fields

  /// Returns whether a row describes a request received by a server, rather than a client or internal span. A log
  /// record with a path is treated as a server request.
  private static func isOfServer(_ row: Row, _ target: Target) -> Bool {
    let kind = row[.spanKind]
    guard !kind.isEmpty else { return !target.path.isEmpty }
    return (kind == "2" || kind == "SPAN_KIND_SERVER") && !(row[.path].isEmpty && row[.status].isEmpty)
  }

  /// Returns the cache result for a keyword used by nginx or CloudFront.
  private func cacheResult(_ text: Text) -> CacheResult {
    let known: [(StaticString, CacheResult)] = [
      ("hit", .hit), ("stale", .hit), ("originshieldhit", .hit), ("updating", .hit), ("refreshhit", .refresh),
      ("revalidated", .refresh), ("miss", .miss), ("expired", .miss), ("bypass", .miss), ("error", .error),
      ("limitexceeded", .error), ("capacityexceeded", .error),
    ]
    let result = known.first { text.count == $0.0.utf8CodeUnitCount && text.containsAnyCase($0.0) }?.1 ?? .none
    caches.keep(result, of: text)
    return result
  }
}

/// The target of a request, parsed from its request line.
struct Target: BitwiseCopyable {
  /// The path without its query or fragment; empty for other targets.
  var path = Text.empty
  var query = Text.empty

  init() {}

  /// Parses `/path?query#fragment`, with or without a scheme and host; `*`, `host:443` and other texts have no path.
  @inline(__always) init(_ text: Text) {
    var text = text
    if text.count > 0, text[0] != UInt8(ascii: "/") {
      guard let start = Self.pathStart(text) else { return }
      text = text.from(start)
    }
    var end = text.count
    if let mark = text.place(of: UInt8(ascii: "#")) { end = mark }
    if let mark = text.upTo(end).place(of: UInt8(ascii: "?")) {
      query = text.slice(mark + 1, end)
      end = mark
    }
    path = text.upTo(end)
  }

  /// Returns the start of the path after `https://host`.
  private static func pathStart(_ text: Text) -> Int? {
    guard let scheme = text.place(of: "://"), scheme < 12 else { return nil }
    return text.place(of: UInt8(ascii: "/"), from: scheme + 3)
  }

  /// Returns the first address in a list without its port, such as `192.0.2.1` for `192.0.2.1:4711`.
  @inline(__always) static func host(_ address: Text) -> Text {
    let first = address.place(of: UInt8(ascii: ",")).map(address.upTo) ?? address
    if let end = first.place(of: UInt8(ascii: "]")) { return first.upTo(end) }
    guard let colon = first.place(of: UInt8(ascii: ":")) else { return first }
    return first.from(colon + 1).place(of: UInt8(ascii: ":")) == nil ? first.upTo(colon) : first
  }

  /// Returns the target of a request line such as `GET /path HTTP/1.1`; the target may contain spaces. Text without
  /// spaces is not a request and comes from a port scan, for example.
  @inline(__always) static func ofRequest(_ line: Text) -> Text {
    guard let space = line.place(of: 0x20), space <= 16 else { return .empty }
    let rest = line.from(space + 1)
    // The length of " HTTP/1.1" is 9.
    let version = rest.count - 9
    if version > 0, rest[version] == 0x20, rest[version + 1] == UInt8(ascii: "H") { return rest.upTo(version) }
    if let space = rest.place(of: " HTTP/") { return rest.upTo(space) }
    return rest
  }

  /// Returns the value of a parameter in a list; empty if the list does not contain it.
  static func parameter(_ name: Text, in list: Text, separator: UInt8 = UInt8(ascii: "&")) -> Text {
    var place = 0
    while place < list.count {
      let end = list.place(of: separator, from: place) ?? list.count
      var pair = list.slice(place, end).trimmed
      // CloudFront percent-encodes the spaces between cookies.
      while pair.hasPrefix("%20") { pair = pair.from(3) }
      if pair.count > name.count, pair[name.count] == UInt8(ascii: "="), pair.upTo(name.count) == name {
        return pair.from(name.count + 1)
      }
      place = end + 1
    }
    return .empty
  }
}

/// A parser for response durations.
enum DurationReader {
  /// Returns a duration in milliseconds; `nil` if the text is not a duration. A number without a unit is in seconds if
  /// it has a fractional part, and in milliseconds if it does not.
  @inline(__always) static func milliseconds(_ text: Text, unit: TimeUnit?) -> Int64? {
    guard !text.isEmpty else { return nil }
    var (text, unit) = (text, unit)
    if Letters.isLetter(text[text.count - 1]), let (number, own) = named(text) { (text, unit) = (number, own) }
    guard let number = Digits.decimal(text), !number.isNegative else { return nil }
    let power = unit?.power ?? (text.place(of: UInt8(ascii: ".")) == nil ? -3 : 0)
    return number.scaled(3 + power).flatMap { $0 <= longest ? $0 : nil }
  }

  /// The maximum response time in milliseconds. It is three days, so that the sum of three components fits into 32
  /// bits.
  private static let longest: Int64 = 259_200_000

  /// Splits a duration such as `12.5ms` or `0.2s` into the number and its unit.
  private static func named(_ text: Text) -> (Text, TimeUnit)? {
    for unit in [TimeUnit.milliseconds, .microseconds, .nanoseconds, .seconds] {
      let ending = Array(unit.rawValue.utf8)
      guard text.count > ending.count else { continue }
      if ending.withText({ text.from(text.count - ending.count) == $0 }) {
        return (text.upTo(text.count - ending.count), unit)
      }
    }
    return nil
  }
}
