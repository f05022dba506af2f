import FleetReports
import Foundation
import Scenario
import ScenarioFiles
import Testing

@testable import FleetEngine
@testable import Studies

/// The number widths of MODEL.md 10: a scenario just inside is simulated, counted and read back; one just outside is
/// refused.
struct AccountLimitTests {
  private static let text = """
    schema: widgetfleet/v1
    name: edge
    clock: {start: 2027-01-18T00:00:00Z, settle: 0s}
    run: {simulate: 4}
    radios:
      own:
        promotion: {length: 1min, power: 20W}
        active: 20W
        down: 1000mW/Mbps
        up: 1000mW/Mbps
        tails: [{length: 1h, power: 20W}]
        round_trip: 10s
    kinds:
      film:
        reload: {after: 30min}
        requests: [{endpoint: api, count: 1, down: 10GB}]
    fleet:
      devices: 1000
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          network: own
          widgets: [{kind: film}]
    """

  private static func outcome(_ settings: [String]) -> ScenarioReader.Outcome {
    ScenarioReader.read(text: Array(text.utf8), fileName: "edge.yaml", settings: settings.map { SetArgument($0) })
  }

  /// A limit, settings close to it, and the key that exceeds it at some value up to 1 000.
  struct Edge: Sendable, CustomTestStringConvertible {
    var limit: AccountLimit
    var settings: [String]
    var key = "kinds.film.requests.0.count"

    var testDescription: String { "\(limit)" }
  }

  @Test(arguments: [
    Edge(limit: .bytes, settings: ["run.simulate=40", "kinds.film.attempts.count=16", "fleet.cohorts.0.network=wifi"]),
    Edge(limit: .energy, settings: ["clock.duration=2d"]),
    Edge(
      limit: .requests,
      settings: [
        "fleet.devices=1G", "kinds.film.attempts.count=16", "clock.duration=3d", "fleet.cohorts.0.network=wifi",
        "kinds.film.requests.0.down=1kB",
      ]),
  ])
  func valuesAtTheLimitRunAndBeyondAreRefused(_ edge: Edge) throws {
    func isAccepted(_ count: Int) -> Bool { Self.outcome(edge.settings + ["\(edge.key)=\(count)"]).scenario != nil }
    var (inside, outside) = (1, 1_000)
    #expect(isAccepted(inside) && !isAccepted(outside))
    while outside - inside > 1 {
      let middle = (inside + outside) / 2
      if isAccepted(middle) { inside = middle } else { outside = middle }
    }
    let refused = Self.outcome(edge.settings + ["\(edge.key)=\(outside)"]).diagnostics
    #expect(refused.map(\.code) == [.beyondAccount] && refused.allSatisfy { $0.line != nil && $0.help != nil })

    let scenario = try #require(Self.outcome(edge.settings + ["\(edge.key)=\(inside)"]).scenario)
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    let result = try #require(try engine.run(threads: 2, control: RunControl()), "its counts agree")
    let report = Report(
      result: result, summary: Summary(of: result),
      provenance: Provenance(version: "1", resolvedScenario: scenario.resolvedText))
    let read = try RunFile(ReportFile.run.bytes(of: report), version: "1") { text in
      ScenarioReader.read(text: Array(text.utf8), fileName: "a").scenario
    }.content.run
    let isTheSame = read == StoredRun(of: result)
    #expect(isTheSame, "what was written is read")
  }

  /// Each limit with the key that determines it.
  @Test(arguments: [
    (
      ["kinds.film.taps={per_day: 10000, burst: 1000}", "fleet.cohorts.0.widgets=[\(many)]"], "kinds.film.taps.per_day"
    ),
    (["fleet.cohorts.0.person.unlocks_per_day={lognormal: {median: 60, sigma: 10}}"], "unlocks_per_day"),
    (["run.simulate=all", "fleet.devices=1G", "clock.duration=399d"], "fleet.devices"),
    (["run.simulate=1G", "fleet.devices=1G", "clock.duration=399d"], "run.simulate"),
    (["kinds.film.requests.0.count=1000", "kinds.film.attempts.count=16", "clock.duration=399d"], "requests"),
    (
      [
        "kinds.film.reload.after=1ms",
        "os={min_spacing: 0s, start_delay: {policy: 0s, in_use: 0s}, "
          + "budget: {model: off}}", "kinds.film.cpu=0s",
      ], "kinds.film.reload"
    ),
  ])
  func limitingKeyIsNamed(_ settings: [String], _ key: String) throws {
    let outcome = Self.outcome(settings)
    let problem = try #require(outcome.diagnostics.first, "accepted")
    #expect(problem.code == .beyondAccount, "\(outcome.diagnostics.humanText)")
    let excesses = problem.excerpt.map { $0.text } ?? ""
    let word = key.split(separator: ".").last.map(String.init) ?? key
    #expect(excesses.contains(word) || outcome.diagnostics.humanText.contains(word), "\(outcome.diagnostics.humanText)")
  }

  private static let many = Array(repeating: "{kind: film}", count: 64).joined(separator: ", ")

  /// A hundred times anything plausible is still accepted.
  @Test func plausibleFleetsAreFarBelowTheLimits() throws {
    let outcome = Self.outcome([
      "fleet.devices=1G", "run.simulate=10M", "clock.duration=30d", "kinds.film.requests.0={endpoint: api, down: 1MB}",
      "kinds.film.attempts.count=4", "kinds.film.taps={per_day: 40}", "fleet.cohorts.0.network=lte-2012",
    ])
    #expect(outcome.scenario != nil, "\(outcome.diagnostics.humanText)")
  }
}
