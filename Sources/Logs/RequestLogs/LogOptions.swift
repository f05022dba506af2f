internal import Platform
import RequestStatistics

/// How logs are to be read: what is not said is found out, but for who sent a request, which is never guessed.
package struct LogOptions: Sendable {
  /// nil: each file's is found out from its first lines.
  package var format: LogFormat?
  /// The `log_format` of nginx, or the `LogFormat` of Apache, that the lines were written with; nil: combined.
  package var pattern: String?
  /// Which fields say what; these go before names that are known.
  package private(set) var maps: [FieldMap] = []
  /// Which requests are the widget's, the app's and so on; the first that matches holds, then the built-in rules.
  package private(set) var classRules: [ClassRule] = []
  /// Names of endpoints; the first that matches a path holds, then the path without what tells people apart.
  package var endpointRules: [EndpointRule] = []
  /// Whether an address may stand for who sent a request.
  package var allowsAddresses = false
  /// What the stamp of a count or of a line with a duration says; nil: as the format has it, and the begin of counts.
  package var stamp: StampMeaning?
  /// nil: made up for this reading.
  package var pseudonyms = Pseudonyms.random()
  package var threads = 1
  package var limits = Limits()

  package init() {}

  /// When a stamp was taken.
  package enum StampMeaning: String, CaseIterable, Sendable {
    case begin, end
  }

  /// What input may ask of this machine.
  package struct Limits: Sendable {
    /// Bytes of a line; a longer one is counted, not held.
    package var line = 64 * 1_024
    /// A compressed file ends as a fault where it has grown by more than this factor and beyond `expandedBytes`.
    package var expansion = 1_000
    package var expandedBytes = 1 << 30
    /// Rows of a file of counts: ten years by the minute.
    package var countRows = 5_300_000
  }

  /// Takes `KEY=FIELD`, `KEY=FIELD:UNIT` or `CLASS=FIELD ~ EXPRESSION`.
  package mutating func map(_ text: String) throws(LogOptionProblem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { throw .mapWithoutField(text) }
    let (key, field) = (parts[0].trimmingSpaces, parts[1].trimmingSpaces)
    if let requestClass = ClassRule.classes[key] {
      classRules.append(try ClassRule(requestClass, field))
    } else if let role = FieldMap.roles[key] {
      maps.append(try FieldMap(role, field))
    } else {
      throw .unknownKey(key)
    }
  }

  /// The field that says who sent a request: a column, a variable, a key of JSON, `query.NAME`, `cookie.NAME`.
  package mutating func identify(by field: String) throws(LogOptionProblem) {
    maps.append(try FieldMap(.id, field))
  }
}

/// What is wrong with how logs are to be read.
package enum LogOptionProblem: Error, Hashable {
  case mapWithoutField(String)
  case endpointWithoutExpression(String)
  case unknownKey(String)
  case unknownUnit(String)
  case ruleWithoutExpression(String)
  case expression(ExpressionProblem)
  /// The pattern has nothing to read.
  case emptyPattern
  /// Two variables of the pattern touch each other.
  case noLiteralBetween(String, String)
  /// An address stands for who sent a request, and that is not allowed.
  case addressAsID(String)
}

/// Which field of a line says what.
package struct FieldMap: Hashable, Sendable {
  package let role: Role
  let field: FieldName
  let unit: TimeUnit?

  static let roles: [String: Role] = [
    "time": .time, "arrival": .arrival, "id": .id, "path": .path, "query": .query, "request": .request,
    "method": .method, "status": .status, "bytes": .bytes, "duration": .duration, "ua": .agent, "address": .address,
    "request_id": .requestID, "cache": .cache, "kind": .kind, "node": .node, "count": .count, "cookie": .cookie,
  ]

  /// Keys that `LogOptions.map` takes.
  package static var keys: [String] { (Array(roles.keys) + ClassRule.classes.keys).sorted() }

  /// - Parameter text: a field; a colon or a space and a unit may follow that of a time or a duration.
  package init(_ role: Role, _ text: String) throws(LogOptionProblem) {
    self.role = role
    var name = text
    var unit: TimeUnit?
    if [.time, .arrival, .end, .duration].contains(role), let mark = text.lastIndex(where: { $0 == ":" || $0 == " " }) {
      let ending = String(text[text.index(after: mark)...])
      unit = TimeUnit(rawValue: ending)
      guard unit != nil || ending.contains(where: { !$0.isLetter }) else { throw .unknownUnit(ending) }
      if unit != nil { name = text[..<mark].trimmingSpaces }
    }
    self.unit = unit
    field = FieldName(name)
  }
}

/// Where a value stands.
enum FieldName: Hashable, Sendable {
  /// A column, a variable of nginx, a path of JSON keys.
  case field(String)
  /// A parameter of the request's query.
  case query(String)
  case cookie(String)

  init(_ text: String) {
    if text.hasPrefix("query.") {
      self = .query(String(text.dropFirst(6)))
    } else if text.hasPrefix("cookie.") {
      self = .cookie(String(text.dropFirst(7)))
    } else {
      self = .field(String(text.drop { $0 == "$" }))
    }
  }

  private static let addresses: Set = ["ip", "address", "http_x_forwarded_for", "x-forwarded-for", "http_x_real_ip"]

  /// Whether it holds the address of who sent the request.
  var isAddress: Bool {
    guard case .field(let name) = self else { return false }
    return Self.addresses.contains(name.lowercased()) || KnownFields.meanings[name]?.role == .address
  }
}

/// Which class requests are in whose field matches an expression.
package struct ClassRule: Sendable {
  let requestClass: RequestClass
  let field: FieldName
  let expression: Expression

  static let classes: [String: RequestClass] = [
    "widget": .widget, "app": .app, "extension": .otherExtension, "browser": .browser, "bot": .bot, "other": .other,
  ]

  /// - Parameter text: a field, `~` and an expression: `ua ~ ^WeatherWidget/`.
  init(_ requestClass: RequestClass, _ text: String) throws(LogOptionProblem) {
    guard let mark = text.firstIndex(of: "~") else { throw .ruleWithoutExpression(text) }
    let source = text[text.index(after: mark)...].trimmingSpaces
    let name = text[..<mark].trimmingSpaces
    guard !source.isEmpty, !name.isEmpty else { throw .ruleWithoutExpression(text) }
    self.requestClass = requestClass
    field = FieldName(name)
    do { expression = try Expression(source) } catch { throw .expression(error) }
  }
}

/// The endpoint of requests whose path matches an expression.
package struct EndpointRule: Sendable {
  package let name: String
  let expression: Expression

  package init(name: String, expression: String) throws(LogOptionProblem) {
    self.name = name
    do { self.expression = try Expression(expression) } catch { throw .expression(error) }
  }
}

extension StringProtocol {
  var trimmingSpaces: String {
    let characters = drop { $0.isWhitespace }
    guard let last = characters.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(characters[...last])
  }
}

extension LogProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cannotOpen(let code): "cannot be opened: \(Self.words(code))"
    case .cannotRead(let code): "cannot be read: \(Self.words(code))"
    case .notAFile: "is neither a file nor a folder"
    case .damaged: "holds compressed data that is damaged"
    case .expandsTooFar: "grows more than a thousandfold when it is unpacked; it is taken for an attack"
    case .windowTooLarge: "was compressed with a window of more than 128 MiB: unpack it with `zstd -d --long=31`"
    case .wideCharacters: "is in UTF-16 or UTF-32: make it UTF-8 first"
    case .unknownFormat(let line):
      "is in no format that is known: say which (--as of logs, --format of calibrate), or name its fields with --map; a line looks like `\(line)`"
    case .noColumns: "is a table whose columns nothing names: name them with --map"
    case .tooManyRows: "has more counts than ten years have minutes"
    case .noMemory: "needs more memory than there is"
    }
  }

  private static func words(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 200)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension LogFileReport {
  /// Why not everything that the file holds was read; empty if everything was.
  package var losses: [String] {
    let ends = [
      (stream.isTorn, "is truncated: its compressed data end too soon; lines up to there count"),
      (stream.garbage > 0, "has other data after its compressed data"),
    ]
    return (problem.map { [$0.description] } ?? []) + ends.filter(\.0).map(\.1)
  }
}

extension Rejection: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed: "not in the format"
    case .noTime: "without a time"
    case .impossibleTime: "with an impossible time"
    case .tooLong: "too long"
    case .noRequest: "no request"
    case .tornEnd: "cut off at the end of the file"
    }
  }
}

extension LogOptionProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .mapWithoutField(let text): "--map takes KEY=FIELD, not '\(text)'"
    case .endpointWithoutExpression(let text): "--endpoint takes NAME=REGEX, not '\(text)'"
    case .unknownKey(let key): "'\(key)' is not a key of --map: \(FieldMap.keys.joined(separator: ", "))"
    case .unknownUnit(let unit): "'\(unit)' is not a unit: \(TimeUnit.allCases.map(\.rawValue).joined(separator: ", "))"
    case .ruleWithoutExpression(let text): "--widget takes FIELD ~ REGEX, such as 'ua ~ ^WeatherWidget/', not '\(text)'"
    case .expression(let problem): "'\(problem.source)' is not a regular expression: \(problem.reason)"
    case .emptyPattern: "the pattern of the lines holds no variable"
    case .noLiteralBetween(let one, let other):
      "nothing stands between `\(one)` and `\(other)` in the pattern of the lines"
    case .addressAsID:
      "an address is no id: many phones share one, and one phone has many; --yes-ip takes it all the same"
    }
  }
}
