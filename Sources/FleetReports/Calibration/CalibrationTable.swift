import Calibration

/// A calibration as text for a terminal: what was read, and what it says of each key.
package func calibrationTable(of report: CalibrationReport) -> [UInt8] {
  let rows = report.findings.map { finding in
    [
      finding.path, finding.owner.rawValue, finding.written,
      finding.estimate.value.map { KeyText.value(finding, $0) } ?? "", KeyText.interval(finding),
      KeyText.verdict(finding),
    ]
  }
  var lines = alignedLines(
    [["key", "whose", "file", "log", "95 %", "verdict"]] + rows, numberColumns: [])
  for finding in report.contradictions { lines += [""] + folded("WF620 " + KeyText.contradiction(finding)) }
  for defect in report.logs.picture.findings {
    lines += folded("\(defect.defect.rawValue) \(LogSentences.sentence(defect, report.logs.picture.names))")
  }
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}
