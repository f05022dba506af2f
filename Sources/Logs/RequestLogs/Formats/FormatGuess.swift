import RequestStatistics

/// A search for options that can parse a line in an unknown format: a pattern for text, or field mappings for JSON keys.
///
/// The resulting options contain no part of the line except labels.
struct FormatGuess {
  private let table: FieldTable
  private let longestLine: Int

  init(_ table: FieldTable, _ options: LogOptions) {
    self.table = table
    longestLine = options.limits.line
  }

  /// Returns the options with which a line could be read, as command-line arguments; `nil` if there are none.
  func options(for line: Text) -> String? {
    let start = ObjectLines.afterSpace(line, 0)
    if start < line.count, line[start] == UInt8(ascii: "{") { return maps(of: line, ObjectLines(table)) }
    guard let text = LinePattern(line).text, let pattern = try? LogPattern(text) else { return nil }
    let lines = PatternLines(pattern, table, allowsRest: false)
    let row = Row(slots: table.slots, longestLine: longestLine)
    defer { row.free() }
    var stamps = StampReader()
    guard lines.fill(row, line) == nil, Self.hasRequest(row), Detection.hasTime(row, &stamps) else { return nil }
    return "--log-format '\(text)'"
  }

  /// Returns whether a line contains a request, rather than only a timestamp.
  static func hasRequest(_ row: Row) -> Bool {
    [Role.request, .path, .status, .agent].contains { !row[$0].isEmpty }
  }

  // MARK: JSON

  /// The roles that may be assigned to a line's keys, each with its name in the `--map` option.
  private static let roles: [(role: Role, option: String)] = [
    (.time, "time"), (.path, "path"), (.status, "status"), (.agent, "ua"), (.duration, "duration"),
  ]

  /// Returns a `--map KEY=FIELD` option for each role that is not already assigned to a known key of the line.
  func maps(of line: Text, _ format: ObjectLines) -> String? {
    let row = Row(slots: table.slots, longestLine: longestLine)
    defer { row.free() }
    guard format.fill(row, line) == nil else { return nil }
    var stamps = StampReader()
    var found: [Role: String] = [:]
    let hasTime = Detection.hasTime(row, &stamps)
    Self.visit(line, under: "") { name, value in
      guard KnownFields.meanings[name] == nil, Self.isPlain(name) else { return }
      for (role, _) in Self.roles where found[role] == nil {
        let isFilled = role == .time ? hasTime : !row[role].isEmpty || role == .path && !row[.request].isEmpty
        if !isFilled, Self.fits(role, name, value, &stamps) {
          found[role] = name
          return
        }
      }
    }
    guard found[.path] ?? found[.status] ?? found[.agent] ?? found[.time] != nil else { return nil }
    return Self.roles.compactMap { role, option in found[role].map { "--map \(option)=\($0)" } }
      .joined(separator: " ")
  }

  private static func visit(_ line: Text, under prefix: String, _ take: (String, Text) -> Void) {
    ObjectLines.visitMembers(line, hasObjects: true) { name, value in
      let path = prefix + name.string
      if value.count > 1, value[0] == UInt8(ascii: "{"), prefix.isEmpty {
        visit(value, under: path + ".", take)
      } else {
        take(path, value)
      }
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    name.utf8.count <= 60
      && name.utf8.allSatisfy { Letters.isLetter($0) || Letters.isDigit($0) || "._-@".utf8.contains($0) }
  }

  private static func fits(_ role: Role, _ name: String, _ value: Text, _ stamps: inout StampReader) -> Bool {
    let lower = name.lowercased()
    func names(_ words: String...) -> Bool { words.contains { lower.contains($0) } }
    switch role {
    case .time:
      guard value.count >= 10, case .at = stamps.read(value) else { return false }
      return value[4] == UInt8(ascii: "-") || names("time", "ts", "date", "at", "when", "start", "stamp")
    case .path: return value.count > 1 && value[0] == UInt8(ascii: "/") || value.hasPrefix("http")
    case .status: return names("status", "code", "rc", "sc") && LinePattern.isStatus(value)
    case .agent: return LinePattern.isAgent(value) || LinePattern.agents.contains(lower)
    case .duration: return names("dur", "elapsed", "latency", "took", "_ms", "millis") && Digits.decimal(value) != nil
    default: return false
    }
  }
}

/// The pattern of a single line, guessed from the form of its words.
struct LinePattern {
  private var pattern: [UInt8] = []
  private var used: Set<String> = []
  /// The character that separates the values of a line; `nil` if they are separated by spaces or tabs.
  private let separator: UInt8?

  /// The maximum length of a label that is copied to the pattern.
  private static let longestLabel = 24

  /// The minimum number of times that a character must occur in a line to be considered a separator.
  private static let fewestSeparators = 4

  init(_ line: Text) {
    separator = "|;".utf8.first { sign in line.bytes.count { $0 == sign } >= Self.fewestSeparators }
    var place = 0
    while place < line.count {
      if line[place] == separator {
        pattern.append(line[place])
        place += 1
      } else if line[place] <= 0x20 {
        pattern += line[place] == 0x09 ? Array("\\t".utf8) : [0x20]
        place += 1
      } else {
        place = takeWord(line, place)
      }
    }
  }

  /// The text of the pattern; `nil` unless both a request and a time were found in the line.
  var text: String? {
    let hasRequest = !used.isDisjoint(with: ["request", "request_uri"])
    let hasTime = !used.isDisjoint(with: ["time_local", "time_iso8601", "msec", "time"])
    return hasRequest && hasTime ? String(decoding: pattern, as: UTF8.self) : nil
  }

  static func isStatus(_ value: Text) -> Bool {
    Digits.whole(value).map { value.count == 3 && (100...599).contains($0) } ?? false
  }

  static func isAgent(_ value: Text) -> Bool {
    value.contains("CFNetwork") || value.contains("Mozilla/") || value.contains("curl/") || value.contains("okhttp/")
  }

  private static func isRequest(_ value: Text) -> Bool {
    guard let space = value.place(of: 0x20), (3...8).contains(space), space + 1 < value.count else { return false }
    return value.upTo(space).bytes.allSatisfy(Letters.isCapital)
      && (value[space + 1] == UInt8(ascii: "/") || value.from(space + 1).hasPrefix("http"))
  }

  private static func isAddress(_ value: Text) -> Bool {
    value.bytes.count { $0 == UInt8(ascii: ".") } == 3
      && value.bytes.allSatisfy { Letters.isDigit($0) || $0 == UInt8(ascii: ".") }
  }

  /// Adds a word with its label, such as `rt=0.06` or `host:192.0.2.1`, to the pattern.
  ///
  /// - Returns: the position after the word.
  private mutating func takeWord(_ line: Text, _ start: Int) -> Int {
    var place = start
    let name = line.from(start).bytes.prefix { Letters.isLetter($0) || Letters.isDigit($0) || "_-".utf8.contains($0) }
    let mark = start + name.count
    var label = ""
    if !name.isEmpty, name.count <= Self.longestLabel, mark + 1 < line.count, Letters.isLetter(name[name.startIndex]),
      line[mark] == UInt8(ascii: "=") || line[mark] == UInt8(ascii: ":") && line[mark + 1] != UInt8(ascii: "/")
    {
      label = String(decoding: name, as: UTF8.self)
      pattern += Array(label.utf8) + [line[mark]]
      place = mark + 1
    }
    return takeValue(line, place, label)
  }

  private mutating func takeValue(_ line: Text, _ place: Int, _ label: String) -> Int {
    let byte = line[place]
    if byte == UInt8(ascii: "\""), let close = Quotes.closing(line, from: place + 1) {
      pattern.append(byte)
      name(line.slice(place + 1, close), label)
      pattern.append(byte)
      return close + 1
    }
    if byte == UInt8(ascii: "["), let close = line.place(of: UInt8(ascii: "]"), from: place) {
      pattern.append(byte)
      name(line.slice(place + 1, close), label)
      pattern.append(UInt8(ascii: "]"))
      return close + 1
    }
    // If columns are separated by tabs or other characters, a value in a table may contain spaces.
    let isTabbed = separator != nil || !label.isEmpty && line.place(of: 0x09) != nil
    var end = place
    while end < line.count, line[end] != 0x09, line[end] != separator, isTabbed || line[end] != 0x20 { end += 1 }
    name(line.slice(place, end), label)
    return end
  }

  private mutating func name(_ value: Text, _ label: String) {
    let variable = variable(for: value, label.lowercased())
    used.insert(variable)
    pattern += Array("$\(variable)".utf8)
  }

  /// The labels that precede a User-Agent in a line.
  static let agents: Set = ["ua", "agent", "user_agent", "useragent", "http_user_agent"]
  private static let durations: Set = ["rt", "reqtime", "request_time", "duration", "took", "latency", "elapsed"]

  private func variable(for value: Text, _ label: String) -> String {
    var stamps = StampReader()
    let isTime = if value.count >= 8, case .at = stamps.read(value) { true } else { false }
    let isClock = value.count == 8 && StampReader.timeOfDay(value) != nil
    let hasRequest = !used.isDisjoint(with: ["request", "request_uri"])
    let isNumber = Digits.whole(value) != nil
    let hasPath = value.count > 0 && value[0] == UInt8(ascii: "/")
    let choices: [(String, Bool)] = [
      ("time", isClock && used.contains("date")), ("date", isTime && value.count == 10 && !isNumber),
      ("msec", isTime && Digits.decimal(value) != nil), ("time_local", isTime && value.count > 10 && value[2] == 0x2F),
      ("time_iso8601", isTime && value.count > 10), ("request", Self.isRequest(value)),
      ("request_time", Self.durations.contains(label) && Digits.decimal(value) != nil),
      ("request_uri", hasPath && !used.contains("request")), ("status", hasRequest && Self.isStatus(value)),
      ("body_bytes_sent", hasRequest && isNumber),
      ("http_user_agent", Self.isAgent(value) || Self.agents.contains(label)),
      ("remote_addr", Self.isAddress(value)),
    ]
    if let choice = choices.first(where: { $0.1 && !used.contains($0.0) }) { return choice.0 }
    return "f\(used.count + 1)"
  }
}
