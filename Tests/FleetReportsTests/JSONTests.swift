import Foundation
import Scenario
import Testing

@testable import FleetReports
@testable import SyntheticResults

/// The documents, read back by another parser.
struct JSONTests {
  private func parse(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(arguments: [
    "", "plain", "\"quoted\" \\ back", "line\nfeed\ttab\r", "\u{0}\u{1F}\u{7F}\u{85}", "\u{2028}\u{2029}", "</script>",
    "天気🌦",
  ])
  func stringsSurvive(_ value: String) throws {
    let text = String(decoding: JSONValue.object([("key", .string(value))]).bytes(), as: UTF8.self)
    #expect(try parse(text)["key"] as? String == value)
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
  }

  @Test func layoutIsFixed() {
    let value = JSONValue.object([
      ("whole", .integer(3)), ("broken", .number(0.5)), ("none", .number(.nan)), ("empty", .array([])),
      ("list", .array([.boolean(true), .null])),
    ])
    #expect(
      String(decoding: value.bytes(lines: 1), as: UTF8.self)
        == "{\n  \"whole\": 3,\n  \"broken\": 0.5,\n  \"none\": null,\n  \"empty\": [],\n  \"list\": [true, null]\n}\n")
  }

  @Test func summaryHoldsTheRowsOfTheTable() throws {
    let example = ExampleReport()
    let document = try parse(example.text(.summaryDocument))
    #expect(document["schema"] as? String == "widgetfleet.summary/v1")
    let rows = try #require(document["rows"] as? [[String: Any]])
    #expect(rows.count == example.lines(.summaryTable).count - 1)
    let peak = try #require(rows.first { $0["metric"] as? String == "peak_rps" && $0["window"] as? String == "1s" })
    let lows = try #require(peak["per_replication_low"] as? [Double])
    let highs = try #require(peak["per_replication_high"] as? [Double])
    let values = try #require(peak["per_replication"] as? [Double])
    #expect(values.count == 2 && zip(lows, values).allSatisfy { $0 < $1 } && zip(values, highs).allSatisfy { $0 < $1 })
    // A 10 % sample sends 40 or 42 requests in the busiest second of each minute, the fleet 400. The largest of 30
    // Poisson counts is about 440, known to within 3 % and drawn within 30.
    #expect(lows.allSatisfy { $0 > 370 } && highs.allSatisfy { $0 < 540 })
    let counted = try #require(rows.first { $0["metric"] as? String == "requests" })
    #expect((counted["per_replication_low"] as? [Double])?.isEmpty == true)
    #expect(peak["resolved"] as? Bool == false)
    #expect(peak["prompt"] is NSNull)
  }

  @Test func manifestReproducesTheRun() throws {
    let example = ExampleReport()
    let text = example.text(.manifest)
    #expect(text.hasPrefix(manifestPrefix))
    let document = try parse(text)
    #expect(document["complete"] as? Bool == true)
    #expect(document["seed"] as? Int == 42)
    #expect(document["version"] as? String == "1.2.3")
    #expect(document["resolved_scenario"] as? String == example.resolved)
    #expect(document["scenario_sha256"] as? String == SHA256.hexadecimal(of: Array(example.resolved.utf8)))
    #expect(document["files"] as? [String] == ReportFile.allCases.map(\.name))
  }
  /// Each provider is listed once, by its name and the version of its code; kinds with a policy add nothing.
  @Test func manifestNamesProvidersAndTheirVersions() throws {
    var scenario = SyntheticRun().scenario
    scenario.kinds += [scenario.kinds[0], scenario.kinds[0]]
    #expect(providers(scenario).isEmpty)
    scenario.kinds[1].follow(ProviderName("train", version: "2027-01 \"b\""))
    for kind in [0, 3] { scenario.kinds[kind].follow(ProviderName("flight", version: "7")) }
    let document = try parse(String(decoding: JSONValue.object(providers(scenario)).bytes(lines: 1), as: UTF8.self))
    #expect(document as? [String: [String: String]] == ["providers": ["flight": "7", "train": "2027-01 \"b\""]])
    var example = ExampleReport()
    example.run.providers = ["weather": ProviderName("flight", version: "7")]
    #expect(try parse(example.text(.manifest))["providers"] as? [String: String] == ["flight": "7"])
  }
}
