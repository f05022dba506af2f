import Calibration
import Scenario
import ScenarioFiles

/// A test by simulation of findings that contradict the scenario file.
struct FindingTest {
  let calibrate: CalibrateCommand
  let plan: CalibrationPlan
  let bytes: [UInt8]
  let pilot: PilotLog

  /// Returns the findings. A contradiction is kept only if simulations do not reproduce the statistic in the log.
  ///
  /// The first simulations use the values in the file. Findings on keys outside the team's own code are then tested
  /// after applying the findings on that code. A final simulation corrects the estimated values.
  func tested(_ findings: [KeyFinding]) throws(Failure) -> [KeyFinding] {
    var tested = findings
    for round in 0..<PilotLog.rounds where tested.contains(where: \.contradicts) {
      try reproduce(&tested, with: plan.base, round: round)
    }
    let own = tested.filter { $0.owner == .team && $0.found != nil }
    if !own.isEmpty, tested.contains(where: { $0.owner != .team && $0.contradicts }) {
      if let scenario = try scenario(own) {
        try reproduce(&tested, with: scenario, round: PilotLog.rounds) { $0.owner != .team }
      }
    }
    let changed = tested.filter { $0.found != nil && $0.contradicts }
    guard !changed.isEmpty, let scenario = try scenario(changed),
      let comparison = try pilot.comparison(with: scenario, round: PilotLog.rounds + 1)
    else { return tested }
    let written = try pilot.comparison(with: plan.base, round: 0)
    return tested.map { finding in
      guard finding.found != nil, finding.contradicts else { return finding }
      if let written, written.isInsensitive(finding, until: comparison) { return finding.reproduced() }
      return comparison.corrected(finding)
    }
  }

  /// The maximum number of phones in a simulation that counts requests.
  private static let maxPhones = 1_000

  /// Returns the findings, with the number of phones set to the number that would send as many requests as the log
  /// contains. If the log has IDs that identify phones, the findings are unchanged.
  func counted(_ findings: [KeyFinding], _ measured: MeasuredLoad) throws(Failure) -> [KeyFinding] {
    let own = findings.filter { $0.owner == .team && $0.found != nil }
    var scenario = own.isEmpty ? plan.base : try scenario(own) ?? plan.base
    let written = Double(scenario.fleet.devices)
    scenario.run.simulate = .count(min(scenario.fleet.devices, Self.maxPhones))
    guard let load = try pilot.simulated.load(of: scenario, clocks: [], pilot.control),
      let error = LoadFit(load, measured)?.totalError, error > -1, error.isFinite
    else { return findings }
    return findings.map { $0.path == KeyFinding.scalePath ? $0.counting(written / (1 + error)) : $0 }
  }

  private func reproduce(
    _ findings: inout [KeyFinding], with scenario: Scenario, round: Int,
    where isTested: (KeyFinding) -> Bool = { _ in true }
  ) throws(Failure) {
    guard let comparison = try pilot.comparison(with: scenario, round: round) else { return }
    findings = findings.map { finding in
      finding.contradicts && isTested(finding) && comparison.reproduces(finding) ? finding.reproduced() : finding
    }
  }

  /// Returns the scenario with the values from the findings; `nil` if the values cannot be written to the file.
  private func scenario(_ findings: [KeyFinding]) throws(Failure) -> Scenario? {
    let changes = CalibratedChanges(findings)
    guard let text = plan.text(of: bytes, with: changes.all) else { return nil }
    return try calibrate.plan(text, found: changes.paths).base
  }
}
