import RequestStatistics

/// A detector for the format of a file, based on its first lines.
struct Detection {
  /// The number of bytes at the start of a file that are examined.
  static let sampleBytes = 64 * 1_024
  /// The maximum number of lines to examine.
  private static let maxLines = 1_000
  /// The maximum ratio of examined lines to understood lines for which a format is recognized.
  private static let fewestShare = 20

  let options: LogOptions
  let table: FieldTable

  init(_ options: LogOptions, _ table: FieldTable) { (self.options, self.table) = (options, table) }

  struct Finding {
    var plan: LinePlan
    /// The number of lines examined, excluding comments, and the number of lines understood.
    var lines: Int
    var understood: Int
    var candidates: [IdentityCandidate] = []
    /// Whether timestamps mark the start of requests, rather than their end.
    var startsRequests = false
    /// Whether timestamps lack an offset from UTC, and the format does not specify one.
    var lacksOffset = false
    /// The options with which lines without a request could be read; `nil` if most lines have a request.
    var advice: String?
  }

  /// - Parameter sample: the start of a file; its last line may be incomplete.
  func find(_ sample: Text) throws(LogProblem) -> Finding {
    if Self.isWide(sample) { throw .wideCharacters }
    let lines = Self.lines(sample)
    let row = Row(slots: table.slots, longestLine: options.limits.line)
    defer { row.free() }
    var best: Finding?
    for plan in try candidates(sample, lines) where options.format == nil || options.format == plan.format {
      let counted = plan.isDocument ? (1, 1) : count(lines, plan, row)
      guard counted.1 > (best?.understood ?? 0) else { continue }
      best = Finding(plan: plan, lines: counted.0, understood: counted.1)
    }
    guard var best, best.understood * Self.fewestShare >= best.lines else {
      throw unknown(lines)
    }
    best.candidates = identities(best.plan, sample)
    examine(&best, lines, row)
    return best
  }

  /// Returns the error for lines of an unknown format, including the options with which they could be read.
  private func unknown(_ lines: [Text]) -> LogProblem {
    let first = lines.first ?? .empty
    if first.count > 19, first[4] == UInt8(ascii: "-"), first[10] == 0x20,
      StampReader.timeOfDay(first.slice(11, 19)) != nil,
      options.format == nil || options.format == .cloudfront, !lines.contains(where: { $0.hasPrefix("#Fields:") }),
      first.contains(" GET ") || first.contains(" POST ")
    {
      return .noFieldsLine(looksLike: Mask.line(first))
    }
    return .unknownFormat(
      looksLike: Mask.line(first), tried: options.pattern != nil ? "the given pattern" : options.format?.rawValue,
      advice: FormatGuess(table, options).options(for: first))
  }

  /// Examines the timestamps of some lines, and checks whether the lines contain requests.
  private func examine(_ finding: inout Finding, _ lines: [Text], _ row: Row) {
    var (arrivals, requests, local, count) = (0, 0, 0, 0)
    for line in lines where line[0] != UInt8(ascii: "#") {
      row.clear()
      guard fill(row, line, finding.plan) else { continue }
      count += 1
      if !row[.arrival].isEmpty { arrivals += 1 }
      if FormatGuess.hasRequest(row) { requests += 1 }
      let stamp = row[.arrival].isEmpty ? row[.time] : row[.arrival]
      if row[.date].isEmpty, StampReader.isLocal(stamp) { local += 1 }
    }
    guard count > 0 else { return }
    finding.startsRequests =
      options.stamp.map { $0 == .begin } ?? (finding.plan.startsRequests || 2 * arrivals > count)
    finding.lacksOffset = options.localTime == nil && 2 * local > count
    guard case .objects(let format) = finding.plan.lines, finding.plan.format == .jsonl, 2 * requests < count else {
      return
    }
    finding.advice = lines.lazy.compactMap { FormatGuess(table, options).maps(of: $0, format) }.first ?? ""
  }

  private func fill(_ row: Row, _ line: Text, _ plan: LinePlan) -> Bool {
    switch plan.lines {
    case .pattern(let format): format.fill(row, line) == nil
    case .table(let format): format.fill(row, line) == nil
    case .objects(let format): format.fill(row, line) == nil
    case .counts: false
    }
  }

  private static func isWide(_ sample: Text) -> Bool {
    guard sample.count >= 4 else { return false }
    let hasMark = sample[0] == 0xFF && sample[1] == 0xFE || sample[0] == 0xFE && sample[1] == 0xFF
    let zeros = (0..<min(sample.count, 256)).count { sample[$0] == 0 }
    return hasMark || zeros * 4 > min(sample.count, 256)
  }

  /// Returns the complete, non-empty lines of a sample, without their line endings.
  static func lines(_ sample: Text) -> [Text] {
    var (lines, place) = ([Text](), 0)
    while place < sample.count, lines.count < maxLines {
      let end = sample.place(of: 0x0A, from: place) ?? sample.count
      let isWhole = end < sample.count || lines.isEmpty || sample.count < sampleBytes
      let line = sample.slice(place, end).trimmedEnd
      if !line.isEmpty, isWhole { lines.append(line) }
      place = end + 1
    }
    return lines
  }

  private func count(_ lines: [Text], _ plan: LinePlan, _ row: Row) -> (lines: Int, understood: Int) {
    var stamps = StampReader()
    let lines = lines.filter { $0[0] != UInt8(ascii: "#") }
    let understood = lines.count { line in
      row.clear()
      switch plan.lines {
      case .pattern(let format): return format.fill(row, line) == nil && Self.hasTime(row, &stamps)
      case .table(let format): return format.fill(row, line) == nil && Self.hasTime(row, &stamps)
      case .objects(let format): return format.fill(row, line) == nil && Self.hasTime(row, &stamps)
      case .counts(let format):
        if case .success = format.read(line, &stamps) { return true }
        return false
      }
    }
    return (lines.count, understood)
  }

  static func hasTime(_ row: Row, _ stamps: inout StampReader) -> Bool {
    for role in [Role.arrival, .time, .date] where !row[role].isEmpty {
      if case .at = stamps.read(row[role], unit: row.unit(of: role)) { return true }
    }
    return false
  }

  // MARK: Candidates

  /// Returns the candidate plans in order of preference. The order matters if several plans can parse the same
  /// number of lines.
  private func candidates(_ sample: Text, _ lines: [Text]) throws(LogProblem) -> [LinePlan] {
    if let given = givenPattern() { return [given] }
    let headers = lines.prefix(5).filter { $0.hasPrefix("#Fields:") }
    let isTabbed = lines.first { $0[0] != UInt8(ascii: "#") }?.place(of: 0x09) != nil
    let tables = headers.compactMap { ExtendedFormat.plan($0, table, isTabbed: isTabbed) }
    return tables + objects(sample, lines) + patterns() + [loadBalancer()] + commas(lines)
  }

  private func givenPattern() -> LinePlan? {
    guard let text = options.pattern, let pattern = try? LogPattern(text) else { return nil }
    if pattern.isJSON {
      return LinePlan(.jsonl, .objects(ObjectLines(table, pattern: pattern)), name: "the given pattern, in JSON")
    }
    return LinePlan(.nginx, .pattern(PatternLines(pattern, table, allowsRest: false)), name: "the given pattern")
  }

  private func patterns() -> [LinePlan] {
    let known = [
      (LogPattern.combinedWithHost, "combined, preceded by the host"),
      (LogPattern.combined, "nginx or Apache combined"),
      (LogPattern.commonWithHost, "common, preceded by the host"), (LogPattern.common, "Apache common"),
      (LogPattern.haproxyInSyslog, "HAProxy, in syslog"), (LogPattern.haproxy, "HAProxy"),
      (LogPattern.envoy, "Envoy"), (LogPattern.istio, "Envoy in Istio"),
    ]
    return known.compactMap { text, name in
      guard let pattern = try? LogPattern(text) else { return nil }
      return LinePlan(.nginx, .pattern(PatternLines(pattern, table, allowsRest: true)), name: name)
    }
  }

  private func loadBalancer() -> LinePlan {
    let lines = TableLines(
      LoadBalancerColumns.names, table, separator: 0x20, allowsQuotes: true, fewest: LoadBalancerColumns.fewest)
    return LinePlan(.alb, .table(lines), name: "ALB")
  }

  private func objects(_ sample: Text, _ lines: [Text]) -> [LinePlan] {
    guard let first = lines.first, let start = first.bytes.first(where: { $0 > 0x20 }) else { return [] }
    let isTelemetry = sample.contains("\"resourceSpans\"") || sample.contains("\"resourceLogs\"")
    if isTelemetry {
      return [LinePlan(.otlp, .objects(ObjectLines(telemetry: table)), name: "OpenTelemetry", isDocument: true)]
    }
    // In Google Cloud records, the timestamp is the time at which the first front end received the request.
    let startsRequests = sample.contains("\"httpRequest\"")
    let objects = ObjectLines(startField(first).map { table.filling(.arrival, from: $0) } ?? table)
    let isList =
      start == UInt8(ascii: "[")
      && sample.bytes.drop { $0 <= 0x20 }.dropFirst().first { $0 > 0x20 } == UInt8(ascii: "{")
    let isSpread = start == UInt8(ascii: "{") && first.trimmed.count < 3 && lines.count > 1
    let isDocument = isList || isSpread
    return [
      LinePlan(
        .jsonl, .objects(objects), name: isDocument ? "a JSON document" : "JSON lines", isDocument: isDocument,
        startsRequests: startsRequests)
    ]
  }

  /// Returns the key in an object whose name suggests that it holds the start of a request. The result is `nil` if a
  /// known key already has this meaning.
  private func startField(_ line: Text) -> String? {
    var (found, isKnown) = (String?.none, options.maps.contains { $0.role == .time || $0.role == .arrival })
    var stamps = StampReader()
    ObjectLines.visitMembers(line) { key, value in
      let name = key.string
      if KnownFields.meanings[name]?.role == .arrival { isKnown = true }
      let lower = name.lowercased()
      guard found == nil,
        lower.hasPrefix("start") || lower.hasSuffix("_start") || lower.hasSuffix(".start") || name.hasSuffix("Start"),
        value.count >= 10, case .at = stamps.read(value)
      else { return }
      found = name
    }
    return isKnown ? nil : found
  }

  private func commas(_ lines: [Text]) -> [LinePlan] {
    guard let first = lines.first else { return [] }
    return [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].compactMap { TableHead(first, lines, $0, options)?.plan(table) }
  }

  private static let user: StaticString = "remote_user"

  /// Returns the fields whose values in a sample may identify senders.
  func identities(_ plan: LinePlan, _ sample: Text) -> [IdentityCandidate] {
    let row = Row(slots: table.slots, longestLine: options.limits.line)
    defer { row.free() }
    var search = IdentitySearch(minimum: options.showsRare ? 2 : Crowd.minimum)
    for line in Self.lines(sample) where line[0] != UInt8(ascii: "#") && line.count <= options.limits.line {
      row.clear()
      search.beginLine()
      switch plan.lines {
      case .pattern(let format): if format.fill(row, line) == nil { Self.take(row, &search) }
      case .table(let format): if format.fill(row, line) == nil { Self.take(row, &search) }
      case .objects(let format):
        guard format.fill(row, line) == nil else { continue }
        Self.take(row, &search)
        ObjectLines.visitMembers(line) { name, value in
          if KnownFields.meanings[name.string] == nil { search.take(name, value) }
        }
      case .counts: return []
      }
    }
    return search.candidates
  }

  private static func take(_ row: Row, _ search: inout IdentitySearch) {
    let text = row[.path].isEmpty ? Target.ofRequest(row[.request]) : row[.path]
    let target = Target(text)
    search.takeQuery(target.query.isEmpty ? row[.query] : target.query)
    if !row[.user].isEmpty { search.take(Self.user.text, row[.user]) }
  }
}

extension Text {
  /// The text without a trailing carriage return.
  var trimmedEnd: Text { count > 0 && self[count - 1] == 0x0D ? upTo(count - 1) : self }
}

/// Functions that mask the content of a line while preserving its form.
enum Mask {
  private static let longest = 80

  /// Returns the line with lower-case letters replaced by a, capitals by A, digits by 9, and unprintable bytes by ?.
  static func line(_ text: Text) -> String {
    let masked = text.upTo(min(text.count, longest)).bytes.map { byte -> UInt8 in
      if Letters.isDigit(byte) { return UInt8(ascii: "9") }
      if Letters.isCapital(byte) { return UInt8(ascii: "A") }
      if Letters.isLetter(byte) { return UInt8(ascii: "a") }
      return byte >= 0x20 && byte < 0x7F ? byte : UInt8(ascii: "?")
    }
    return String(decoding: masked, as: UTF8.self) + (text.count > longest ? "..." : "")
  }
}
