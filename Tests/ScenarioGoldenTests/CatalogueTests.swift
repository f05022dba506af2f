import Foundation
import Scenario
import ScenarioFiles
import Testing

/// Wrong inputs as people type them, each with the first line of the response and the location.
///
/// `Catalogue/settings.txt` has --set arguments for `base.yaml`. `edits.txt` has changes `old => new` to its text (`\n`
/// and `\t` as in C). Each is followed by the indented response. `make goldens` rewrites the responses: review the
/// difference.
@Suite struct CatalogueTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Catalogue")
  private static let renews = ProcessInfo.processInfo.environment["WIDGETFLEET_RENEW_GOLDENS"] != nil

  struct Case: CustomTestStringConvertible, Sendable {
    let input: String
    let answer: String

    var testDescription: String { input }
  }

  private static func cases(_ name: String) throws -> [Case] {
    let lines = try text(name).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return stride(from: 0, to: lines.count - 1, by: 2).map { place in
      Case(input: String(lines[place]), answer: String(lines[place + 1].dropFirst(2)))
    }
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// Returns the first line and the location; empty if the input is valid.
  private static func answer(_ text: String, _ settings: [String]) -> String {
    let outcome = ScenarioReader.read(
      text: Array(text.utf8), fileName: "base.yaml", settings: settings.map { SetArgument($0) }, checksStudies: true)
    guard outcome.scenario == nil else { return "" }
    let lines = outcome.diagnostics.humanText.split(separator: "\n").prefix(2)
    return lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
  }

  private static func check(_ name: String, _ answer: (String) throws -> String) throws {
    let cases = try cases(name)
    let answers = try cases.map { try answer($0.input) }
    if renews {
      let text = zip(cases, answers).map { "\($0.input)\n  \($1)\n" }.joined()
      try Data(text.utf8).write(to: folder.appending(path: name))
      return
    }
    for (wrong, answer) in zip(cases, answers) {
      #expect(!answer.isEmpty, "\(wrong.input) is taken for right")
      #expect(answer == wrong.answer, "\(wrong.input)")
    }
  }

  @Test func settingMessagesAreUnchanged() throws {
    let base = try Self.text("base.yaml")
    #expect(Self.answer(base, []) == "", "nothing is wrong but what a case makes wrong")
    try Self.check("settings.txt") { Self.answer(base, [$0]) }
  }

  @Test func editMessagesAreUnchanged() throws {
    let base = try Self.text("base.yaml")
    try Self.check("edits.txt") { edit in
      let parts = edit.replacing("\\n", with: "\n").replacing("\\t", with: "\t").split(separator: " => ", maxSplits: 1)
      let (old, new) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      let place = try #require(base.range(of: old), "\(old)")
      return Self.answer(base.replacingCharacters(in: place, with: new), [])
    }
  }

  /// Names may contain words used in comparisons.
  @Test func namesMayHoldWords() throws {
    let base = try Self.text("base.yaml").replacing("name: phones", with: "name: phones and more")
    let goal = #"goals.peak.assert="stale_views{cohort=tablets} <= stale_views{cohort='phones and more'}""#
    #expect(Self.answer(base, [goal]) == "")
  }

  @Test func catalogueHasEnoughCases() throws {
    let names = ["settings.txt", "edits.txt"]
    let inputs = try names.flatMap { try Self.cases($0).map(\.input) }
    #expect(inputs.count >= 450 && Set(inputs).count == inputs.count)
  }
}
