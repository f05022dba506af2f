internal import Platform
import RequestStatistics

/// The options for reading logs. Options that are not set are detected automatically, except for the field that
/// identifies the sender, which is never guessed.
package struct LogOptions: Sendable {
  /// The log format; `nil` to detect it for each file from the file's first lines.
  package var format: LogFormat?
  /// The nginx `log_format` or Apache `LogFormat` of the lines; `nil` for the combined format.
  package var pattern: String?
  /// The field meanings given by the user, which take precedence over known names.
  package private(set) var maps: [FieldMap] = []
  /// The rules that assign classes such as widget or app to requests. The first matching rule applies; if no rule
  /// matches, built-in rules apply.
  package private(set) var classRules: [ClassRule] = []
  /// The rules that assign endpoint names to paths. The first matching rule applies; if no rule matches, the path
  /// without personal components is used.
  package var endpointRules: [EndpointRule] = []
  /// Whether an address may be used to identify the sender of a request.
  package var allowsAddresses = false
  /// The meaning of the timestamp of a count, or of a line with a duration; `nil` to use the meaning that the format
  /// defines. By default, the timestamp of a count is the start of its bin.
  package var stamp: StampMeaning?
  /// A function that returns the instant of a local time in milliseconds, for timestamps without an offset; `nil` to
  /// read them as UTC.
  package var localTime: (@Sendable (Int64) -> Int64?)?
  /// Whether to show names that only a few senders use.
  package var showsRare = false
  /// The key for pseudonyms, which is random by default.
  package var pseudonyms = Pseudonyms.random()
  package var threads = 1
  package var limits = Limits()

  package init() {}

  /// The instant to which a timestamp refers.
  package enum StampMeaning: String, CaseIterable, Sendable {
    case begin, end
  }

  /// The limits on the size of input.
  package struct Limits: Sendable {
    /// The maximum length of a line in bytes; longer lines are counted but not stored.
    package var line = 64 * 1_024
    /// The expansion ratio above which a compressed file is rejected, provided that its text is longer than
    /// `expandedBytes`.
    package var expansion = 1_000
    package var expandedBytes = 1 << 30
    /// The maximum number of rows in a file of counts, which corresponds to ten years of minutes.
    package var countRows = 5_300_000
  }

  /// Adds a mapping, which is `KEY=FIELD` or `KEY=FIELD:UNIT`, or a class rule, which is `CLASS=FIELD ~ EXPRESSION`.
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

  /// Sets the field that identifies the sender: a column, a variable, a JSON key, `query.NAME` or `cookie.NAME`.
  package mutating func identify(by field: String) throws(LogOptionProblem) {
    maps.append(try FieldMap(.id, field))
  }
}

/// An error in the options for reading logs.
package enum LogOptionProblem: Error, Hashable {
  case mapWithoutField(String)
  case endpointWithoutExpression(String)
  case unknownKey(String)
  case unknownUnit(String)
  case ruleWithoutExpression(String)
  case expression(ExpressionProblem)
  /// The pattern contains no variables.
  case emptyPattern
  /// Two variables of the pattern are adjacent, so their values cannot be separated.
  case noLiteralBetween(String, String)
  /// An address was chosen to identify the sender of a request, but addresses are not allowed.
  case addressAsID(String)
}

/// A mapping from a field in a line to its meaning.
package struct FieldMap: Hashable, Sendable {
  package let role: Role
  let field: FieldName
  let unit: TimeUnit?

  static let roles: [String: Role] = [
    "time": .time, "arrival": .arrival, "id": .id, "path": .path, "query": .query, "request": .request,
    "method": .method, "status": .status, "bytes": .bytes, "duration": .duration, "ua": .agent, "address": .address,
    "request_id": .requestID, "cache": .cache, "kind": .kind, "node": .node, "count": .count, "cookie": .cookie,
  ]

  /// The keys that `LogOptions.map` accepts.
  package static var keys: [String] { (Array(roles.keys) + ClassRule.classes.keys).sorted() }

  /// - Parameter text: a field; for a time or a duration, a colon or space and a unit may follow.
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

/// The location of a value within a line or its request.
enum FieldName: Hashable, Sendable {
  /// A column, an nginx variable, or a path of JSON keys.
  case field(String)
  /// A parameter in the request's query.
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

  /// Whether the field contains the network address of the sender.
  var isAddress: Bool {
    guard case .field(let name) = self else { return false }
    return Self.addresses.contains(name.lowercased()) || KnownFields.meanings[name]?.role == .address
  }
}

/// A rule that assigns a class to requests in which a field matches an expression.
package struct ClassRule: Sendable {
  let requestClass: RequestClass
  let field: FieldName
  let expression: Expression

  static let classes: [String: RequestClass] = [
    "widget": .widget, "app": .app, "extension": .otherExtension, "browser": .browser, "bot": .bot, "other": .other,
  ]

  /// - Parameter text: a field, `~` and an expression, for example `ua ~ ^WeatherWidget/`.
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

/// A rule that assigns an endpoint to requests whose path matches an expression.
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
    case .damaged: "contains damaged compressed data"
    case .expandsTooFar: "expands more than a thousandfold, which may be an attack"
    case .windowTooLarge: "was compressed with a window of more than 128 MiB: unpack it with `zstd -d --long=31`"
    case .wideCharacters: "is in UTF-16 or UTF-32: convert it to UTF-8 first"
    case .unknownFormat(let line, let tried, let advice):
      (tried.map { "is not in the format \($0)" }
        ?? "has an unknown format (tried: nginx, Apache, HAProxy, Envoy, ALB, W3C tables, JSON, OpenTelemetry, CSV)")
        + "; a line looks like `\(line)`; "
        + (advice.map { "these options read it: \($0)" }
          ?? "a line must have a time and a request: describe it with --log-format '$remote_addr [$time_local] \"$request\"'")
    case .noFieldsLine(let line):
      "looks like an IIS log without its `#Fields:` line, which names the columns: put that line first; a line looks like "
        + "`\(line)`"
    case .noColumns: "is a table without column names: name them with --map"
    case .tooManyRows: "has more counts than there are minutes in ten years"
    case .noMemory: "needs more memory than is available"
    }
  }

  private static func words(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 200)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension LogFileReport {
  /// The reasons why parts of the file were not read; empty if all of it was read.
  package var losses: [String] {
    let ends = [
      (stream.isTorn, "is truncated: its compressed data ends early; only earlier lines are used"),
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
    case .impossibleTime: "with a time that does not exist, or that clocks skip or repeat"
    case .tooLong: "too long"
    case .noRequest: "without a request"
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
    case .emptyPattern: "the line pattern contains no variable"
    case .noLiteralBetween(let one, let other):
      "nothing separates `\(one)` from `\(other)` in the line pattern"
    case .addressAsID:
      "an address is not an id: many phones share one, and one phone has many; --yes-ip uses it anyway"
    }
  }
}
