import Foundation
import Scenario
import Studies
import Testing

@testable import FleetReports

/// Goals in every file, failed goals first.
struct GoalReportTests {
  private static let order = ["high,error,fail", "slow,warning,warn", "shaky,error,inconclusive", "fine,error,pass"]

  /// 26.5 +- t(0.975; 1) s / sqrt 2 = 12.706 x 0.2357 / 1.4142 = 2.118.
  @Test func rowsOfTheTable() throws {
    let lines = ExampleReport().lines(.goals)
    #expect(lines.count == 5)
    for (line, head) in zip(lines.dropFirst(), Self.order) { #expect(line.hasPrefix(head + ",")) }
    let header = lines[0].split(separator: ",")
    let high = lines[1].split(separator: ",", omittingEmptySubsequences: false)
    #expect(high.count == header.count && Set(header).count == header.count)
    let cells = Dictionary(uniqueKeysWithValues: zip(header.map(String.init), high.map(String.init)))
    #expect(cells["metric"] == "mean_rps" && cells["window"] == "1min" && cells["unit"] == "requests/s")
    #expect(cells["value"] == "26.5" && cells["limit"] == "20" && cells["lazy"] == "27")
    #expect(cells["prompt"] == cells["value"])
    #expect(abs((Double(cells["low"] ?? "") ?? 0) - (26.5 - 2.1177)) < 1e-3)
  }

  @Test func withoutGoalsThereIsAHeader() {
    var example = ExampleReport()
    example.goals = []
    #expect(example.lines(.goals).count == 1)
    #expect(!example.text(.page).contains("Are the goals met?"))
    #expect(!String(decoding: summaryTable(of: example.report), as: UTF8.self).contains("asserts"))
  }

  @Test func goalsAreInTheDocument() throws {
    let object = try JSONSerialization.jsonObject(with: Data(ExampleReport().text(.summaryDocument).utf8))
    let goals = try #require((object as? [String: Any])?["goals"] as? [[String: Any]])
    #expect(goals.map { $0["verdict"] as? String } == ["fail", "warn", "inconclusive", "pass"])
    #expect(goals[0]["explanation"] is NSNull)
    #expect((goals[2]["explanation"] as? String)?.contains("includes the limit") == true)
    #expect(goals[3]["depends_on"] as? [String] == [])
  }

  @Test func terminal() {
    let text = String(decoding: summaryTable(of: ExampleReport().report), as: UTF8.self)
    #expect(text.contains("\nGoals: 1 fails, 1 is missed (warning only), 1 is inconclusive, 1 passes.\n"))
    #expect(text.contains("\nfail          high   26.5/s  24.4-28.6/s    26.5-27/s"))
    #expect(text.contains("\nshaky: the 95 % interval over replications includes the limit\n"))
    #expect(text.unicodeScalars.allSatisfy { $0.isASCII })
  }

  @Test func thePageBeginsWithTheVerdict() throws {
    let page = ExampleReport().text(.page)
    let verdict = try #require(page.range(of: "id=\"verdict\""))
    let load = try #require(page.range(of: "id=\"load\""))
    #expect(verdict.lowerBound < load.lowerBound)
    #expect(page.contains("DOES NOT HOLD"))
  }

  @Test(
    arguments: [([Verdict], String)]([
      ([.pass], "The goal is met."), ([.pass, .pass], "Both goals are met."), ([.fail], "The goal fails."),
      ([.fail, .fail, .pass], "Goals: 2 fail, 1 passes."),
      ([.warn, .inconclusive, .inconclusive], "Goals: 1 is missed (warning only), 2 are inconclusive."),
    ]))
  func sentences(_ verdicts: [Verdict], _ sentence: String) {
    let results = verdicts.map { verdict -> GoalResult in
      var result = GoalResult(ExampleReport().goals[0], Summary(rows: []), nil)
      result.verdict = verdict
      return result
    }
    #expect(GoalText.sentence(results) == sentence)
  }
}
