package import Scenario

/// The rule that stops adding phones to a run when more phones would no longer change the verdict (MODEL.md 1.6).
package struct SettledVerdict {
  private let scenario: Scenario
  private let summary: Summary
  private let devices: Int

  /// The half-width of an interval, relative to the value, below which a figure needs no more phones.
  static let enough = 0.03

  /// - Parameters:
  ///   - summary: the figures, including those of the bracket.
  ///   - devices: the number of phones simulated so far.
  package init(_ scenario: Scenario, _ summary: Summary, devices: Int) {
    (self.scenario, self.summary, self.devices) = (scenario, summary, devices)
  }

  /// Returns whether more phones would change neither the result of any goal or capacity nor the headline peak.
  package func isSettled(_ goals: [GoalResult]) -> Bool {
    let checks = RunVerdict(scenario, summary, goals).checks
    guard checks.allSatisfy(isSettled) else { return false }
    return checks.contains(where: \.isLoad) || peakIsNarrow
  }

  /// Whether the servers' peak is precise in a window of at most one minute. If the clock has no such window, its
  /// shortest window is used.
  private var peakIsNarrow: Bool {
    let windows = LoadWindow.all(of: scenario.clock)
    let short = windows.filter { $0.length <= .minute }
    return (short.isEmpty ? Array(windows.prefix(1)) : short).contains { window in
      let name = LoadPoint.first(scenario, endpoint: nil).name(.peak, window: window.name)
      return name.flatMap(summary.figure).map { $0.estimatedInterval != nil && isNarrow($0) } ?? false
    }
  }

  private func isSettled(_ check: RunCheck) -> Bool {
    guard let row = summary.figure(check.result.goal.figure), row.value != nil else { return false }
    if isNarrow(row) { return true }
    guard check.outcome != .unknown else { return false }
    return ([row] + Bracket.ends.compactMap(row.under)).allSatisfy { isApart($0, from: check.result.limit) }
  }

  private func isNarrow(_ row: SummaryRow) -> Bool {
    guard let half = half(row), let value = row.value?.approximate else { return false }
    return half <= Self.enough * value
  }

  /// Returns whether a figure is almost certain to stay on the same side of a limit.
  private func isApart(_ row: SummaryRow, from limit: Double?) -> Bool {
    // Findings about estimates already take the intervals into account.
    if row.estimatedInterval != nil { return true }
    guard let half = half(row), let value = row.value?.approximate, let limit else { return false }
    return abs(value - limit) > half
  }

  /// Returns the half-width of a figure's 95 % interval; `nil` if unknown.
  ///
  /// For a share without an interval, the variance of one draw per phone is assumed. This variance is doubled because
  /// phones have different numbers of views. For a mean over phones, a coefficient of variation of about 2 is assumed.
  private func half(_ row: SummaryRow) -> Double? {
    if let interval = row.estimatedInterval { return (interval.high - interval.low) / 2 }
    guard row.metric != .failures, let value = row.value?.approximate, let phones = phones(row.labels)
    else { return nil }
    switch row.statistic {
    case .share:
      let share = min(max(value, 3 / phones), 0.5)
      return 1.96 * (2 * share * (1 - share) / phones).squareRoot()
    case .mean: return 4 / phones.squareRoot() * value
    default: return nil
    }
  }

  /// Returns the expected number of simulated phones that contribute to a figure; `nil` if the labels do not determine
  /// it.
  private func phones(_ labels: Labels) -> Double? {
    guard labels == Labels().with(\.cohort, labels.cohort).with(\.kind, labels.kind) else { return nil }
    let share = scenario.fleet.cohorts.filter { labels.cohort.isEmpty || $0.name == labels.cohort }
      .reduce(0) { sum, cohort in
        let placements = cohort.widgets.filter { placement in
          labels.kind.isEmpty || placement.members.contains { scenario.kinds[$0.kind].name == labels.kind }
        }
        return sum + cohort.share.fraction * (placements.map(\.share.fraction).max() ?? 0)
      }
    return share > 0 ? share * Double(devices) : nil
  }
}
