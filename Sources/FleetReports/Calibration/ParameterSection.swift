import Calibration
import Scenario
import Studies

/// What was wrong in the scenario?
func parameterSection(_ report: CalibrationReport) -> ReportSection? {
  guard !report.findings.isEmpty else { return nil }
  let table = DataTable(
    caption: "Keys by the paths that --set takes", columns: ["Key", "Whose", "File", found(report), "Verdict"],
    rows: report.findings.map(row), textColumns: 5, stacks: true)
  return ReportSection(
    id: "parameters", short: "Values", question: "What in the scenario was wrong?", answer: answer(report),
    figures: [drawing(report)].compactMap { $0 } + [table.markup],
    note:
      "Whiskers are 95 % intervals of chance; what the model itself gets wrong is not in them"
      + (report.fit == nil ? ". " : ", but for keys that simulations found. ")
      + "\u{201C}Yours\u{201D} stands in your own code: it is compared, and where the \(report.sourceName) "
      + "contradicts it, either the file or the code is not what you think."
      + (report.patchesValues ? " calibrated.yaml has the values that were found." : ""))
}

private func found(_ report: CalibrationReport) -> String {
  (report.hasLog ? "Log" : "Telemetry") + " (95 % interval)"
}

private func answer(_ report: CalibrationReport) -> String {
  let told = report.findings.filter { $0.isTold && $0.known != nil }
  let wrong = told.filter(\.contradicts)
  guard !told.isEmpty else { return "Nothing that the \(report.sourceName) could tell." }
  let added = report.findings.filter { $0.known == nil && $0.found != nil }
  let more = added.isEmpty ? "" : " The file did not have \(added.map(\.path).joined(separator: ", "))."
  let all = told.count == 1 ? "the only value" : "all \(told.count) values"
  guard !wrong.isEmpty else {
    return "Nothing: \(all) that the \(report.sourceName) can tell "
      + "\(told.count == 1 ? "agrees" : "agree") with it." + more
  }
  let names = wrong.map(\.path).joined(separator: ", ")
  return (wrong.count == told.count ? all.asSentence : "\(wrong.count) of the \(told.count) values")
    + " that the \(report.sourceName) can tell: \(names)." + more
}

private func row(_ finding: KeyFinding) -> [String] {
  let known = KeyText.known(finding)
  return [
    finding.path, finding.owner.rawValue, finding.written.isEmpty ? NumberText.unknown : finding.written,
    known.isEmpty ? NumberText.unknown : known, KeyText.outcome(finding),
  ]
}

extension KeyText {
  /// What the log means for the file's value.
  static func outcome(_ finding: KeyFinding) -> String {
    if finding.contradicts {
      if finding.isOtherPolicy { return "contradicted: the log says " + otherPolicy(finding) }
      let advice = finding.isKept ? "the log says" : "the file should say"
      let value = finding.suggested.map { ", \(advice) \($0)" } ?? ""
      return (finding.owner == .team ? "contradicted" : "off") + value
    }
    let verdict = self.verdict(finding)
    if finding.found != nil { return "new: " + verdict }
    return finding.isTold && finding.known != nil ? "agrees, " + verdict : verdict
  }
}

/// What the log says as a change of the file's values; nil where no two numbers can be compared.
private func drawing(_ report: CalibrationReport) -> Markup? {
  let rows = report.findings.compactMap { finding -> ForestFigure.Row? in
    guard let known = finding.known, known > 0, let value = finding.estimate.value, finding.estimate.low != nil else {
      return nil
    }
    let share = { (found: Double) in found / known - 1 }
    return ForestFigure.Row(
      name: finding.path, value: share(value), low: finding.estimate.low.map(share),
      high: finding.estimate.high.map(share), text: KeyText.value(finding, value),
      longText: finding.written + " → " + KeyText.known(finding),
      isPale: !finding.contradicts)
  }
  guard !rows.isEmpty else { return nil }
  return ForestFigure(
    rows: rows, title: "what the \(report.sourceName) says, as a change of the file's value",
    label: { ChangeText.tick($0, $1) }, limit: 3
  ).markup(
    id: "values", title: "Values of the file and of the \(report.sourceName), with 95 % intervals",
    description: rows.map { "\($0.name): \($0.longText)" }.joined(separator: "; ") + ".",
    legend: [
      ("strong", "the \(report.sourceName) rules out the file's value"), ("pale", "the file's value may be right"),
    ])
}
