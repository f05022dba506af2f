import Foundation
import Testing

/// The `logs` command as a process: its text for good logs, for bad ones, and for none.
struct LogsTests {
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)

  /// Returns lines in nginx's combined format: one per minute for several days, from 40 phones in turn.
  private static func lines(days: Int, agent: String = "WeatherWidget/12 CFNetwork/3860.1 Darwin/25.0.0") -> [String] {
    let stamps = DateFormatter()
    stamps.locale = Locale(identifier: "en_US_POSIX")
    stamps.timeZone = TimeZone(secondsFromGMT: 0)
    stamps.dateFormat = "dd/MMM/yyyy:HH:mm:ss"
    return (0..<days * 1_440).map { minute in
      let stamp = stamps.string(from: start.addingTimeInterval(Double(minute * 60 + minute % 60)))
      return
        "192.0.2.7 - - [\(stamp) +0000] \"GET /forecast?install=\(String(0xC0FF_EE00_0000 + minute % 40, radix: 16)) HTTP/2.0\" 200 \(900 + minute % 7) "
        + "\"-\" \"\(agent)\""
    }
  }

  private func logs(_ lines: [String], _ arguments: [String] = ["--id", "query.install"]) throws -> Child.Outcome {
    let child = try Child()
    defer { child.remove() }
    try child.write(lines.joined(separator: "\n") + "\n", to: "log")
    return try child.run(["logs", "log"] + arguments)
  }

  @Test func intactLogIsDescribed() throws {
    let outcome = try logs(Self.lines(days: 2))
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("2 880 lines") && outcome.output.contains("timestamps in seconds"))
    #expect(outcome.output.contains("ids: 100 % of the lines have one, 40 distinct ones"))
    #expect(outcome.output.contains("no defects were found"))
    let unnamed = try logs(Self.lines(days: 2), [])
    #expect(unnamed.output.contains("--id query.install"))
  }

  @Test func documentMatchesTheText() throws {
    let outcome = try logs(Self.lines(days: 2), ["--id", "query.install", "--format", "json"])
    let document = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(document["requests"] as? Int == 2_880)
    #expect((document["ids"] as? [String: Any])?["distinct"] as? Double == 40)
    #expect((document["findings"] as? [Any])?.isEmpty == true)
  }

  @Test func logDefectsAreReported() throws {
    var lines = Self.lines(days: 3)
    lines.removeSubrange(2_000..<2_060)
    #expect(try logs(lines).output.contains("WF612"))
    let copied = Self.lines(days: 2)
    #expect(try logs(copied + copied.prefix(100)).output.contains("WF611 100 duplicate lines"))
  }

  /// The month is written instead of the minute, which is refused with the reason.
  @Test func aStuckMinuteIsRefused() throws {
    let lines = Self.lines(days: 2).map { line in
      var line = line
      let colon = line.index(line.firstIndex(of: "[") ?? line.startIndex, offsetBy: 16)
      line.replaceSubrange(colon...line.index(after: colon), with: "05")
      return line
    }
    let outcome = try logs(lines)
    #expect(outcome.status == 4)
    #expect(outcome.output.contains("59 of 60 minutes never occur"))
  }

  @Test func nonLogFilesAreRefused() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write("", to: "empty")
    try child.write("Dear diary, nothing happened.\n", to: "prose")
    for name in ["empty", "prose"] {
      let outcome = try child.run(["logs", name])
      #expect(outcome.status == 4, "\(name): \(outcome.output)")
      #expect(!outcome.output.contains("diary"))
    }
    let missing = try child.run(["logs", "nowhere"])
    #expect(missing.status == 4 && missing.error.contains("cannot read 'nowhere'"))
    let one = try child.run(["calibrate", "small.yaml", "--log", "prose"])
    #expect(one.status == 4 && one.error.contains("contains no readable requests"))
    #expect(child.names(in: "Reports").isEmpty)
  }

  @Test(arguments: [
    (["logs", "log", "--map", "duration"], "takes KEY=FIELD"),
    (["logs", "log", "--id", "ip"], "an address is not an id"),
    (["logs", "log", "--widget", "ua ~ ("], "is not a regular expression"),
    (["calibrate", "small.yaml"], "--log is missing"),
    (["calibrate", "small.yaml", "--log", "log", "--days", "7-1"], "--days must be a range such as 1-7"),
  ])
  func badInput(_ arguments: [String], _ sentence: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.lines(days: 1).joined(separator: "\n"), to: "log")
    let outcome = try child.run(arguments)
    #expect(outcome.status == 2, "\(outcome.error)")
    #expect(outcome.error.contains(sentence), "\(outcome.error)")
  }

  /// The contents of tables of counts, by the first column.
  @Test func countsAreDescribed() throws {
    let rows = (0..<600).map { minute in
      "2027-01-18T\(String(format: "%02d:%02d", minute / 60, minute % 60)):00Z,\(100 + minute % 7)"
    }
    let outcome = try logs(["timestamp,RequestCount"] + rows, [])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("counts of 'RequestCount' per 60 s"))
  }
}
