import Scenario
import Testing

@testable import ScenarioFiles

@Suite struct DiagnosticTests {
  /// The format of a diagnostic: code, location, line, caret, hint (Docs/FILES.md).
  @Test func diagnosticHasTheDocumentedFormat() {
    let text = "schema: widgetfleet/v1\nkinds: {weather: {\n    reload: {after: 2h}, jiter: 5min}\n}\n"
    let outcome = ScenarioReader.read(text: Array(text.utf8), fileName: "Scenarios/weather.yaml")
    #expect(
      outcome.diagnostics.first { $0.code == .unknownKey }?.humanText == """
        error[WF102]: unknown key 'jiter' in kind 'weather'
         --> Scenarios/weather.yaml:3:26
          |
        3 |     reload: {after: 2h}, jiter: 5min}
          |                          ^^^^^ not a key of a kind
          = help: did you mean 'jitter'?

        """)
  }

  private var unknownKey: [Diagnostic] {
    Samples.read(Samples.minimal, set: "clock={start: 2027-01-18T00:00:00Z, stp: 1s}").diagnostics
  }

  @Test func json() {
    #expect(
      unknownKey.json == """
        [
          {"code": "WF102", "severity": "error", "message": "unknown key 'stp' in 'clock'", "file": "--set argument", \
        "line": 1, "column": 37, "length": 3, "note": "not a key of 'clock'", "help": "did you mean 'step'?"}
        ]

        """)
    #expect([Diagnostic]().json == "[]\n")
  }

  @Test func gitHub() {
    let bad = "schema: widgetfleet/v1\n\"a%b\\nc\": 1\n"
    let outcome = ScenarioReader.read(text: Array(bad.utf8), fileName: "a,b:c%.yaml")
    #expect(
      outcome.diagnostics.first { $0.code == .unknownKey }?.gitHubAnnotation.hasPrefix(
        "::error file=a%2Cb%3Ac%25.yaml,line=2,col=1,endColumn=9,title=WF102::unknown key 'a%25b\\u{a}c' in the scenario"
      )
        == true)
  }

  @Test func fileNamesAreEscapedInDiagnostics() {
    let outcome = ScenarioReader.read(text: [], fileName: "a\u{1B}[31m\n.yaml")
    #expect(outcome.diagnostics.humanText.contains("--> a\\u{1b}[31m\\u{a}.yaml\n"))
  }

  /// The location is one column after the last character, however many bytes that has.
  @Test(arguments: ["e", "é", "日", "⛅"]) func unexpectedEndIsReportedAfterTheLastCharacter(character: String) {
    let outcome = ScenarioReader.read(text: Array("a: {b: 1,\n  c: {w: p, \(character)\n".utf8), fileName: "a.yaml")
    #expect(outcome.diagnostics.first.map { [$0.line, $0.column] } == [2, 14])
  }

  @Test func everyCodeIsExplained() {
    for code in Code.allCases { #expect(!code.meaning.title.isEmpty && code.meaning.meaning.count > 20, "\(code)") }
    let titles = Code.allCases.map(\.meaning.title)
    #expect(Set(titles).count == titles.count)
  }

  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("日", 2), ("ﾊ", 1), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("⛅️", 2), ("한", 2), ("\u{200B}", 0),
  ]) func widths(_ text: String, _ width: Int) { #expect(text.displayWidth == width) }

  @Test(arguments: [
    ("jiter", "jitter"), ("abckend", "backend"), ("Jitter", "jitter"), ("endpoit", "endpoint"), ("xyz", nil), ("", nil),
  ]) func spelling(_ word: String, _ meant: String?) {
    #expect(Spelling.nearest(to: word, among: ["backend", "jitter", "endpoint"]) == meant)
  }

  @Test func swappedLettersCountAsOneMistake() {
    #expect(Spelling.distance(Array("abcd"), Array("abdc")) == 1)
    #expect(Spelling.distance(Array(""), Array("abc")) == 3)
  }

  @Test func byteOrderMarkAndReturnsAreAccepted() {
    let text = "\u{FEFF}" + Samples.minimal.replacing("\n", with: "\r\n")
    #expect(Samples.read(text).scenario == Samples.read(Samples.minimal).scenario)
    #expect(Samples.read(text).scenario != nil)
  }

  @Test func locationsAreRightAfterCarriageReturns() {
    let text = Samples.minimal.replacing("cohorts:", with: "chorts:").replacing("\n", with: "\r\n")
    let diagnostic = Samples.read("\u{FEFF}" + text).diagnostics.first { $0.code == .unknownKey }
    #expect(diagnostic?.line == 9)
    #expect(diagnostic?.column == 3)
    #expect(diagnostic?.excerpt?.text == "  chorts:")
  }
}
