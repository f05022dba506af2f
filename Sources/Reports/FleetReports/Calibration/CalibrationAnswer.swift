import Calibration
import RequestStatistics

/// The verdict on a scenario: whether its results can be trusted, and which of its values are wrong.
struct CalibrationAnswer {
  let report: CalibrationReport
  let asWritten: LoadFit?
  let withFound: LoadFit?

  init(_ report: CalibrationReport) {
    self.report = report
    let measured = report.measured
    asWritten = report.asWritten.flatMap { LoadFit($0, measured) }
    withFound = report.patchesValues ? report.simulated.flatMap { LoadFit($0, measured) } : nil
  }

  /// The fit of the resulting scenario, to which all findings have been applied.
  var best: LoadFit? { withFound ?? asWritten }

  /// The maximum number of names that a sentence lists.
  private static let maxNames = 3

  var answer: Answer {
    let source = report.sourceName
    let caveats = [
      load, report.forecast?.sentence, report.misfitSentence, unknown, defects, report.logs.outageSentence,
    ].compactMap { $0 }
    let wrong = report.contradictions + report.isOff
    guard wrong.isEmpty else {
      let own = report.contradictions
      let lead =
        own.isEmpty
        ? [isOwnChecked ? "nothing in the \(source) contradicts your own code" : "your own code was not checked"]
        : ["the \(source) contradicts \(counted(own.count, "value")) in your own code: \(named(own.map(Self.change)))"]
      let off = report.isOff
      return Answer(
        word: "DOES NOT HOLD", tone: .bad,
        reasons: lead
          + (off.isEmpty ? [] : ["\(counted(off.count, "other value")) wrong: \(named(off.map(Self.change)))"]),
        caveats: caveats)
    }
    guard report.isIdentified else {
      return Answer(
        word: "CANNOT TELL", tone: .open, reasons: ["no scenario value can be estimated from the \(source)"],
        caveats: caveats)
    }
    let follows = best.map { "the simulated load " + ($0.isNear ? "follows" : "does not follow") + " the measured one" }
    let own = isOwnChecked ? "nothing in the \(source) contradicts your own code" : "your own code was not checked"
    let isNear = best?.isNear ?? true
    return Answer(
      word: !isNear ? "DOES NOT HOLD" : isOwnChecked ? "HOLDS" : "HOLDS IN PART",
      tone: !isNear ? .bad : isOwnChecked ? .good : .open,
      reasons: isNear ? [own, follows ?? ""] : [follows ?? "", own], caveats: caveats)
  }

  private var isOwnChecked: Bool { report.findings.contains { $0.owner == .team && $0.isEstimated } }

  /// Returns a change such as `kinds.weather.reload.after is 30 min (29.7 min to 30.3 min), not 1h`.
  private static func change(_ finding: KeyFinding) -> String {
    guard !finding.isOtherPolicy else {
      return "\(finding.path) is \(finding.written), but the log has \(KeyText.otherPolicy(finding))"
    }
    let value = finding.estimate.value == nil ? KeyText.remark(finding) : KeyText.known(finding)
    return "\(finding.path) is \(value), not \(finding.written)"
  }

  private var load: String? {
    best.map { best in
      "The load differs by \(best.text), and \(best.peakText): "
        + (best.isNear ? "close enough for planning" : "too far off for planning")
        + (asWritten.flatMap { withFound == nil ? nil : "; as written, it differed by \(NumberText.percent($0.error))" }
          ?? "")
    }
  }

  private var unknown: String? {
    let keys = report.findings.filter { $0.estimate.verdict == .notFromThisLog }
    return keys.isEmpty
      ? nil
      : "\(counted(keys.count, "value")) cannot be estimated from this \(report.sourceName) and "
        + "\(keys.count == 1 ? "remains an assumption" : "remain assumptions"): \(named(keys.map(\.path)))"
  }

  private var defects: String? {
    let found = Set(report.logs.picture.findings.filter { !$0.isNote }.map(\.defect))
    return found.isEmpty
      ? nil
      : "The log has defects, which were corrected or excluded: "
        + LogDefect.allCases.filter(found.contains).map { "\($0.meaning.title) (\($0.rawValue))" }
        .joined(separator: ", ")
  }

  private func named(_ texts: [String]) -> String {
    let rest = texts.count - Self.maxNames
    return texts.prefix(Self.maxNames).joined(separator: "; ") + (rest > 0 ? "; and \(counted(rest, "other"))" : "")
  }
}

extension KeyFinding {
  /// Whether the log is precise enough to confirm or contradict the value.
  var isEstimated: Bool { estimate.verdict == .identified || estimate.verdict == .oneSided || isOtherPolicy }
}

extension LoadFit {
  /// The size of the error, such as `12 % per five minutes, of which chance alone explains 9 %`.
  var text: String {
    NumberText.percent(error) + " per five minutes, "
      + (error > floor ? "of which chance alone explains \(NumberText.percent(floor))" : "no more than chance explains")
  }

  /// The error in the peak as text, such as `its peak is 3 % higher`.
  var peakText: String { "its peak is " + DifferenceText.higher(peakError) }
}

extension CalibrationReport {
  /// The findings that contradict the values in the file, except those for keys that the team's own code sets.
  var isOff: [KeyFinding] { findings.filter { $0.owner != .team && $0.contradicts } }

  /// Whether the calibrated file changes any value. A file to which only remarks were added does not affect the
  /// simulation.
  var patchesValues: Bool { calibratedText != nil && findings.contains { $0.found != nil } }

  /// Whether the calibrated scenario is withheld because it fits the log too poorly.
  package var isWithheld: Bool { calibratedText != nil && !isForced && misfit?.isSevere ?? false }

  /// The most likely cause of a poor fit: an app release, or the largest difference between measured and simulated
  /// wakes.
  private var cause: String? {
    if evidence.kinds.contains(where: { $0.estimates.versions.count > 1 }) { return "a release (WF617)" }
    guard let load = resultingLoad else { return nil }
    let misses = WakeMiss.all(evidence, load.evidence, hasHoles: !logs.picture.silences.isEmpty)
    return misses.first.map { String($0.text(base.kinds[$0.kind].name).dropLast()) }
  }

  /// The misfit of the resulting scenario's load in the busiest hour or on the last days; `nil` if the load fits both.
  private var misfit: LoadMisfit? { resultingLoad.flatMap { LoadMisfit(measured, $0) } }

  /// The message WF640. It is shown if the scenario, with all findings applied, does not reproduce the log's busiest
  /// hour or last days.
  var misfitSentence: String? {
    misfit.map { misfit in
      let part = misfit.part
      return (misfit.isOfLastDays ? "On the last two days" : "In the busiest hour, \(part.hours) UTC")
        + ", the scenario"
        + (patchesValues && simulated != nil ? " with the findings" : "")
        + " sends \(NumberText.percent(part.unexplained)) \(part.share > 0 ? "fewer" : "more") requests than the log "
        + "has; chance explains up to \(NumberText.percent(part.chanceOfMeasured))"
        + (cause.map { "; the most likely cause: \($0)" } ?? "")
        + (misfit.isSevere && !isForced
          ? ". That is too far off for planning: calibrated.yaml is not written (--force writes it)" : "")
    }
  }
}
