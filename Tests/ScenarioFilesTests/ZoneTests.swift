import Scenario
import SimulationKernel
import Testing

@testable import ScenarioFiles

@Suite struct ZoneTests {
  private func tables(start: String, zones: String) throws -> [String: ZoneTable] {
    let text = Samples.minimal.replacing("2027-01-18T00:00:00Z", with: start)
      .replacing("{Europe/Berlin: 100%}", with: zones)
    return zoneTables(for: try #require(Samples.read(text).scenario))
  }

  @Test func berlinIn2027() throws {
    let table = try #require(
      try tables(start: "2027-03-01T00:00:00Z", zones: "{Europe/Berlin: 100%}")["Europe/Berlin"])
    let summer = try CalendarText.instant("2027-03-28T01:00:00Z") - CalendarText.instant("2027-03-01T00:00:00Z")
    #expect(table.segments.map(\.offset) == [.hours(1), .hours(2), .hours(1), .hours(2)])
    #expect(table.segments[0].from == .longAgo)
    #expect(table.segments[1].from == .start + .milliseconds(summer))
  }

  @Test func oddZones() throws {
    let tables = try tables(
      start: "2027-01-01T00:00:00.5Z",
      zones: "{UTC: 25%, Asia/Kolkata: 25%, Australia/Lord_Howe: 25%, Africa/Casablanca: 25%}")
    #expect(tables["UTC"]?.segments.map(\.offset) == [.zero])
    #expect(tables["Asia/Kolkata"]?.segments.map(\.offset) == [.minutes(330)])
    #expect(tables["Australia/Lord_Howe"]?.segments.prefix(2).map(\.offset) == [.hours(11), .minutes(630)])
    #expect(tables["Africa/Casablanca"].map { $0.segments.count >= 3 } == true)
  }

  @Test func zonesNamedByPoliciesGetTables() throws {
    let scenario = try #require(Samples.read(Samples.rich).scenario)
    #expect(
      zoneTables(for: scenario).keys.sorted() == [
        "America/New_York", "Asia/Tokyo", "Europe/Berlin", "Europe/London", "UTC",
      ])
  }
}
