import Foundation
import Testing

@testable import ScenarioFiles

/// Times on the clocks of Berlin, which is one hour ahead of UTC, and two from 29 March to 25 October 2026.
struct LocalTimesTests {
  private static func milliseconds(_ text: String) throws -> Int64 {
    Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1_000)
  }

  @Test(arguments: [
    ("2026-01-18T12:00:00Z", "2026-01-18T11:00:00Z"), ("2026-07-18T12:00:00Z", "2026-07-18T10:00:00Z"),
    ("2026-03-29T01:59:59Z", "2026-03-29T00:59:59Z"), ("2026-03-29T03:00:00Z", "2026-03-29T01:00:00Z"),
    ("2026-10-25T01:59:59Z", "2026-10-24T23:59:59Z"), ("2026-10-25T03:00:00Z", "2026-10-25T02:00:00Z"),
  ])
  func localTimesBecomeInstants(_ local: String, _ instant: String) throws {
    let times = try #require(LocalTimes(zone: "Europe/Berlin"))
    #expect(times.instant(of: try Self.milliseconds(local)) == (try Self.milliseconds(instant)))
  }

  @Test(arguments: ["2026-03-29T02:00:00Z", "2026-03-29T02:59:59Z", "2026-10-25T02:00:00Z", "2026-10-25T02:59:59Z"])
  func skippedAndRepeatedTimesHaveNoInstant(_ local: String) throws {
    let times = try #require(LocalTimes(zone: "Europe/Berlin"))
    #expect(times.instant(of: try Self.milliseconds(local)) == nil)
  }

  @Test func offsetsAreNotZones() { #expect(LocalTimes(zone: "+02:00") == nil && LocalTimes(zone: "UTC") != nil) }
}
