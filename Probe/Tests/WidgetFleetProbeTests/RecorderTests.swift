import Foundation
import Testing

@testable import WidgetFleetProbe

@Suite struct RecorderTests {
  /// A timeline requests the next run in 15 minutes, and that run starts 100 s late.
  @Test func latenessIsExact() throws {
    let sample = try Sample()
    try sample.run(next: 900)
    sample.wait(seconds: 1_000)
    try sample.run()
    let records = try sample.records
    #expect(records.map(\.lateness) == [nil, 100_000])
    #expect(records.map(\.cause) == [.other, .scheduled])
    #expect(records.map(\.sequence) == [1, 2])
    #expect(records[0].length == 500)
    #expect(records[0].nextDue == records[1].due)
    #expect(records[0].end == 1_000_500)
    #expect(records[0].dataAge == 0)
  }

  @Test func aDueDateOfTheAppGoesFirst() throws {
    let sample = try Sample()
    try sample.run(next: 900)
    sample.wait(seconds: 10)
    try sample.run(due: 1_000_000)
    #expect(try sample.records.last?.lateness == 10_500)
  }

  @Test func aRunThatComesEarlyHasAnotherCause() throws {
    let sample = try Sample()
    try sample.run(next: 900)
    sample.wait(seconds: 300)
    try sample.run()
    #expect(try sample.records.last?.lateness == -600_000)
    #expect(try sample.records.last?.cause == .other)
  }

  @Test(arguments: [(ProbeRecord.Event.call, ProbeRecord.Cause.call), (.tap, .tap), (.push, .push)])
  func aMarkExplainsRunsForAMinute(event: ProbeRecord.Event, cause: ProbeRecord.Cause) throws {
    let sample = try Sample()
    try sample.run(next: 1)
    sample.wait(seconds: 100)
    try sample.recorder.note(event)
    sample.wait(seconds: 60)
    try sample.run()
    sample.wait(seconds: 0.001)
    try sample.run()
    let causes = try sample.records.filter { $0.event == .run }.map(\.cause)
    #expect(causes == [.other, cause, .other])
  }

  @Test func aMarkOfAnotherKindExplainsNothing() throws {
    let sample = try Sample()
    try sample.recorder.note(.tap, kind: "news")
    try sample.run("weather")
    try sample.run("news")
    #expect(try sample.records.suffix(2).map(\.cause) == [.other, .tap])
  }

  @Test func theNewestMarkCounts() throws {
    let sample = try Sample()
    try sample.recorder.note(.push)
    try sample.recorder.note(.call, reason: .changed)
    try sample.run()
    #expect(try sample.records.last?.cause == .call)
    #expect(try sample.records[1].reason == .changed)
  }

  @Test func familiesAndConfigurationsAreWidgetsOfTheirOwn() throws {
    let sample = try Sample()
    var widget = Sample.widget("weather")
    _ = try sample.recorder.begin(widget, due: nil)
    widget.family = "systemLarge"
    _ = try sample.recorder.begin(widget, due: nil)
    widget.configuration = "Berlin"
    _ = try sample.recorder.begin(widget, due: nil)
    _ = try sample.recorder.begin(widget, due: nil)
    #expect(Set(try sample.records.map(\.instance)).count == 3)
    #expect(try sample.records.map(\.sequence) == [1, 1, 1, 2])
  }

  @Test func theSameWidgetHasAnotherHashInAnotherInstallation() throws {
    let (one, other) = (try Sample(), try Sample())
    for _ in 0..<2 {
      try one.run()
      try other.run()
    }
    #expect(Set(try one.records.map(\.instance) + other.records.map(\.instance)).count == 2)
  }

  @Test func aRunThatIsKilledStaysUnfinished() throws {
    let sample = try Sample()
    _ = try sample.recorder.begin(Sample.widget("weather"), due: nil)
    try sample.run()
    #expect(try sample.records.map(\.outcome) == [.unfinished, .network])
    #expect(try sample.records[0].end == nil)
  }

  /// A run's record has been overwritten by the time the run ends; the record of the other event must stay.
  @Test func anEndAfterAWholeLapChangesNothing() throws {
    let sample = try Sample()
    let begun = try sample.recorder.begin(Sample.widget("weather"), due: nil)
    for _ in 0..<1_600 { try sample.recorder.note(.tap) }
    let before = try sample.records
    try sample.recorder.end(begun, .init(outcome: .network))
    #expect(try sample.records == before)
  }

  @Test func datesFarAwayStandForNone() throws {
    let sample = try Sample()
    try sample.run(next: 1e9)
    #expect(try sample.records.last?.next == nil)
    sample.wait(seconds: 1e8)
    let run = try sample.recorder.begin(Sample.widget("weather"), due: 0)
    #expect(run.lateness == nil)
    try sample.recorder.end(run, .init(outcome: .network, next: .max, dataTime: .min / 2))
    #expect(try sample.records.last?.next == nil)
    #expect(try sample.records.last?.dataAge == 65_534)
  }

  /// A full ring without the widget, so that all of it must be searched.
  @Test func aHookTakesLessThanAMillisecond() throws {
    let sample = try Sample()
    for _ in 0..<1_600 { try sample.recorder.note(.tap, kind: "weather") }
    sample.wait(seconds: 3_600)
    let (recorder, clock) = (sample.recorder, ContinuousClock())
    var begins: [Duration] = []
    var ends: [Duration] = []
    for number in 0..<100 {
      var begun: ProbeRecord?
      begins.append(try clock.measure { begun = try recorder.begin(Sample.widget("rare", "\(number)"), due: nil) })
      let run = try #require(begun)
      ends.append(try clock.measure { try recorder.end(run, .init(outcome: .network)) })
    }
    print("begin: \(begins.sorted()[50]), end: \(ends.sorted()[50]) (medians)")
    #expect(ends.sorted()[50] < .milliseconds(1))
    // The search takes longer only without optimization.
    #if !DEBUG
      #expect(begins.sorted()[50] < .milliseconds(1))
    #endif
  }
}
