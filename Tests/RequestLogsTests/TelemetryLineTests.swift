import RequestStatistics
import Testing

@testable import RequestLogs

/// Lines as WidgetFleetProbe writes them.
@Suite struct TelemetryLineTests {
  /// A line from the probe's tests (FacadeTests).
  private static let run = """
    {"at":1800000910500,"boot":7,"cause":"scheduled","data_age_minutes":10,"due":1800000900500,"end":1800000910750,\
    "event":"run","kind":"com.example\\/weather","locked":true,"low_power":false,"next":1800002710500,"number":2,\
    "outcome":"cache","path":"none","phone":"b456bcfc34c2cb2c","previous_end":1800000000500,"sequence":2,\
    "uptime":408623476,"version":1,"widget":"a194bf"}
    """

  private static func lines(_ texts: String...) -> TelemetryLines {
    TelemetryLines(Array(texts.joined(separator: "\n").utf8))
  }

  @Test func telemetryRunIsRead() throws {
    let lines = Self.lines(Self.run)
    #expect(lines.lines == 1 && lines.rejected == 0)
    let run = try #require(lines.records.first)
    #expect(run.event == .run && run.kind == "com.example/weather" && run.number == 2 && run.sequence == 2)
    #expect(run.at == 1_800_000_910_500 && run.due == 1_800_000_900_500)
    #expect(run.next == 1_800_002_710_500 && run.end == 1_800_000_910_750)
    #expect(run.outcome == .cache && run.cause == .scheduled && run.isLocked == true && run.isOffline == true)
  }

  @Test func telemetryEventIsRead() throws {
    let mark = #"{"at":1800000000000,"cause":"opened","event":"call","number":1,"phone":"a","uptime":1,"version":1}"#
    let record = try #require(Self.lines(mark).records.first)
    #expect(record.event == .call && record.widget == 0 && record.isLocked == nil && record.isOffline == nil)
  }

  /// Exports overlap: each has the whole ring buffer; in the first one the last run is still open.
  @Test func overlappingExportsAreCountedOnce() throws {
    let begun = Self.run.replacing("\"end\":1800000910750,", with: "").replacing("cache", with: "unfinished")
    let lines = Self.lines(begun, Self.run, Self.run, begun)
    #expect(lines.lines == 4 && lines.records.map(\.outcome) == [.cache])
    // The same record from another phone is a different record, and its widget a different one, even with the same
    // name.
    let two = Self.lines(Self.run, Self.run.replacing("b456bcfc34c2cb2c", with: "c3d4")).records
    #expect(Set(two.map(\.widget)).count == 2 && Set(two.map(\.phone)).count == 2)
  }

  @Test func telemetryDoesNotDependOnLineOrder() {
    let others = (1...9).map { Self.run.replacing("\"number\":2,", with: "\"number\":\($0),") }
    let forwards = TelemetryLines(Array(others.joined(separator: "\n").utf8))
    let backwards = TelemetryLines(Array(others.reversed().joined(separator: "\r\n").utf8))
    #expect(forwards.records == backwards.records && forwards.records.count == 9)
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "nothing", "{\"version\":1}", run.replacing("\"version\":1", with: "\"version\":2"),
    run.replacing("\"event\":\"run\"", with: "\"event\":\"walk\""), run.replacing("scheduled", with: "chance"),
    run.replacing("\"at\":1800000910500", with: "\"at\":9223372036854775807"),
    run.replacing("\"at\":1", with: "\"at\":-1"),
    run.replacing("\"due\":1800000900500", with: "\"due\":-5"), run.replacing("1800000910750", with: "1700000000000"),
    run.replacing("\"number\":2,", with: "\"number\":1.5,"), run + "}",
    run.replacing("\"sequence\":2", with: "\"sequence\":9223372036854775807"),
    run.replacing("\"sequence\":2", with: "\"sequence\":65536"),
    run.replacing("\"phone\":\"b456bcfc34c2cb2c\"", with: "\"phone\":\"\""),
    run.replacing("b456bcfc34c2cb2c", with: "\\ud800"), run.replacing("b456bcfc34c2cb2c", with: "\\q"),
    run.replacing("b456bcfc34c2cb2c", with: "a\u{1}"),
    run.replacing("\"number\":2,", with: "\"number\":99999999999999999999,"), run.replacing("true", with: "{\"a\":1}"),
  ])
  func invalidTelemetryLinesAreCounted(_ line: String) {
    let lines = Self.lines(line, Self.run)
    #expect(lines.rejected == (line.isEmpty ? 0 : 1) && lines.records.count == 1)
  }

  @Test func textsAreUnescaped() {
    let members = FlatObject.members(of: Array(#"{"a\n\u00e4\ud83d\ude00" : "\"\\\/", "b":-7,"c":null}"#.utf8)[...])
    #expect(members == ["a\nä😀": .text("\"\\/"), "b": .number(-7), "c": .null])
  }

  /// A line cut off anywhere or with any byte changed is either read or counted, and nothing worse happens.
  @Test func damagedTelemetryIsReadWithoutCrash() {
    let bytes = Array(Self.run.utf8)
    for place in bytes.indices {
      #expect(TelemetryLines(Array(bytes[..<place])).records.isEmpty)
      for byte in [0, 34, 44, 92, 123, 125, 200] as [UInt8] {
        var changed = bytes
        changed[place] = byte
        let lines = TelemetryLines(changed)
        #expect(lines.records.count + lines.rejected == lines.lines)
      }
    }
  }
}
