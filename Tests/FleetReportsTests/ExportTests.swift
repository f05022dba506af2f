import FleetEngine
import Foundation
import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetReports

/// Load tests, series and dashboards of the example report: two endpoints, half an hour, ten devices per simulated one.
struct ExportTests {
  private static let content = ExampleReport().report.content

  private static func slice(step: TimeAmount = .minute) -> LoadSlice {
    let clock = content.run.scenario.clock
    return LoadSlice(clock, part: .start..<clock.end, step: step)
  }

  private static func test(
    _ tool: ExportTarget, factor: String = "1", isRamped: Bool = false, step: TimeAmount = .minute
  ) throws -> String {
    let factor = try #require(LoadFactor(factor))
    let plan = try #require(LoadPlan(content.run, slice(step: step), factor: factor, atServers: false))
    let bytes = LoadTest(plan, of: content, base: "http://localhost:8080", isRamped: isRamped).bytes(for: tool)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// In the first replication, each of 30 minutes has 59 seconds with 1 request and one with 20: 790 for the fleet.
  @Test(arguments: [ExportTarget.k6, .locust]) func everyStepHasItsRequests(_ tool: ExportTarget) throws {
    let text = try Self.test(tool)
    // For k6, neighbours at the same level become one piece.
    let piece = [
      ExportTarget.k6: "[1800, 790, 790]", .locust: "(60, 790, 790, 790)",
    ][tool]
    #expect(text.components(separatedBy: piece ?? "").count - 1 == (tool == .k6 ? 2 : 60))
    for endpoint in ["/api", "/images"] { #expect(text.contains(endpoint)) }
    #expect(text.contains("api: 23700 fleet requests, 23700 sent here: what phones send, including retries"))
    #expect(text.contains("http://localhost:8080") && text.hasSuffix("\n"))
    #expect(text.contains(" 100 of 1000 devices were simulated: their load, noise included, is scaled to the fleet"))
  }

  @Test func exportFactorIsNamedAndApplied() throws {
    let text = try Self.test(.locust, factor: "0.1")
    #expect(text.contains("factor 0.1.") && text.components(separatedBy: "(60, 79, 79, 79)").count == 61)
    #expect(try Self.test(.k6, factor: "0.1").contains("constant-arrival-rate"))
  }

  /// Every header stays within its comment, and every line of it within its width.
  @Test(arguments: [ExportTarget.k6, .locust]) func exportedNamesStayInsideComments(_ tool: ExportTarget) throws {
    var content = Self.content
    content.run.scenario.name = "a\nb"
    content.run.scenario.endpoints[0].name = "x'\"\n$(rm)`\\ é"
    let plan = try #require(LoadPlan(content.run, Self.slice(), factor: .one, atServers: false))
    let test = LoadTest(plan, of: content, base: "http://localhost", isRamped: false)
    let text = String(decoding: test.bytes(for: tool), as: UTF8.self)
    #expect(text.contains("/x%27%22%0A%24%28rm%29%60%5C%20%C3%A9"))
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("b") && $0.contains("load test") })
  }

  // MARK: Series

  /// Returns the names and last values of the samples, after checking that counters rise.
  private static func series(_ metrics: LoadMetrics) -> [(name: Substring, head: Substring, value: Double)] {
    String(decoding: metrics.openMetrics, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      line in
      let parts = line.split(separator: " ")
      return (line.prefix { $0 != "{" }, parts[0], Double(parts[1]) ?? .nan)
    }
  }

  @Test func openMetricsCountersEndAtTheTotals() throws {
    let samples = Self.series(LoadMetrics(of: Self.content, Self.slice()))
    for endpoint in ["api", "images"] {
      let own = samples.filter { $0.name == "widgetfleet_requests_total" && $0.head.contains("\"\(endpoint)\"") }
      #expect(own.count == 31)
      #expect(own.first?.value == 0 && own.last?.value == 23_700)
      #expect(zip(own, own.dropFirst()).allSatisfy { $1.value - $0.value == 790 })
    }
    // Two causes with 10 requests each in every minute, at the first endpoint.
    let causes = samples.filter { $0.name == "widgetfleet_cause_requests_total" }
    #expect(Set(causes.map(\.head)).count == 2 && causes.map(\.value).max() == 3_000)
  }

  @Test func openMetricsStampsAreSimulatedTime() {
    let text = String(decoding: LoadMetrics(of: Self.content, Self.slice(step: .minutes(7))).openMetrics, as: UTF8.self)
    let start = Self.content.run.scenario.clock.startUnixMilliseconds / 1_000
    let own = text.split(separator: "\n").filter { $0.hasPrefix("widgetfleet_failures_total{") && $0.contains("api") }
    let stamps = own.compactMap { $0.split(separator: " ").last.map(String.init) }
    #expect(stamps == [0, 420, 840, 1_260, 1_680, 1_800].map { String(start + $0) })
    #expect(text.hasSuffix("# EOF\n"))
  }

  /// Every series has its own panel, and no panel queries anything else.
  @Test func dashboardQueriesOnlyExportedSeries() throws {
    let metrics = LoadMetrics(of: Self.content, Self.slice())
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(metrics.grafanaDashboard)) as? [String: Any])
    let panels = try #require(document["panels"] as? [[String: Any]])
    let asked = try panels.map { panel in
      let targets = try #require(panel["targets"] as? [[String: Any]])
      let expression = try #require(targets.first?["expr"] as? String)
      let name = try #require(expression.firstMatch(of: /widgetfleet_\w+/))
      #expect(expression.contains("{scenario=\"synthetic\"}"))
      return String(name.output)
    }
    #expect(Set(asked) == Set(Self.series(metrics).map { String($0.name) }))
    #expect(Set(asked).count == asked.count && asked.count >= 3)
    #expect((document["description"] as? String)?.contains("100 of 1000 devices were simulated") == true)
    #expect((document["time"] as? [String: String])?["from"]?.hasSuffix("Z") == true)
  }

  @Test func labelsAreEscaped() {
    #expect(LoadMetrics.escaped("a\"b\\c\nd") == "a\\\"b\\\\c\\nd")
  }

  // MARK: Timestamps

  @Test func timestampsMatchTheStepNumbers() {
    var report = ExampleReport().report
    report.hasTimestamps = true
    for (file, column) in [(ReportFile.load, "time_s"), (.causes, "minute")] {
      let plain = String(decoding: file.bytes(of: ExampleReport().report), as: UTF8.self).split(separator: "\n")
      let lines = String(decoding: file.bytes(of: report), as: UTF8.self).split(separator: "\n")
      #expect(lines[0].contains(",\(column),time,"))
      let start = report.result.scenario.clock.startUnixMilliseconds
      for (line, old) in zip(lines.dropFirst(), plain.dropFirst()) {
        var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let seconds = (Int64(fields[1]) ?? -1) * (column == "minute" ? 60 : 1)
        let expected = Date(timeIntervalSince1970: Double(start / 1_000 + seconds)).ISO8601Format()
        if fields.remove(at: 2) != expected { Issue.record("\(line) is not at \(expected)") }
        if fields.joined(separator: ",") != old { Issue.record("\(line) is not \(old)") }
      }
      #expect(lines.count == plain.count)
    }
  }

  /// All rows have the same form, because readers take the type from the first ones.
  @Test func fractionalSecondsGiveMillisecondsInEveryRow() {
    let clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .hour, step: .milliseconds(500))
    let stamp = RowStamp(clock, every: clock.step)
    #expect(
      [0, 1, 2].map { String(decoding: stamp.text($0), as: UTF8.self) } == [
        "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.500Z", "1970-01-01T00:00:01.000Z",
      ])
  }
}
