import Scenario
import Studies
import Testing

@testable import FleetReports

/// Tables as wide as the terminal, and ranges as short as possible.
struct TerminalWidthTests {
  private let rows = [
    ["", "value", "bracket", "asserts"],
    [String(repeating: "n", count: 60), "1", "2-3", String(repeating: "long ", count: 16)],
  ]

  @Test(arguments: [40, 80, 120]) func tablesKeepToTheWidth(width: Int) {
    let lines = alignedLines(rows, numberColumns: [1], width: width)
    #expect(lines.allSatisfy { $0.displayWidth <= width }, "\(lines)")
    #expect(lines.joined().contains("nnn...nnn") == (width < 120))
  }

  /// In a pipe every row is one line, and nothing is left out.
  @Test func pipeOutputIsNotFolded() {
    let lines = alignedLines(rows, numberColumns: [1], width: Int.max)
    #expect(lines.count == 2 && lines[0].hasSuffix("asserts") && lines[1].contains(rows[1][0]))
    #expect(folded(rows[1][3], width: Int.max).count == 1)
  }

  /// Sentences 200 columns wide are hard to read: 20 words of 5 columns go on the first line, 19 on indented ones.
  @Test func sentencesAreNeverWiderThanAHundred() {
    let lines = folded(String(repeating: "word ", count: 60), width: 200)
    #expect(lines.map(\.displayWidth).max() ?? 0 <= 100 && lines.count == 4)
  }

  @Test(arguments: [
    (131_900_000.0, 136_300_000.0, "131.9–136.3\u{A0}M"), (9_512_000, 10_204_000, "9.51–10.20\u{A0}M"),
    (1_500_000, 1_500_400, "1.500\u{A0}M"), (2, 3, "2–3"), (1_200, 1_300, "1\u{202F}200–1\u{202F}300"),
    (-2, 3, "−2 to 3"), (0.5, 2_000_000_000, "0–2\u{202F}000\u{A0}M"),
  ]) func ranges(_ low: Double, _ high: Double, _ text: String) {
    #expect(CompactRange.text(low, high, beside: nil) { NumberText.text($0) } == text)
  }

  @Test(arguments: [
    ("1.2 min", "3 min", "1.2–3 min"), ("50 s", "5.6 min", "50 s–5.6 min"), ("3.1 %", "4 %", "3.1–4 %"),
    ("under 0.1 %", "0.3 %", "under 0.1 % to 0.3 %"), ("900/s", "1\u{202F}100/s", "900–1\u{202F}100/s"),
    ("05:30", "06:10", "05:30–06:10"), ("1 min 5 s", "9 s", "1 min 5 s–9 s"),
  ]) func commonUnitIsShownOnce(_ first: String, _ last: String, _ text: String) {
    #expect(CompactRange.text(1, 2, beside: nil) { $0 == 1 ? first : last } == text)
  }

  /// A range that only repeats the value is left out.
  @Test func rangeEqualToTheValueIsOmitted() {
    let text = { (value: Double) in NumberText.text(value) }
    #expect(CompactRange.text(20, 20, beside: 20, text) == "")
    #expect(CompactRange.text(20.01, 19.99, beside: 20.004, text) == "")
    #expect(CompactRange.text(20, 20, beside: 21, text) == "20")
    #expect(CompactRange.bracket([.whole(3), .whole(3), .whole(3)], text) == "")
    #expect(CompactRange.bracket([.whole(3), nil, nil], text) == "")
    #expect(CompactRange.bracket([.whole(3), .whole(2), .whole(5)], text) == "2–5")
  }

  // MARK: Sample sizes

  @Test func verdictStatesTheNumberOfPhones() {
    var scenario = Scenario()
    scenario.clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .days(3), step: .second)
    scenario.fleet.devices = 5_000_000
    scenario.run.simulate = .auto
    // Without widgets over three days: 6 M / 3, and 1.5 M / 3 with --quick.
    #expect(
      SampleWords.afterVerdict(scenario)
        == "2\u{202F}000\u{202F}000 of 5\u{202F}000\u{202F}000 phones were simulated (--full: all)"
    )
    scenario.run.simulate = .quick
    #expect(SampleWords.afterVerdict(scenario).hasPrefix("a first look at 500\u{202F}000 of"))
    scenario.run.simulate = .count(500_000)
    #expect(SampleWords.afterVerdict(scenario).hasPrefix("500\u{202F}000 of"))
    scenario.run.simulate = .all
    #expect(SampleWords.afterVerdict(scenario) == "")
  }

  /// A run with timestamps has them in its page's command and in its folder's manifest.
  @Test func timestampsAreInTheManifestAndTheCommand() throws {
    var report = ExampleReport().report
    let command = { (report: Report) in String(decoding: ReportFile.page.bytes(of: report), as: UTF8.self) }
    #expect(!command(report).contains("--timestamps"))
    #expect(ManifestLines(ReportFile.manifest.bytes(of: report))["timestamps"] == nil)
    report.hasTimestamps = true
    #expect(command(report).contains(/widgetfleet run scenario.yaml( --[a-z-]+)* --timestamps/))
    #expect(ManifestLines(ReportFile.manifest.bytes(of: report))["timestamps"] == "true")
  }
}
