import Calibration
import RequestStatistics

/// A calibration as text for a terminal: what the log says of each key, by who decides it.
package func calibrationTable(of report: CalibrationReport) -> [UInt8] {
  var lines: [String] = []
  for owner in KeyOwner.allCases {
    let own = report.findings.filter { $0.owner == owner }
    guard !own.isEmpty else { continue }
    lines += (lines.isEmpty ? [] : [""]) + [OwnerText.title(owner)] + own.flatMap(keyLines)
  }
  let contradictions = report.contradictions.map { "WF620 " + KeyText.contradiction($0) }
  let defects = report.logs.picture.findings.map {
    "\($0.defect.rawValue) \(LogSentences.sentence($0, report.logs.picture.names))"
  }
  let misfits = [LoadMisfit(report)].compactMap { $0 }.map {
    "\(LogDefect.misfit.rawValue) \($0.sentence(isForced: report.isForced))"
  }
  lines += (contradictions + misfits + defects + report.mixedKinds.map { "WF616 " + $0 }).flatMap { [""] + folded($0) }
  if let fit = report.fit { lines += [""] + FitSentences(fit: fit).all.flatMap { folded($0) } }
  lines += report.logs.files.flatMap(remarks)
  return Array((lines.joined(separator: "\n") + "\n").utf8)
}

private func keyLines(_ finding: KeyFinding) -> [String] {
  let key = finding.written.isEmpty ? finding.path : "\(finding.path): \(finding.written)"
  return folded("  " + key, indent: 2) + folded(KeyText.remark(finding) + KeyText.change(finding), indent: 6)
}

/// Who decides about keys, in words.
enum OwnerText {
  static func title(_ owner: KeyOwner) -> String {
    switch owner {
    case .team: "Yours: compared with the log"
    case .fleet: "Fleet"
    case .people: "People"
    case .system: "System"
    case .backend: "Backend"
    }
  }
}
