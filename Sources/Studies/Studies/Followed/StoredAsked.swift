package import FleetEngine
package import Scenario
package import SimulationKernel

/// The outcome of the refreshes that a kind's policy requested, over all replications (MODEL.md 8.3).
package struct StoredAsked: Hashable, Sendable {
  package var kind: Int
  /// The rates per widget per day, indexed by `AskedRow`; `nil` if no refresh requested by the policy has run.
  package var perDay: [Double?]
  /// The total observed time of all followed widgets, in seconds.
  package var seconds: Double

  package init(kind: Int, perDay: [Double?], seconds: Double) {
    self.kind = kind
    self.perDay = perDay
    self.seconds = seconds
  }

  package subscript(row: AskedRow) -> Double? { perDay[row.place] }

  /// The observed widget-days of followed widgets.
  package var widgetDays: Double { seconds / 86_400 }

  /// - Parameter followed: a result with an observed time above zero.
  /// - Parameter span: the span to which the numbers refer: a day, or a shorter period.
  package init(kind: Int, _ followed: FollowedResult, per span: TimeAmount = .day) {
    self.kind = kind
    seconds = significant(Double(followed.milliseconds) / 1_000)
    let days = Double(followed.milliseconds) / Double(span.milliseconds)
    // The mean interval that the policy requested before the refreshes that ran.
    let interval = Double(followed[.asked]) / Double(followed.policyRuns)
    perDay = AskedRow.allCases.map { row -> Double? in
      switch row {
      case .policy: return significant(Double(followed.policyRuns) / days)
      case .other: return significant(Double(followed.otherRuns) / days)
      case .asks, .part:
        guard followed.policyRuns > 0, interval > 0 else { return nil }
        return significant(row.milliseconds(of: followed) / interval / days)
      }
    }
  }
}

extension StoredRun {
  /// Returns the outcome for each kind that is on any followed phone.
  package static func asked(of result: RunResult) -> [StoredAsked] {
    let span = min(result.scenario.clock.duration, .day)
    return result.scenario.kinds.indices.compactMap { kind in
      let followed = result.followed(kind)
      return followed.milliseconds > 0 ? StoredAsked(kind: kind, followed, per: span) : nil
    }
  }
}

/// Returns the rows of asked_per_day for all widgets and for each kind. The rows are the requested refreshes, the
/// losses by type, and the refreshes that ran.
///
/// The result is empty if no phones are followed. The row for all widgets is the mean over kinds, weighted by widget
/// time.
func askedRows(of result: RunResult) -> [SummaryRow] {
  let kinds = result.scenario.kinds.indices
  let span = min(result.scenario.clock.duration, .day)
  let asked = result.replications.map { replication in
    kinds.compactMap { kind -> StoredAsked? in
      let followed = replication.followed(kind)
      return followed.milliseconds > 0 ? StoredAsked(kind: kind, followed, per: span) : nil
    }
  }
  guard asked.contains(where: { !$0.isEmpty }) else { return [] }
  return ([nil] + kinds.map { Optional($0) }).flatMap { kind in
    AskedRow.allCases.map { row in
      let labels = Labels().with(\.kind, kind.map { result.scenario.kinds[$0].name } ?? "").with(\.reason, row.reason)
      return SummaryRow(
        .askedPerDay, labels, .mean,
        replications: asked.map {
          $0.filter { kind == nil || $0.kind == kind }.mean(row).map { .real(significant($0)) }
        })
    }
  }
}

extension [StoredAsked] {
  /// Returns the weighted mean of a row over several kinds; `nil` if there are no kinds or any value is unknown.
  fileprivate func mean(_ row: AskedRow) -> Double? {
    let parts = map { asked in asked[row].map { $0 * asked.seconds } }
    guard !isEmpty, parts.allSatisfy({ $0 != nil }) else { return nil }
    return parts.reduce(0) { $0 + ($1 ?? 0) } / reduce(0) { $0 + $1.seconds }
  }
}

extension AskedRow {
  /// Returns the total time recorded for a row, in milliseconds; for losses, this excludes the time that was made up
  /// later.
  fileprivate func milliseconds(of followed: FollowedResult) -> Double {
    switch self {
    case .asks: Double(followed.milliseconds - followed[.without])
    case .part(.caughtUp): Double(0 - followed[.caughtUp])
    case .part(let part): Double(followed[part])
    case .policy, .other: 0
    }
  }
}
