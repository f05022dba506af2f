import RequestStatistics
import SimulationKernel

/// The page of a calibration: whether to trust the scenario, what in it was wrong, and what the log cannot tell.
func calibrationPage(of report: CalibrationReport) -> [UInt8] {
  let verdict = CalibrationVerdict(report)
  let load = report.hasLog ? calibratedLoadSection(report, verdict) : nil
  let values = [calibrationVerdictSection(verdict), load, parameterSection(report), fitSection(report)]
  let sections = (values + (report.hasLog ? logSections(report) : [])).compactMap { $0 }
  return Document(
    version: report.provenance.version, title: report.base.name + ", calibrated", kicker: "WidgetFleet calibration",
    heading: report.base.name + ", held against " + (report.hasLog ? "a log" : "telemetry"), facts: facts(report),
    sections: sections,
    footer:
      "Calibrated by WidgetFleet \(report.provenance.version). This page needs no network; without scripts it shows "
      + "the same, and only the zoom is missing.",
    styles: [PageTexts.style, PageTexts.studyStyle], isZoomable: sections.contains { $0.id == "load" }
  ).bytes
}

/// What there is to say of a log whatever its values.
private func logSections(_ report: CalibrationReport) -> [ReportSection?] {
  [
    apartSection(report), wakeSection(report), residualSection(report), nextLogSection(report), logReadSection(report),
    privacySection(report),
  ]
}

private func facts(_ report: CalibrationReport) -> String {
  let picture = report.logs.picture
  let testers = report.telemetry.map {
    "\(LogSentences.count($0.phones, "phone")) of testers with \(LogSentences.count($0.runs, "run"))"
  }
  guard let span = picture.span else { return testers.map { $0 + "." } ?? "" }
  let length = TimeText.words(.milliseconds(span.upperBound - span.lowerBound))
  let phones = report.evidence.history.map {
    NumberText.whole((Double($0.phones.count) / $0.share).rounded()) + " phones"
  }
  let parts = [
    LogSentences.count(report.logs.parsed, "request"), length + " of log, " + LogSentences.text(span),
    phones ?? "no ids", testers,
  ].compactMap { $0 }
  return parts.joined(separator: "; ") + "."
}
