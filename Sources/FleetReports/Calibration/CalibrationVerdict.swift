import Calibration
import RequestStatistics

/// What a calibration comes to, in six sentences at most: whether to trust the scenario, and what in it was wrong.
struct CalibrationVerdict {
  let report: CalibrationReport
  let asWritten: LoadFit?
  let withFound: LoadFit?

  init(_ report: CalibrationReport) {
    self.report = report
    let measured = MeasuredLoad(report)
    asWritten = report.asWritten.flatMap { LoadFit($0, measured) }
    withFound = report.patchesValues ? report.simulated.flatMap { LoadFit($0, measured) } : nil
  }

  /// How near the scenario is that is left: with what was found where something was.
  var best: LoadFit? { withFound ?? asWritten }

  /// Names in one sentence; more make a list that nobody reads.
  private static let mostNamed = 3

  var sentences: [String] { [lead, others, load, misfit, unknown, defects].compactMap { $0 } }

  private var contradictions: [KeyFinding] { report.contradictions }

  /// The answer: contradictions first, else whether it holds.
  private var lead: String {
    if !contradictions.isEmpty {
      let count = contradictions.count == 1 ? "a value" : "\(contradictions.count) values"
      return "Not as it is written: the \(source) contradicts \(count) of your own code: "
        + named(contradictions.map(Self.contradiction)) + "."
    }
    guard report.isIdentified else {
      return "This \(source) cannot say: no value of the scenario could be told from it."
    }
    let own =
      isOwnChecked
      ? "nothing in the \(source) contradicts your own code" : "the \(source) could not check your own code"
    if !report.isOff.isEmpty {
      let count = report.isOff.count == 1 ? "one other value was" : "\(report.isOff.count) other values were"
      return "\(own.asSentence), but \(count) off: \(changes)."
    }
    guard isOwnChecked else { return "Only in part: \(loadLead), but \(own)." }
    guard let best else { return "It holds, as far as can be checked: \(own)." }
    return best.isNear
      ? "It holds: \(own), and \(loadLead)."
      : "Its values hold, its load does not: \(own), yet \(loadLead)."
  }

  private var source: String { report.sourceName }

  private var isOwnChecked: Bool { report.findings.contains { $0.owner == .team && $0.isTold } }

  private var loadLead: String {
    guard let best else { return "its other values agree with the log" }
    return "the simulated load " + (best.isNear ? "follows" : "does not follow") + " the measured one"
  }

  private static func contradiction(_ finding: KeyFinding) -> String {
    "\(finding.path) is \(finding.written) in the file, "
      + (finding.isOtherPolicy
        ? "but the log says \(KeyText.otherPolicy(finding))"
        : "\(KeyText.known(finding)) in the \(finding.source.rawValue)")
  }

  /// What else was wrong, beside contradictions.
  private var others: String? {
    guard !contradictions.isEmpty, !report.isOff.isEmpty else { return nil }
    let count = report.isOff.count == 1 ? "One other value was" : "\(report.isOff.count) other values were"
    return "\(count) off: \(changes)."
  }

  private var changes: String {
    named(
      report.isOff.map { finding in
        let value = finding.estimate.value.map { KeyText.value(finding, $0) } ?? KeyText.remark(finding)
        return "\(finding.path) is \(value) (file: \(finding.written))"
      })
  }

  private var load: String? {
    guard let best else { return nil }
    let last =
      best.isNear
      ? "near enough to plan by" : "too far to plan by; \u{201C}What does it still miss?\u{201D} says where"
    guard let asWritten, withFound != nil else {
      return "Its load differs from the measured one by \(best.text), and \(best.peakText): \(last)."
    }
    return "As written its load differed from the measured one by \(NumberText.percent(asWritten.error)) per five "
      + "minutes; with what was found by \(best.text), and \(best.peakText): \(last)."
  }

  private var misfit: String? { LoadMisfit(report)?.sentence(isForced: report.isForced) }

  private var unknown: String? {
    let keys = report.findings.filter { $0.estimate.verdict == .notFromThisLog }
    guard !keys.isEmpty else { return nil }
    let names = named(keys.map(\.path))
    return keys.count == 1
      ? "One value cannot be told from this \(source) and stays an assumption: \(names)."
      : "\(keys.count) values cannot be told from this \(source) and stay assumptions: \(names)."
  }

  private var defects: String? {
    let defects = report.logs.picture.findings.filter { !$0.isNote }
    guard !defects.isEmpty else { return nil }
    let kinds = LogDefect.allCases.filter { defect in defects.contains { $0.defect == defect } }
    return "The log has defects, which were corrected or left out: "
      + kinds.map { "\($0.meaning.title) (\($0.rawValue))" }.joined(separator: ", ") + "."
  }

  private func named(_ texts: [String]) -> String {
    let rest = texts.count - Self.mostNamed
    return texts.prefix(Self.mostNamed).joined(separator: "; ")
      + (rest > 0 ? "; and \(rest == 1 ? "one other" : "\(rest) others")" : "")
  }
}

extension KeyFinding {
  /// Whether the log says enough to agree or to disagree.
  var isTold: Bool { estimate.verdict == .identified || estimate.verdict == .oneSided || isOtherPolicy }
}

extension CalibrationReport {
  /// Values beside the team's own that the log rules out.
  var isOff: [KeyFinding] { findings.filter { $0.owner != .team && $0.contradicts } }

  /// Whether the calibrated file has other values than the file: remarks alone simulate the same.
  var patchesValues: Bool { calibratedText != nil && findings.contains { $0.found != nil } }
}

/// Can this scenario be trusted?
func calibrationVerdictSection(_ verdict: CalibrationVerdict) -> ReportSection {
  let sentences = verdict.sentences
  let rest = sentences.dropFirst().map { Markup.tag("li", [:], $0) }
  return ReportSection(
    id: "verdict", short: "Verdict", question: "Can this scenario be trusted?", answer: sentences.first ?? "",
    figures: rest.isEmpty ? [] : [.tag("ul", ["class": "findings"], rest)],
    note: "A value is contradicted where it lies outside the 95 % interval that the \(verdict.report.sourceName) gives "
      + "it, by more than half a per cent. A load is near enough where it differs per five minutes by at most 5 points more than chance makes, "
      + "and its peak by at most 10 % and one standard deviation.")
}
