import FleetEngine
import Foundation
import Scenario
import ScenarioFiles
import Studies
import Testing

/// The days of three phones on a page, compared with the rows of all phones.
struct TypicalPhoneTests {
  private static let text = """
    schema: widgetfleet/v1
    name: phones
    clock: {start: 2027-01-18T00:00:00Z}
    run: {seed: 1}
    kinds:
      news: {reload: {after: 30min}, requests: [{endpoint: api}]}
      weather: {reload: {after: 1h}, requests: [{endpoint: api}]}
    fleet:
      devices: 60
      cohorts: [{name: all, zones: {UTC: 100%}, widgets: [{kind: news}, {kind: weather}]}]
    backend: {endpoints: {api: {}}}
    """

  /// 60 phones, counted from 0 by their refreshes: the 30th (29.5 rounded), the 56th and the last.
  @Test func typicalPhonesHaveTheirRanks() throws {
    let outcome = ScenarioReader.read(text: Array(Self.text.utf8), fileName: "x.yaml", settings: [])
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    let result = try #require(try engine.run(threads: 2, control: RunControl()))
    let table = result.replications[0].devices
    var runs: [Int: Int64] = [:]
    for row in 0..<table.rowCount {
      runs[Int(table[row, .device]), default: 0] += Cause.allCases.reduce(0) { $0 + table[row, runs: $1] }
    }
    let ascending = runs.values.sorted()
    let phones = try TypicalPhone.all(result, engine)
    #expect(phones.map(\.place) == [.p50, .p95, .max])
    for (phone, place) in zip(phones, [30, 56, 59]) {
      #expect(Int64(phone.refreshes.count) == ascending[place] && runs[phone.device] == ascending[place])
      #expect(phone.refreshes.allSatisfy { $0.at >= .start && $0.at < scenario.clock.end })
    }
  }

  @Test func missingRowsGiveNoTypicalPhones() throws {
    let outcome = ScenarioReader.read(text: Array(Self.text.utf8), fileName: "x.yaml", settings: [])
    let scenario = try #require(outcome.scenario)
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    var result = try #require(try engine.run(threads: 1, control: RunControl()))
    result.replications[0].devices = DeviceTable()
    #expect(try TypicalPhone.all(result, engine).isEmpty)
  }
}
