import Testing

/// Reports lay out figures but do not compute them: sums and quotients belong in Studies and Calibration. Charts place
/// marks, texts round numbers, and request logs write digits.
@Suite struct ReportArithmeticTests {
  /// The folders of FleetReports that may compute: charts, number formats, and files that write counted values.
  private static let exempt: Set = ["Figures", "Text", "Export", "RequestLog", "Files", "Terminal"]

  @Test func reportFilesContainNoArithmetic() throws {
    for source in try Repository().sources() where source.target == "FleetReports" {
      let room = source.path.split(separator: "/").dropLast().last.map(String.init) ?? ""
      #expect(Self.exempt.contains(room) || !Self.computes(source.text), "\(source.path) computes")
    }
  }

  /// Returns whether any line has a sum or quotient outside comments.
  private static func computes(_ text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      let code = line.drop { $0 == " " }
      return !code.hasPrefix("//") && (code.contains("reduce(") || code.contains(" / ") && !code.contains("\" / \""))
    }
  }

  @Test func sumsAndQuotientsAreDetected() {
    #expect(Self.computes("let a = b / c") && Self.computes("let a = b.reduce(0, +)"))
    #expect(!Self.computes("// a / b\nlet a = \"b/c\""))
  }
}
