import Scenario
import Studies
import Testing

@testable import FleetReports

/// The terminal table: 80 columns wide, with names of any length.
struct TerminalTableTests {
  private func lines(_ change: (inout ExampleReport) -> Void = { _ in }) -> [String] {
    var example = ExampleReport()
    change(&example)
    return String(decoding: summaryTable(of: example.report), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func everyLineFitsInto80Columns() {
    for line in lines() { #expect(line.displayWidth <= 80, "\(line)") }
  }

  @Test func wideCellMovesToASecondLine() {
    let rows = [
      ["", "value", "", "bracket", "asserts"], ["a", "1", "x", "2 to 3", String(repeating: "long ", count: 16)],
    ]
    let lines = alignedLines(rows, numberColumns: [1])
    #expect(lines.allSatisfy { $0.displayWidth <= 80 })
    #expect(lines[0].hasSuffix("bracket"))
    #expect(lines[1].hasPrefix("a      1  x  2 to 3"))
    #expect(lines[2].hasPrefix("      asserts: long long"))
    #expect(lines.dropFirst(2).joined().components(of: "long") == 16)
  }

  @Test func numbersStayAlignedBesideWideNames() {
    let rows = [["", "value"], ["日本", "1"], ["abc", "10"], ["👩‍👩‍👧e\u{301}", "100"]]
    let lines = alignedLines(rows, numberColumns: [1])
    #expect(Set(lines.map(\.displayWidth)) == [11])
  }

  @Test func longNamesLoseTheirMiddle() {
    let name = String(repeating: "名", count: 60)
    let lines = alignedLines([["", "value"], [name, "1"]], numberColumns: [1])
    #expect(lines[1].displayWidth <= 80)
    #expect(lines[1].contains("名...名"))
  }

  @Test func foldingKeepsNumbersAndBreaksLongWords() {
    let text = String(repeating: "x", count: 75) + " 20\u{202F}000"
    #expect(folded(text) == [String(repeating: "x", count: 75), "  20 000"])
    let word = String(repeating: "y", count: 200)
    #expect(folded(word).allSatisfy { $0.count <= 80 })
    #expect(folded(word).joined().filter { $0 == "y" }.count == 200)
    #expect(folded("") == [""])
    let facts = "500\u{202F}000 devices (20\u{202F}000 simulated) · 1 day from 2027-01-18 00:00:00 UTC · 1 replication"
    #expect(foldedFacts(facts).last == "  1 replication")
    #expect(foldedFacts("2 devices · 1 day") == ["2 devices, 1 day"])
  }
}

extension String {
  fileprivate func components(of word: String) -> Int { ranges(of: word).count }
}
