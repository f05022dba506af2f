import FleetEngine
import Foundation
import Scenario
import ScenarioFiles
import Studies
import Testing

/// Runs with and without their outages share all draws.
struct OutagePairTests {
  private static let outage = "- {name: crash, at: 2027-01-18T09:50:00Z, outage: {endpoint: api, for: 8min}}"
  private static let push =
    "- {name: news, at: 2027-01-18T08:00:00Z, push: {type: silent, audience: 50%, over: 2h, kinds: all}}"

  private static func scenario(events: [String], capacity: String = "") throws -> (Scenario, [String: ZoneTable]) {
    let text = """
      schema: widgetfleet/v1
      name: pair
      clock: {start: 2027-01-18T06:00:00Z, settle: 0s, warmup: 3h, duration: 6h, step: 10s}
      kinds:
        k:
          reload: {after: {every: 1h, zone: local}}
          on_error: {after: 5min}
          attempts: {count: 2, backoff: 30s}
          requests: [{endpoint: api}, {endpoint: other}]
          taps: {per_day: 5}
      fleet:
        devices: 300
        cohorts: [{name: all, zones: {Europe/Berlin: 50%, Asia/Kolkata: 50%}, widgets: [{kind: k}]}]
      backend: {endpoints: {api: {\(capacity)}, other: {}}}
      events:
      \(events.map { "  " + $0 + "\n" }.joined())
      """
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "pair.yaml")
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    return (scenario, zoneTables(for: scenario))
  }

  private static func result(_ scenario: Scenario, _ zones: [String: ZoneTable]) throws -> RunResult {
    let engine = try Engine(preparing: scenario, zones: zones)
    return try #require(try engine.run(threads: 2, control: RunControl()))
  }

  /// An outage without effect changes nothing, even if it comes before a push whose draws are keyed by position.
  @Test(arguments: ["", "capacity: 20/s, queue: 400"]) func emptyOutageChangesNothing(_ capacity: String) throws {
    let (last, zones) = try Self.scenario(events: [Self.push, Self.outage], capacity: capacity)
    let (never, _) = try Self.scenario(events: [Self.push], capacity: capacity)
    let (quiet, none) = (try Self.result(last.withoutOutages, zones), try Self.result(never, zones))
    #expect(quiet.replications[0].load == none.replications[0].load)
    #expect(quiet.replications[0].runCount == none.replications[0].runCount)
    #expect(Summary(of: quiet).value(.dataAge, .mean) == Summary(of: none).value(.dataAge, .mean))
  }

  /// Nothing differs before the outage starts, and something does afterwards.
  @Test(arguments: ["", "capacity: 20/s, queue: 400"]) func nothingChangesBeforeAnOutage(_ capacity: String) throws {
    let (scenario, zones) = try Self.scenario(events: [Self.outage, Self.push], capacity: capacity)
    let with = StoredRun(of: try Self.result(scenario, zones))
    let without = StoredRun(of: try Self.result(scenario.withoutOutages, zones))
    let first = (EndpointTries(of: 0, in: with), EndpointTries(of: 0, in: without))
    let begin = 3 * 60 + 50
    #expect(first.0.minutes.prefix(begin) == first.1.minutes.prefix(begin))
    #expect(first.0.minutes.prefix(begin).contains { $0.arrivals > 0 })
    #expect(first.0.minutes.suffix(from: begin) != first.1.minutes.suffix(from: begin))
    #expect(first.1.minutes.allSatisfy { $0.repeats == 0 } || !capacity.isEmpty)
  }

  /// A case that was reported: an outage of 0.01 % ten minutes before the hour at which every phone sends.
  @Test func tinyOutageDoesNotEcho() throws {
    let crumb = Self.outage.replacing("for: 8min", with: "for: 8min, errors: 0.01%")
    let (scenario, zones) = try Self.scenario(events: [crumb])
    let result = try Self.result(scenario, zones)
    let run = StoredRun(of: result)
    let engine = try Engine(preparing: scenario, zones: zones)
    let variants = VariantRuns(of: engine, zones: zones, threads: 2, control: RunControl())
    let tries = try #require(try variants.withoutOutages(scenario, engine.eventSpans))
    let comparison = try #require(
      EchoComparison(result.eventSpans[0], endpoint: 0, of: run, StoredTrials(withoutOutages: tries)))
    #expect(comparison.verdict == .noEcho)
    #expect(comparison.busiestWith == comparison.busiestWithout)
  }
}
