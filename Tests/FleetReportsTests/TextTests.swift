import Scenario
import SimulationKernel
import Testing

@testable import FleetReports

/// The text of numbers and times for people.
struct TextTests {
  @Test(arguments: [
    (0, "0"), (64, "64"), (63.97, "64.0"), (1.005, "1.00"), (0.25, "0.250"), (0.01234, "0.0123"),
    (12_345.6, "12\u{202F}346"),
    (1_234_567, "1\u{202F}234\u{202F}567"), (99.96, "100"), (-1_234.5, "−1\u{202F}235"), (-0.5, "−0.500"),
    (1e19, "1e+19"),
    (.nan, "–"), (.infinity, "–"), (9.999, "10.0"),
  ])
  func numbers(_ value: Double, _ expected: String) { #expect(NumberText.text(value) == expected) }

  /// Up to a billion, no number on a tile is longer than nine characters.
  @Test(arguments: [
    (2_082, "2\u{202F}082"), (9_999_999, "9\u{202F}999\u{202F}999"), (72_543_950, "72.5\u{A0}M"),
    (136_400_000, "136\u{A0}M"), (3.2e9, "3\u{202F}200\u{A0}M"), (.nan, "–"),
  ])
  func shortNumbers(_ value: Double, _ expected: String) { #expect(NumberText.short(value) == expected) }

  @Test(arguments: [
    (0, "0\u{A0}%"), (1, "100\u{A0}%"), (0.005, "0.5\u{A0}%"), (0.123, "12\u{A0}%"), (0.0001, "under 0.1 %"),
    (0.99999, "over 99.9 %"),
  ])
  func shares(_ value: Double, _ expected: String) { #expect(NumberText.percent(value) == expected) }

  @Test(arguments: [("under 0.1 % of it", "Under 0.1 % of it"), ("54 % of it", "54 % of it"), ("été", "Été"), ("", "")])
  func sentencesBeginWithACapital(_ text: String, _ expected: String) { #expect(text.asSentence == expected) }

  @Test(arguments: [
    (0, "0\u{A0}bytes"), (999, "999\u{A0}bytes"), (1_000, "1\u{A0}kB"), (1_500_000, "1.50\u{A0}MB"),
    (2e15, "2\u{A0}PB"),
  ])
  func sizes(_ value: Double, _ expected: String) { #expect(NumberText.bytes(value) == expected) }

  @Test(arguments: [
    (0, "0\u{A0}s"), (90_000, "1\u{A0}min 30\u{A0}s"), (86_400_000, "1\u{A0}d"), (5_400_500, "1\u{A0}h 30\u{A0}min"),
    (250, "250\u{A0}ms"),
  ])
  func spans(_ milliseconds: Int64, _ expected: String) {
    #expect(TimeText.span(.milliseconds(milliseconds)) == expected)
  }

  @Test(arguments: [
    (0, "1970-01-01 00:00:00 UTC"), (951_782_399_000, "2000-02-28 23:59:59 UTC"),
    (951_825_600_000, "2000-02-29 12:00:00 UTC"),
    (1_800_230_400_000, "2027-01-18 00:00:00 UTC"), (-1_000, "1969-12-31 23:59:59 UTC"),
    (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
  ])
  func dates(_ milliseconds: Int64, _ expected: String) {
    let clock = Clock(startUnixMilliseconds: milliseconds, warmup: .zero, duration: .day, step: .second)
    #expect(UTCTime(.start, of: clock).full == expected)
  }

  @Test(arguments: [
    (0, "0"), (-0.04, "0"), (0.05, "0.1"), (-0.05, "-0.1"), (12, "12"), (12.34, "12.3"), (-12.36, "-12.4"),
    (100.02, "100"), (959.96, "960"),
  ])
  func coordinates(_ value: Double, _ expected: String) { #expect(place(value) == expected) }

  @Test(arguments: [
    ("1.50", "1.5"), ("1.00", "1"), ("100", "100"), ("0.0", "0"), ("−0.250", "−0.25"),
    ("1\u{202F}000.10", "1\u{202F}000.1"),
  ])
  func zerosAtTheEnd(_ text: String, _ expected: String) { #expect(NumberText.trimmed(text) == expected) }

  /// Plain text is appended as a whole, other text piece by piece, with the same result.
  @Test(arguments: ["", "M1 2V3", "a<b", "über", "\"", "tab\t", "\u{7F}", "~ "])
  func plainTextIsAppendedWhole(_ text: String) {
    var buffer = TextBuffer()
    let isPlain = text.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) && $0 != "<" && $0 != "\"" }
    #expect(buffer.append(plain: text, except: "<\"") == isPlain)
    #expect(buffer.bytes == (isPlain ? Array(text.utf8) : []))
  }

  @Test func tableForTerminalsIsPlain() {
    let text = String(decoding: summaryTable(of: ExampleReport().report), as: UTF8.self)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 && $0.last != " " })
    #expect(text.contains("not resolved by the sample"))
  }
}
