import Testing

/// Reports lay out figures and do not compute them: sums and quotients are in Studies and Calibration. Charts place
/// marks, texts round numbers, and files of requests write digits.
@Suite struct ReportArithmeticTests {
  /// The folders of FleetReports that may: charts and forms of numbers, and files that write counted values.
  private static let exempt: Set = ["Figures", "Text", "Export", "RequestLog", "Files", "Terminal"]

  /// The files of studies and logs that still compute. The list may only get shorter.
  private static let open: Set = [
    "Comparison/ComparedLoads.swift", "Comparison/ComparisonAnswer.swift", "Explain/ExplanationJSON.swift",
    "Explain/ExplanationText.swift", "Sweep/GoalChart.swift", "Sweep/MapSection.swift", "Sweep/SettingTable.swift",
    "Tune/TuneFigures.swift",
  ]

  @Test func onlyListedFilesCompute() throws {
    var found: Set<String> = []
    for source in try Repository().sources() where source.target == "FleetReports" {
      let path = source.path.split(separator: "/").suffix(2).joined(separator: "/")
      guard let room = path.split(separator: "/").first, !Self.exempt.contains(String(room)) else { continue }
      if Self.computes(source.text) { found.insert(path) }
    }
    #expect(found.subtracting(Self.open).isEmpty, "\(found.subtracting(Self.open).sorted()) compute")
    #expect(Self.open.subtracting(found).isEmpty, "\(Self.open.subtracting(found).sorted()) compute no longer")
  }

  /// Returns whether a line has a sum or a quotient outside comments.
  private static func computes(_ text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      let code = line.drop { $0 == " " }
      return !code.hasPrefix("//") && (code.contains("reduce(") || code.contains(" / ") && !code.contains("\" / \""))
    }
  }

  @Test func sumsAndQuotientsAreSeen() {
    #expect(Self.computes("let a = b / c") && Self.computes("let a = b.reduce(0, +)"))
    #expect(!Self.computes("// a / b\nlet a = \"b/c\""))
  }
}
