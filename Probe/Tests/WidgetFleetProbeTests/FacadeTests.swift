import Foundation
import Testing

@testable import WidgetFleetProbe

/// The hooks as called by an app; they share one recorder, so these tests run serially.
@Suite(.serialized) struct FacadeTests {
  @Test func aWidgetsDay() throws {
    let sample = try Sample()
    Probe.use(folder: sample.folder)
    #expect(Probe.problem == nil)
    Probe.foreground()
    Probe.called(.opened, kind: "weather")
    let due = Date(timeIntervalSinceNow: -30)
    let run = Probe.timeline("weather", "systemSmall", due: due)
    run.done(next: Date().addingTimeInterval(900), source: .network, dataTime: Date().addingTimeInterval(-600))
    Probe.background()
    Probe.tapped()
    Probe.timeline("weather", "systemSmall").done(next: nil, source: .cache)
    Probe.pushed(kind: "weather")
    #expect(Probe.problem == nil)

    let lines = Probe.lines().split(separator: "\n")
    let events = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(events.map { $0["event"] as? String } == ["foreground", "call", "run", "background", "tap", "run", "push"])
    #expect(events.map { $0["cause"] as? String } == [nil, "opened", "call", nil, nil, "tap", nil])
    #expect(events.map { $0["outcome"] as? String } == [nil, nil, "network", nil, nil, "cache", nil])
    #expect(events[2]["due"] as? Int64 == Int64((due.timeIntervalSince1970 * 1_000).rounded()))
    #expect(events[2]["data_age_minutes"] as? Int == 10)
    #expect(events[5]["previous_end"] as? Int64 == events[2]["end"] as? Int64)
    #expect(events[5]["due"] as? Int64 == events[2]["next"] as? Int64)
    #expect(Set(events.compactMap { $0["phone"] as? String }).count == 1)
    #expect(events.allSatisfy { $0["version"] as? Int == 1 })
  }

  /// A line keeps its format, which WidgetFleet's tests read (TelemetryLineTests), unless the version changes.
  @Test func aLineIsAsCalibrateReadsIt() throws {
    let sample = try Sample()
    try sample.overwrite(RingContent(salt: 1).bytes)
    sample.wait(seconds: 1_799_999_000)
    try sample.run("com.example/weather", next: 900)
    sample.wait(seconds: 910)
    var recorder = sample.recorder
    recorder.phone = {
      var phone = PhoneState()
      (phone.isLowPower, phone.isLocked, phone.path) = (false, true, .none)
      return phone
    }
    let run = try recorder.begin(Sample.widget("com.example/weather"), due: nil)
    sample.wait(seconds: 0.25)
    try recorder.end(run, .init(outcome: .cache, next: run.wall + 1_800_000, dataTime: run.wall - 600_000))
    let line = ProbeLines.text(of: try recorder.content()).split(separator: "\n").last
    #expect(
      line == """
        {"at":1800000910500,"boot":7,"cause":"scheduled","data_age_minutes":10,"due":1800000900500,"end":1800000910750,\
        "event":"run","kind":"com.example\\/weather","locked":true,"low_power":false,"next":1800002710500,"number":2,\
        "outcome":"cache","path":"none","phone":"b456bcfc34c2cb2c","previous_end":1800000000500,"sequence":2,\
        "uptime":408623476,"version":1,"widget":"a194bf"}
        """)
  }

  @Test func theQueryTellsWhichRunAsks() throws {
    let sample = try Sample()
    Probe.use(folder: sample.folder)
    Probe.tapped()
    _ = Probe.timeline("com.example.weather", "systemSmall")
    let minute = Int(Date().timeIntervalSince1970) / 60 - 2
    let due = Date(timeIntervalSince1970: Double(minute * 60 + 59))
    let run = Probe.timeline("com.example.weather", "systemSmall", due: due)
    let instance = String(try #require(run.record).instance, radix: 16)
    #expect(run.queryItem == URLQueryItem(name: "w", value: "com.example.weather.\(instance).2.\(minute).tap"))
    #expect(instance.allSatisfy { $0.isHexDigit })
    #expect(run.queryItem?.value?.count ?? 0 < 60)
  }

  @Test func withoutAPlaceNothingHappens() throws {
    Probe.use(folder: URL(fileURLWithPath: "/nowhere"))
    let run = Probe.timeline("weather", "systemSmall")
    run.done(next: nil, source: .error)
    Probe.tapped()
    #expect(Probe.problem == .cannotOpen(ENOENT))
    #expect(run.queryItem == nil && Probe.lines().isEmpty && Probe.summary().entries.isEmpty)
  }

  @Test func aSummaryHoldsWholeDaysAlone() throws {
    let sample = try Sample()
    Probe.use(folder: sample.folder)
    Probe.timeline("weather", "systemSmall").done(next: nil, source: .network)
    #expect(Probe.summary().entries.isEmpty)
  }
}
