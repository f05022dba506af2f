/// The slot in which a value of a line is stored, determined by the name of its field.
struct FieldTarget: BitwiseCopyable, Sendable {
  let slot: UInt16
  let rank: UInt8
  let unit: TimeUnit?
}

/// The requested fields by name, each with the slots for its values. Slots for roles precede the slots that class rules
/// use.
struct FieldTable: Sendable {
  private(set) var slots = Role.allCases.count
  private var mapped: [String: [FieldTarget]] = [:]
  /// The roles that are not assigned to fields with known names, because the user has mapped them explicitly.
  private var taken: Set<Role> = []
  /// The slots whose values are extracted from the query or a cookie.
  private(set) var derived: [(slot: Int, from: FieldName)] = []
  /// The slot whose value each class rule tests.
  private(set) var ruleSlots: [Int] = []

  init(_ options: LogOptions) {
    for map in options.maps { add(map) }
    for rule in options.classRules { ruleSlots.append(slot(for: rule.field)) }
  }

  private mutating func add(_ map: FieldMap) {
    taken.insert(map.role)
    if map.role == .time || map.role == .arrival { taken.formUnion([.time, .arrival, .end, .date]) }
    if map.role == .duration { taken.formUnion([.secondDuration, .thirdDuration]) }
    fill(map.role.rawValue, from: map.field, unit: map.unit)
  }

  private mutating func fill(_ slot: Int, from field: FieldName, unit: TimeUnit? = nil) {
    guard case .field(let name) = field else { return derived.append((slot, field)) }
    // The names `ip` and `address` match any field of the format that contains an address.
    let isAny = name == "ip" || name == "address"
    let names = isAny ? KnownFields.meanings.filter { $0.value.role == .address }.map(\.key) + [name] : [name]
    for name in names {
      let target = FieldTarget(slot: UInt16(clamping: slot), rank: 0, unit: unit ?? KnownFields.meanings[name]?.unit)
      mapped[name, default: []].append(target)
    }
  }

  /// Returns this table with a role assigned to a field.
  func filling(_ role: Role, from name: String) -> FieldTable {
    var table = self
    table.fill(role.rawValue, from: .field(name))
    return table
  }

  private mutating func slot(for field: FieldName) -> Int {
    if case .field(let name) = field, let role = FieldMap.roles[name] { return role.rawValue }
    let slot = slots
    slots += 1
    fill(slot, from: field)
    return slot
  }

  /// Returns the targets of a field's value; empty if the field is not requested.
  func targets(of name: String) -> [FieldTarget] {
    var targets = mapped[name] ?? []
    if let known = KnownFields.meanings[name], !taken.contains(known.role) {
      targets.append(FieldTarget(slot: UInt16(known.role.rawValue), rank: known.rank, unit: known.unit))
    }
    return targets
  }

  /// The names of all fields whose values are requested.
  var names: [String] { Set(mapped.keys).union(KnownFields.meanings.keys).filter { !targets(of: $0).isEmpty }.sorted() }
}

/// The values of one line by slot, stored in memory that only one thread uses.
struct Row {
  private let values: UnsafeMutablePointer<Text>
  private let ranks: UnsafeMutablePointer<UInt8>
  private let units: UnsafeMutablePointer<TimeUnit?>
  /// The memory for unescaped values, whose total length does not exceed the length of the line.
  private let arena: UnsafeMutablePointer<UInt8>
  private let used: UnsafeMutablePointer<Int>
  private let capacity: Int
  let count: Int

  init(slots: Int, longestLine: Int) {
    count = slots
    capacity = longestLine
    arena = .allocate(capacity: longestLine)
    used = .allocate(capacity: 1)
    used.initialize(to: 0)
    values = .allocate(capacity: slots)
    ranks = .allocate(capacity: slots)
    units = .allocate(capacity: slots)
    units.initialize(repeating: nil, count: slots)
    clear()
  }

  func free() {
    values.deallocate()
    ranks.deallocate()
    units.deallocate()
    arena.deallocate()
    used.deallocate()
  }

  @inline(__always) func clear() {
    values.initialize(repeating: .empty, count: count)
    ranks.initialize(repeating: .max, count: count)
    used.pointee = 0
  }

  /// Creates a text of limited length that is valid for as long as the values of the line are.
  ///
  /// - Parameter write: a function that writes the bytes and returns their number.
  func text(_ maximum: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) -> Text {
    guard used.pointee + maximum <= capacity else { return .empty }
    let start = arena + used.pointee
    let count = write(start)
    assert(count <= maximum)
    used.pointee += count
    return Text(start, count)
  }

  @inline(__always) func set(_ target: FieldTarget, _ value: Text) {
    let slot = Int(target.slot)
    guard target.rank < ranks[slot], !value.isNone else { return }
    values[slot] = value
    ranks[slot] = target.rank
    units[slot] = target.unit
  }

  @inline(__always) func set(slot: Int, _ value: Text) { values[slot] = value }
  @inline(__always) subscript(role: Role) -> Text { values[role.rawValue] }
  @inline(__always) subscript(slot slot: Int) -> Text { values[slot] }
  @inline(__always) func unit(of role: Role) -> TimeUnit? { units[role.rawValue] }
}

/// The meaning of a log field in a request.
package enum Role: Int, CaseIterable, Sendable, BitwiseCopyable {
  /// The time at which the log line was written, after the response.
  case time
  /// The time at which the request arrived at the server.
  case arrival
  /// The time at which the response was completed, if the arrival is known.
  case end
  /// The date of the request; the time of day is then stored in `time`.
  case date
  /// The request line, with the method, target and version in a single field.
  case request
  case path, query, method, status, bytes, duration
  /// Further components of a duration, which are added to the first component.
  case secondDuration, thirdDuration
  case agent, address
  /// The ID of the sender.
  case id
  /// The ID of the request.
  case requestID
  case cache, kind, node, count, cookie
  /// The name of the logged-in user.
  case user
  /// The kind of a span in its trace; only server spans are requests.
  case spanKind
}

/// The meaning of field names in known formats. These are nginx variables, Apache directives, ALB and CloudFront
/// columns, and JSON keys.
struct FieldMeaning: BitwiseCopyable, Sendable {
  let role: Role
  /// The rank among fields with the same role; the non-empty field with the lowest rank is used.
  let rank: UInt8
  /// The unit of the value; `nil` to derive it from the value's magnitude.
  let unit: TimeUnit?

  init(_ role: Role, rank: UInt8 = 0, unit: TimeUnit? = nil) { (self.role, self.rank, self.unit) = (role, rank, unit) }
}

/// The meanings of field names that the user has not mapped.
enum KnownFields {
  static let meanings: [String: FieldMeaning] = {
    var meanings: [String: FieldMeaning] = [:]
    for (role, names) in names {
      for (index, name) in names.enumerated() where meanings[name] == nil {
        meanings[name] = FieldMeaning(role, rank: UInt8(clamping: index + 1), unit: units[name])
      }
    }
    return meanings
  }()

  /// The known field names by role, most specific first.
  private static let names: [(Role, [String])] = [
    (
      .arrival,
      [
        "arrival", "request_creation_time", "event.start", "startTimeUnixNano", "start_time", "startTime",
        "accept_date", "StartUTC", "StartLocal", "start", "started_at", "startedAt", "start_at", "start_ts", "startTs",
        "request_start", "requestStart", "request_start_time", "start_timestamp", "startTimestamp", "time_start",
        "begin", "begin_time", "received_at", "receivedAt", "requestTime", "requestTimeEpoch",
      ]
    ),
    (.end, ["endTimeUnixNano"]),
    (.date, ["date"]),
    (
      .time,
      [
        "msec", "timestamp(ms)", "time_iso8601", "time_local", "ts", "@timestamp", "timeUnixNano", "timestamp", "time",
        "response_creation_time",
        "datetime", "Timestamp", "observedTimeUnixNano",
      ]
    ),
    (.request, ["request", "http_request", "request_line"]),
    (
      .path,
      [
        "request_uri", "uri", "cs-uri-stem", "url.original", "url.path", "http.target", "url.full", "http.url", "path",
        "target", "url", "request.uri", "request.path", "request.url", "req.url", "httpRequest.requestUrl",
        "RequestPath",
        "http.request.path", "request_path",
      ]
    ),
    (.query, ["args", "query_string", "cs-uri-query", "url.query", "query", "request.query"]),
    (
      .method,
      [
        "request_method", "method", "cs-method", "http.request.method", "http.method", "request.method", "req.method",
        "httpRequest.requestMethod", "RequestMethod",
      ]
    ),
    (
      .status,
      [
        "status", "sc-status", "elb_status_code", "http.response.status_code", "http.status_code", "status_code",
        "statusCode", "res.statusCode", "response.status", "response.status_code", "httpRequest.status", "http_status",
        "response_code", "DownstreamStatus",
      ]
    ),
    (
      .bytes,
      [
        "body_bytes_sent", "bytes_sent", "sc-bytes", "sent_bytes", "http.response.body.bytes",
        "http.response.body.size",
        "bytes", "size", "response_size", "httpRequest.responseSize", "response_length",
        "DownstreamContentSize",
      ]
    ),
    (
      .duration,
      [
        "request_time", "time-taken", "target_processing_time", "duration_ms", "duration_us", "responseTime",
        "response_time_ms",
        "latency_ms", "elapsed_ms", "duration", "event.duration", "httpRequest.latency", "latency", "elapsed", "took",
        "response_time", "haproxy_total", "Duration",
      ]
    ),
    (.secondDuration, ["request_processing_time"]),
    (.thirdDuration, ["response_processing_time"]),
    (
      .agent,
      [
        "http_user_agent", "cs(User-Agent)", "user_agent", "user_agent.original", "http.user_agent", "userAgent",
        "user-agent", "ua", "request.headers.User-Agent", "req.headers.user-agent", "httpRequest.userAgent", "agent",
        "http.request.headers.user-agent", "request_user_agent", "request_User-Agent",
      ]
    ),
    (
      .address,
      [
        "remote_addr", "c-ip", "client:port", "client.address", "client.ip", "source.ip", "net.peer.ip", "client_ip",
        "remote_ip", "request.client_ip", "request.remote_ip", "req.remoteAddress", "httpRequest.remoteIp",
        "haproxy_client", "ClientHost",
      ]
    ),
    (
      .requestID,
      [
        "request_id", "x-edge-request-id", "x-amzn-trace-id", "http.request.id", "requestId", "req.id", "req_id",
        "reqId",
        "x_request_id", "spanId",
      ]
    ),
    (
      .cache,
      ["upstream_cache_status", "x-edge-result-type", "cache_status", "cache", "cacheStatus", "http.response.cache"]
    ),
    (.kind, ["widget_kind", "kind_of_widget"]),
    (.node, ["host.name", "server_node", "node", "hostname", "service.instance.id"]),
    (.cookie, ["http_cookie", "cs(Cookie)", "cookie"]),
    (.spanKind, ["kind"]),
    (.user, ["remote_user"]),
    (.count, ["value", "count", "requests", "RequestCount", "request_count", "Sum"]),
  ]

  /// The units implied by field names; for other fields, `DurationReader` derives the unit from the value.
  private static let units: [String: TimeUnit] = [
    "msec": .seconds, "timestamp(ms)": .milliseconds, "request_time": .seconds,
    "target_processing_time": .seconds, "request_processing_time": .seconds, "response_processing_time": .seconds,
    "duration_ms": .milliseconds, "duration_us": .microseconds, "responseTime": .milliseconds,
    "response_time_ms": .milliseconds,
    "haproxy_total": .milliseconds, "Duration": .nanoseconds, "latency_ms": .milliseconds, "elapsed_ms": .milliseconds,
    "event.duration": .nanoseconds,
  ]
}
