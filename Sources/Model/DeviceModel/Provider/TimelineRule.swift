import Scenario
import SimulationKernel

/// The rule for the date at which a timeline requests the next timeline (MODEL.md 4.1).
enum TimelineRule {
  /// Returns the date requested by a policy; `nil` if the policy is `never`.
  ///
  /// - Parameters:
  ///   - now: the end of the run.
  ///   - zone: the number of the device's time zone.
  ///   - uniform: the draw for `after(<dist>)`.
  @inline(__always)
  static func date(
    of policy: PolicyPlan, entries: EntriesPlan, at now: Instant, zone: Int, atEndGap: TimeAmount, uniform: UInt64
  ) -> Instant? {
    switch policy {
    case .never: nil
    case .after(let span): now + span.span(at: uniform)
    case .next(let calendar): calendar.date(1, after: now, zone: zone)
    case .earliest(let dates): earliest(of: dates[0], hint: nil, from: now, at: now, zone: zone, uniform: uniform)
    case .atEnd:
      switch entries {
      case .single: now + atEndGap
      case .spread(let span): now + span
      case .aligned(let others, let calendar): calendar.date(others, after: now, zone: zone)
      }
    }
  }

  /// Returns the earliest of several dates; `nil` if there are no dates.
  ///
  /// - Parameters:
  ///   - hint: the time span that the servers returned with the data; `nil` if the policy uses no hint.
  ///   - origin: the time from which spans are counted.
  static func earliest(
    of dates: EarliestPlan, hint: TimeAmount?, from origin: Instant, at now: Instant, zone: Int, uniform: UInt64
  ) -> Instant? {
    var date = dates.calendar.date(1, after: now, zone: zone)
    if let hint { date = min(date, origin + hint) }
    for index in 0..<dates.spans.count { date = min(date, origin + dates.spans[index].span(at: uniform)) }
    return date < .never ? max(date, now + dates.atLeast) : nil
  }

  /// Returns the date shifted by the jitter. If the result is in the past, the run is due immediately, and the earliest
  /// possible start (`earliest`) is returned.
  @inline(__always)
  static func jittered(_ date: Instant, by jitter: TimeAmount, at now: Instant, earliest: Instant) -> Instant {
    let moved = date + jitter
    return moved < now ? earliest : moved
  }
}
