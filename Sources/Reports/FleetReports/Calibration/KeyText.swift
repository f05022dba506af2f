package import Calibration
import Words

/// Text about the finding for a key.
enum KeyText {
  /// Returns a remark such as `30 min (29.9 min to 30.1 min), identified`.
  static func remark(_ finding: KeyFinding) -> String {
    let (text, verdict) = (known(finding), verdict(finding))
    let isNamed = finding.source == .log || finding.estimate.verdict == .notFromThisLog
    return (text.isEmpty ? verdict : text + ", " + verdict) + (isNamed ? "" : " (\(finding.source.rawValue))")
  }

  /// Returns the known value, such as `30 min (29.9 min to 30.1 min)` or `at least 46/day`; empty if nothing is known.
  static func known(_ finding: KeyFinding) -> String {
    guard let value = finding.estimate.value else { return bound(finding) }
    let interval = interval(finding)
    return self.value(finding, value) + (interval.isEmpty ? "" : " (\(interval))")
  }

  /// Returns the only bound of an interval that is known. It is shown if there is no value.
  private static func bound(_ finding: KeyFinding) -> String {
    if let low = finding.estimate.low { return "at least " + value(finding, low) }
    return finding.estimate.high.map { "at most " + value(finding, $0) } ?? ""
  }

  static func interval(_ finding: KeyFinding) -> String {
    guard let low = finding.estimate.low, let high = finding.estimate.high else { return "" }
    let ends = (value(finding, low), value(finding, high))
    return ends.0 == ends.1 ? "" : "\(ends.0) to \(ends.1)"
  }

  static func value(_ finding: KeyFinding, _ value: Double) -> String {
    switch finding.measure {
    case .span, .uniformSpan: TimeText.precise(seconds: value, width: finding.width)
    case .count: NumberText.whole(value)
    case .share: NumberText.percent(value)
    case .daily, .dailyRange: NumberText.text(value) + "/day"
    case .rate: NumberText.text(value) + "/s"
    case .number: NumberText.text(value)
    }
  }

  static func verdict(_ finding: KeyFinding) -> String {
    let word =
      switch finding.estimate.verdict {
      case .identified: "identified"
      case .weakly: "weakly identified"
      case .oneSided: "a bound"
      case .notFromThisLog: "not from this \(finding.source.rawValue)"
      }
    let missing = finding.estimate.daysMissing.map { "; \(counted($0, "more whole day")) would suffice" } ?? ""
    return word + (finding.estimate.reason.map { ": " + reason($0) + missing } ?? "")
  }

  static func reason(_ reason: Estimate.Reason) -> String { Catalogue.reasons[reason.rawValue].meaning }

  /// Returns the end of a remark, which describes the consequence for the value in the file.
  static func change(_ finding: KeyFinding) -> String {
    if finding.owner == .team, finding.contradicts { return "; the \(finding.source.rawValue) contradicts the file" }
    if finding.isKept, finding.suggested != nil { return "; kept as in the file" }
    return finding.found.map { "; becomes \(finding.whole == nil ? $0 : NumberText.percent(finding.estimate.value))" }
      ?? (finding.estimate.verdict == .identified ? "; the file agrees" : "")
  }

  /// Returns a sentence that describes how the file contradicts the log and gives both values.
  static func contradiction(_ finding: KeyFinding) -> String {
    "\(finding.path): the file has \(finding.written), but the \(finding.source.rawValue) has "
      + (finding.isOtherPolicy
        ? otherPolicy(finding) : finding.estimate.reason == nil ? known(finding) : remark(finding))
  }

  /// Returns the consequence of a finding for the value in the file.
  static func outcome(_ finding: KeyFinding) -> String {
    if finding.contradicts {
      if finding.isOtherPolicy { return "contradicted: the log has " + otherPolicy(finding) }
      let advice = finding.isKept ? "the log has" : "the file should have"
      let value = finding.suggested.map { ", \(advice) \($0)" } ?? ""
      return (finding.owner == .team ? "contradicted" : "off") + value
    }
    let verdict = self.verdict(finding)
    if finding.found != nil { return "new: " + verdict }
    return finding.isEstimated && finding.known != nil ? "agrees, " + verdict : verdict
  }

  static func otherPolicy(_ finding: KeyFinding) -> String {
    finding.estimate.reason == .wallMarks
      ? "runs at fixed clock times" : "no runs at fixed clock times"
  }
}

/// Returns the remark for a key in the calibrated file, in plain ASCII.
package func calibrationRemark(_ finding: KeyFinding) -> String { plain(KeyText.remark(finding)) }

extension KeyFinding {
  /// The width of the finding's interval, or the magnitude of its value if there is no interval.
  fileprivate var width: Double {
    if let low = estimate.low, let high = estimate.high, low < high { return high - low }
    return (estimate.value ?? estimate.low ?? estimate.high ?? 1).magnitude
  }
}
