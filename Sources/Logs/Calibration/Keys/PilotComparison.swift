internal import SimulationKernel

/// A comparison of a log's findings with those that the same code derives from a simulated log, whose true values are
/// known.
///
/// The log may suggest a different value for a key even if the file's value is right. For example, a budget withholds
/// runs, a cache serves their responses, and phones with several widgets mix their runs. The simulation includes these
/// effects, so it leads to the same wrong value.
package struct PilotComparison: Sendable {
  private let simulated: [KeyFinding]
  /// The number of simulated phones, which stand for all phones of the scenario.
  private let phones: Double
  private let written: Double

  /// - Parameters:
  ///   - findings: the findings from the simulated log.
  ///   - phones: the number of simulated phones.
  ///   - written: the number of phones given in the simulated scenario.
  package init(_ findings: [KeyFinding], phones: Int, of written: Int) {
    simulated = findings
    (self.phones, self.written) = (Double(max(phones, 1)), Double(max(written, 1)))
  }

  /// The distance, in half-widths of a 95 % interval, beyond which two statistics are considered to come from different
  /// scenarios.
  ///
  /// It corresponds to four standard errors, because several keys of many logs are compared.
  private static let far = 2.0
  /// The maximum relative difference between statistics that rounding and binning may cause.
  private static let rounding = 0.002

  /// Returns the simulated estimate for a finding's key, scaled to the scenario's number of phones if the key is a
  /// number of phones.
  private func estimate(for finding: KeyFinding) -> Estimate? {
    guard let own = simulated.first(where: { $0.path == finding.path })?.estimate else { return nil }
    return finding.measure == .count ? own.scaled(by: written / phones) : own
  }

  /// Returns whether the simulated log has the same statistic as the finding that contradicts the file.
  package func reproduces(_ finding: KeyFinding) -> Bool {
    guard let other = simulated.first(where: { $0.path == finding.path }) else { return false }
    if finding.isOtherPolicy || other.isOtherPolicy { return finding.isOtherPolicy == other.isOtherPolicy }
    guard let simulated = estimate(for: finding) else { return false }
    return isNear(finding.estimate, simulated, by: Self.far)
  }

  /// Returns whether two estimates differ by no more than a multiple of their combined half-width.
  private func isNear(_ own: Estimate, _ other: Estimate, by factor: Double) -> Bool {
    guard let value = own.value ?? own.low ?? own.high, let otherValue = other.value ?? other.low ?? other.high else {
      return false
    }
    let isBelow = value < otherValue
    let ends = (isBelow ? own.high : own.low, isBelow ? other.low : other.high)
    let halves = (
      ends.0.map { ($0 - value).magnitude } ?? 0, ends.1.map { ($0 - otherValue).magnitude } ?? 0
    )
    let slack = Self.rounding * max(value.magnitude, otherValue.magnitude)
    return (value - otherValue).magnitude <= factor * halves.0.hypotenuse(halves.1) + slack
  }

  /// Returns a finding corrected for the difference between the key's value in the simulated scenario and the statistic
  /// that results from it.
  ///
  /// - Returns: the unchanged finding if the simulation yields the log's statistic.
  package func corrected(_ finding: KeyFinding) -> KeyFinding {
    guard [.span, .uniformSpan, .count].contains(finding.measure), let value = finding.estimate.value,
      let simulated = estimate(for: finding), let other = simulated.value,
      let truth = self.simulated.first(where: { $0.path == finding.path })?.known, truth > 0, other > 0,
      !isNear(finding.estimate, simulated, by: 1)
    else { return finding }
    let factor = truth / other
    let halves = [(finding.estimate, value), (simulated, other)].map { estimate, middle -> Double in
      max((estimate.high ?? middle) - middle, middle - (estimate.low ?? middle), 0) / middle
    }
    let half = value * factor * halves[0].hypotenuse(halves[1])
    let place = value * factor
    let corrected = Estimate.judged(
      place, place - half...place + half, count: finding.estimate.count, reason: .correctedBySimulation)
    let isFar = (factor - 1).magnitude > Self.maxCorrection
    return finding.with(isFar ? corrected.limited(to: .weakly, .correctedBySimulation) : corrected)
  }

  /// Returns whether a key's statistic is almost independent of the key's value, based on a comparison of two simulated
  /// scenarios.
  package func isInsensitive(_ finding: KeyFinding, until other: PilotComparison) -> Bool {
    let ends = [self, other].compactMap { pilot -> (truth: Double, value: Double)? in
      guard let own = pilot.simulated.first(where: { $0.path == finding.path }), let truth = own.known else {
        return nil
      }
      return own.estimate.value.map { (truth, $0) }
    }
    guard ends.count == 2 else { return false }
    let moved = (ends[1].value - ends[0].value) * (ends[1].truth < ends[0].truth ? -1 : 1)
    return moved < Self.minSlope * (ends[1].truth - ends[0].truth).magnitude
  }

  /// The smallest change in a statistic, relative to the change in its key, for which the statistic is considered to
  /// follow the key.
  private static let minSlope = 0.5

  /// The largest relative correction after which a value is still considered identified.
  private static let maxCorrection = 0.1
}

extension Estimate {
  /// Returns the estimate with its value and interval multiplied by a factor.
  func scaled(by factor: Double) -> Estimate {
    var scaled = self
    (scaled.value, scaled.low, scaled.high) = (
      value.map { $0 * factor }, low.map { $0 * factor }, high.map { $0 * factor }
    )
    return scaled
  }
}
