import Calibration
import Scenario

extension CalibrationReport {
  /// Keys of the system that were found with both ends of an interval.
  private var measuredConstants: [MeasuredKey] { findings.compactMap { MeasuredKey($0, self) } }

  /// What the scenario says of the system that the phones ran.
  private var system: String {
    base.os.version.flatMap(SystemVersion.init).map { "os: \"\($0.text)\", " } ?? ""
  }

  /// What was found of the system as a profile, which another scenario can name under `os.profile`; nil: nothing was.
  package var profileText: [UInt8]? {
    let keys = measuredConstants
    guard !keys.isEmpty else { return nil }
    let head = [
      "schema: \(SystemProfile.schema)", "name: \(base.name)",
      "measured: {\(system)by: \"widgetfleet \(provenance.version)\"}", "os:",
    ]
    return Array((head + keys.map(\.line)).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
  }
}

/// A finding as a line of a profile.
private struct MeasuredKey {
  let line: String

  /// - Returns: nil for what is no constant of the system, or was not found with both ends of an interval.
  init?(_ finding: KeyFinding, _ report: CalibrationReport) {
    let estimate = finding.estimate
    guard finding.owner == .system, finding.path.hasPrefix("os."), estimate.verdict == .identified, !finding.isKept,
      let constant = BracketConstant(rawValue: String(finding.path.dropFirst("os.".count))),
      let value = estimate.value, let low = estimate.low, let high = estimate.high, low <= value, value <= high,
      estimate.count > 0
    else { return nil }
    let text = { (value: Double, side: FloatingPointRoundingRule) in finding.measure.preciseText(value, side) }
    let isTold = finding.source == .telemetry
    let phones = isTold ? report.telemetry?.phones : report.evidence.history?.phones.count
    line =
      "  \(constant.rawValue): {value: \(text(value, .toNearestOrAwayFromZero)), low: \(text(low, .down)), "
      + "high: \(text(high, .up)), method: \(finding.source.rawValue), n: \(estimate.count)"
      + (phones.map { $0 > 0 ? ", phones: \($0)" : "" } ?? "") + "}"
  }
}
