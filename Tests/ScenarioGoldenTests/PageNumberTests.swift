import FleetEngine
import Foundation
import Scenario
import SimulationKernel
import Studies
import Testing

@testable import FleetReports

/// Every number on a page is in a row of the summary or an input of the scenario.
struct PageNumberTests {
  static let scenarios: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Trial.scenarioFolder.path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// A standalone number with three or more digits, and the position of its last nonzero digit. With fewer digits it
  /// would match one of the many rows by chance.
  private struct Shown {
    var text: String
    var value: Double
    var precision: Double

    init?(_ text: Substring) {
      let digits = text.replacing("\u{202F}", with: "")
      let significant = digits.replacing(".", with: "").drop { $0 == "0" }
      guard significant.count >= 3, let value = Double(digits) else { return nil }
      self.text = String(text)
      self.value = value
      let decimals = digits.split(separator: ".").dropFirst().first?.count ?? 0
      let zeros = decimals > 0 ? 0 : digits.reversed().prefix { $0 == "0" }.count
      precision = pow(10, Double(zeros - decimals))
    }

    func isRounded(_ exact: Double) -> Bool { abs(exact - value) <= 0.501 * precision }
  }

  /// Returns the numbers in a text, except times, dates and parts of names.
  private func numbers(_ text: String) -> [Shown] {
    text.matches(of: /(?:^|[^\w:.\-])(\d[\d\u{202F}]*(?:\.\d+)?)(?!\w|[:\-.\u{202F}]\d)/).compactMap { Shown($0.1) }
  }

  /// Returns the values of rows in all units that a page may use.
  private func values(_ content: ReportContent) -> [Double] {
    let rows = content.summary.rows.flatMap { row -> [Double?] in
      [
        row.value, row.prompt, row.lazy, row.interval.map { .real($0.low) }, row.interval.map { .real($0.high) },
        row.halfWidth.map { .real($0) }, row.replications(within: 0.05).map { .real($0) },
      ].map { $0?.approximate }
    }
    let counts = [
      Double(content.run.devicesSimulated), Double(FollowedPhones.every(of: content.run.devicesSimulated)),
    ]
    let goals = content.goals.compactMap(\.limit)
    return (rows.compactMap { $0 } + goals + counts).filter { $0 != 0 }.map(abs)
  }

  private static let units = [1.0, 100, 1_000, 1e6, 60, 1.0 / 60, 1.0 / 3_600, 1.0 / 86_400, 1e-3, 1e-6, 1e-9, 1e-12]

  /// Returns the page of a scenario from the Scenarios folder, with few phones and no bracket.
  private func content(_ name: String) throws -> ReportContent {
    let result = try Trial(name, devices: 100).result
    let summary = Summary(of: result)
    let provenance = Provenance(version: "", resolvedScenario: "")
    return Report(
      result: result, summary: summary,
      goals: result.scenario.goals.map { GoalResult($0, summary, Bracket(summaries: [:])) }, provenance: provenance
    ).content
  }

  /// Verdicts and findings have at most 25 words per sentence, not counting numbers.
  @Test(arguments: scenarios) func verdictsAndFindingsUseShortSentences(_ name: String) throws {
    let content = try content(name)
    for text in [RunVerdictText(content).line] + FindingText.all(content).map(\.sentence) {
      for sentence in plain(text).split(separator: /[.!?] (?=[A-Z0-9])/) {
        let words = sentence.split(separator: " ").filter { $0.contains(where: \.isLetter) }
        #expect(words.count <= 25, "\(sentence)")
      }
    }
  }

  @Test(arguments: scenarios) func everyPageNumberComesFromARow(_ name: String) throws {
    let content = try content(name)
    let known = values(content)
    let file = try String(contentsOf: Trial.scenarioFolder.appending(path: name + ".yaml"), encoding: .utf8)
    let inputs = file.matches(of: /\d[\d_]*(?:\.\d+)?/).compactMap { Double($0.0) }
    let candidates = (known + inputs).flatMap { value in Self.units.map { value * $0 } }
    for section in reportSections(of: content) where !["assumptions", "repeat", "glossary"].contains(section.id) {
      for shown in numbers(section.answer) {
        let isKnown = candidates.contains(where: shown.isRounded)
        #expect(isKnown, "\(section.id): \(shown.text) in: \(section.answer)")
      }
    }
  }

  /// The pattern finds numbers but not times, dates or names.
  @Test func numbersAreFound() {
    let text = "At 19:30 of 2027-01-18 web-100 sends 12\u{202F}345 requests, 1.25 MB, 99 %."
    #expect(numbers(text).map(\.value) == [12_345, 1.25])
  }
}
