import Calibration
import RequestStatistics
import Scenario
import SimulationKernel
import Studies

/// Returns the page of a calibration. It shows whether the scenario can be trusted, which values are wrong, and which
/// questions are open.
func calibrationPage(of report: CalibrationReport) -> [UInt8] {
  let verdict = CalibrationAnswer(report)
  let log: [ReportSection?] =
    report.hasLog
    ? [
      apartSection(report), wakeSection(report), residualSection(report), nextLogSection(report),
      logReadSection(report), privacySection(report),
    ] : []
  return StudyPage(
    kind: "calibration", past: "calibrated", name: report.base.name,
    heading: report.base.name + ", compared with " + (report.hasLog ? "a log" : "telemetry"), facts: facts(report),
    version: report.provenance.version, strips: [verdict.answer.strip(remarks: [basis(report)])],
    sections: [
      report.hasLog ? calibratedLoadSection(report, verdict) : nil, parameterSection(report), fitSection(report),
    ] + log
  ).bytes
}

/// Returns the facts on which the answer is based.
private func basis(_ report: CalibrationReport) -> String {
  "A value is contradicted when it lies more than 0.5 % outside the 95 % interval of the \(report.sourceName). A load "
    + "is close enough when its five-minute error exceeds chance by at most 5 percentage points, and its peak is off "
    + "by at most 10 % plus one standard deviation."
}

private func facts(_ report: CalibrationReport) -> String {
  let picture = report.logs.picture
  let testers = report.telemetry.map {
    "\(counted($0.phones, "tester phone")) with \(counted($0.runs, "run"))"
  }
  guard let span = picture.span else { return testers.map { $0 + "." } ?? "" }
  let length = TimeText.words(.milliseconds(span.upperBound - span.lowerBound))
  let phones = report.evidence.history.map { NumberText.whole($0.estimatedPhones) + " phones" }
  let parts = [
    counted(report.logs.parsed, "request"), length + " of log, " + LogSentences.text(span),
    phones ?? "no ids", testers,
  ].compactMap { $0 }
  return parts.joined(separator: "; ") + "."
}

/// Returns the terminal text of a calibration: the log's evidence about each key, grouped by the key's owner.
package func calibrationTable(of report: CalibrationReport) -> [UInt8] {
  let owners = KeyOwner.allCases.map { owner -> [String] in
    let own = report.findings.filter { $0.owner == owner }
    let title = owner == .team ? "Yours: compared with the log" : owner.rawValue.asSentence
    return own.isEmpty ? [] : [title] + own.flatMap(keyLines)
  }
  let defects = report.logs.picture.findings.map {
    "\($0.defect.rawValue) \(LogSentences.sentence($0, report.logs.picture))"
  }
  let misfit = report.misfitSentence.map { "\(LogDefect.misfit.rawValue) \($0)." }
  let remarks =
    report.contradictions.map { "WF620 " + KeyText.contradiction($0) } + [misfit].compactMap { $0 } + defects
    + report.kindDefects.map { "\($0.defect.rawValue) \($0.sentence)" }
  return terminalText(
    owners + remarks.map { folded($0) } + [report.fit.map { FitSentences(fit: $0).all.flatMap { folded($0) } } ?? []]
      + [report.logs.files.flatMap(FleetReports.remarks), folded(CalibrationAnswer(report).answer.line)])
}

private func keyLines(_ finding: KeyFinding) -> [String] {
  let key = finding.written.isEmpty ? finding.path : "\(finding.path): \(finding.written)"
  return folded("  " + key, indent: 2) + folded(KeyText.remark(finding) + KeyText.change(finding), indent: 6)
}
