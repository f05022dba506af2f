import FleetEngine
import FleetReports
import Scenario
import ScenarioFiles
import Studies
import Testing

/// Three million phones that send on the hour through a CDN to servers with 2 500/s, which others also use: loads by
/// name.
@Suite struct EdgeAndOriginTests {
  private static let text = """
    schema: widgetfleet/v1
    name: edge
    clock: {start: 2027-01-18T10:00:00Z, warmup: 2h, duration: 3h}
    run: {simulate: 6k}
    kinds: {forecast: {reload: {after: {every: 1h}}, requests: [{endpoint: api}]}}
    fleet:
      devices: 3M
      cohorts:
        - name: all
          person: {unlocks_per_day: 0}
          zones: {Europe/Berlin: 100%}
          network: wifi
          widgets: [{kind: forecast}]
    os: {idle: none, budget: {model: off}}
    backend:
      endpoints:
        api:
          capacity: 2500/s
          base_load: {rate: 900/s, zone: UTC, hours: flat}
          cdn: {keys: 800, ttl: 60s, collapsing: true}
    goals:
      - {id: edge, assert: "peak_rps{endpoint=api, window=1min} <= 2500/s"}
      - {id: servers, assert: "server_peak_rps{endpoint=api, window=1min} <= 2500/s"}

    """

  private func read(_ settings: String...) -> ScenarioReader.Outcome {
    ScenarioReader.read(
      text: Array(Self.text.utf8), fileName: "edge.yaml", settings: settings.map { SetArgument($0) }
    ).withLoadLints
  }

  private func report() throws -> Report {
    let outcome = read()
    let scenario = try #require(outcome.scenario, "\(outcome.diagnostics.humanText)")
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario))
    let result = try #require(try engine.run(threads: 2, control: RunControl()))
    let summary = Summary(of: result)
    let goals = scenario.goals.map { GoalResult($0, summary, nil) }
    return Report(
      result: result, summary: summary, goals: goals, provenance: Provenance(version: "1", resolvedScenario: "{}"))
  }

  /// There is a warning about the goal on the phones' load, which suggests the other goal.
  @Test func goalOnPhoneLoadGivesAWarning() throws {
    let warnings = read().warnings
    #expect(warnings.map(\.code) == [.goalOfOtherLoad], "\(warnings.humanText)")
    #expect(warnings[0].sentence.contains("goal 'edge' compares the load at the CDN with the server capacity"))
    #expect(warnings[0].advice?.text.contains("\"server_peak_rps{endpoint=api, window=1min} <= 2500/s\"") == true)
  }

  /// 3 M requests within at least 15 min are at most 3 333/s. Each of 800 keys that stay fresh for a minute is fetched
  /// at most twice in any minute: 900 + 2 x 800 / 60 = 927/s.
  @Test func serverGoalPassesAndPhoneGoalFails() throws {
    let report = try report()
    let (edge, servers) = (report.goals[0], report.goals[1])
    #expect(edge.verdict == .fail && servers.verdict == .pass, "\(report.goals)")
    #expect(try #require(edge.value?.approximate) > 2_900)
    #expect((900...927).contains(try #require(servers.value?.approximate)))
  }

  @Test func everyOutputNamesTheServersFirst() throws {
    let report = try report()
    let table = String(decoding: summaryTable(of: report), as: UTF8.self)
    let lines = table.split(separator: "\n").filter { $0.contains("peak, 1min") }
    #expect(lines.count == 2 && lines[0].hasPrefix("servers:") && lines[1].hasPrefix("CDN:"), "\(table)")
    #expect(table.contains("servers: requests received, base load included, against a capacity of 2 500"))
    let page = String(decoding: ReportFile.page.bytes(of: report), as: UTF8.self)
    let plain = page.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    let tiles = try #require(section("tiles", of: plain))
    let servers = try #require(tiles.firstRange(of: "at the servers, base load included"), "\(tiles)")
    let phones = try #require(tiles.firstRange(of: "at the CDN"), "\(tiles)")
    #expect(servers.lowerBound < phones.lowerBound)
    let capacity = plain.matches(of: #/[\d.]+ requests per second at the servers, base load included covers every /#)
    #expect(capacity.count == 1)
    // The goals on the page and terminal name their loads too.
    #expect(plain.contains("peak_rps{endpoint=api, window=1min} &lt;= 2500/s (at the CDN)"))
    #expect(table.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("<= 2500/s (at the servers,"))
  }

  private func section(_ name: String, of page: String) -> Substring? {
    page.firstRange(of: "class=\"\(name)\"").flatMap { start in
      page[start.upperBound...].firstRange(of: "</section>").map { page[start.upperBound..<$0.lowerBound] }
    }
  }

  /// Without the CDN, the mean of 833/s and the base load fit if spread over most of the hour; with 1 700/s of others,
  /// only rarer dates do.
  @Test func thePreCheckEndsWhenTheLoadFits() throws {
    let direct = "backend.endpoints.api.cdn=none"
    let lint = try #require(read(direct).lints.first { $0.rule == .alignedDates })
    let repair = try #require(lint.repairs.first)
    #expect(lint.repairs.count == 1 && repair.path == "kinds.forecast.jitter.up_to")
    let repaired = read(direct, repair.path + "=" + repair.value)
    #expect(!repaired.lints.contains { [.alignedDates, .meanBeyondCapacity].contains($0.rule) })
    let crowded = read(direct, "backend.endpoints.api.base_load.rate=1700/s")
    #expect(crowded.lints.contains { $0.help.hasPrefix("no jitter suffices") }, "\(crowded.warnings.humanText)")
  }
}
