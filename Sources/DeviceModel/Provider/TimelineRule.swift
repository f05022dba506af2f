import Scenario
import SimulationKernel

/// When a timeline asks for the next one (MODEL.md 4.1).
enum TimelineRule {
  /// The policy's date; nil for `never`.
  ///
  /// - Parameters:
  ///   - now: the end of the run.
  ///   - zone: the zone number of the device.
  ///   - uniform: for `after(<dist>)`.
  @inline(__always)
  static func date(
    of policy: PolicyPlan, entries: EntriesPlan, at now: Instant, zone: Int, atEndGap: TimeAmount, uniform: UInt64
  ) -> Instant? {
    switch policy {
    case .never: nil
    case .after(let span): now + span.span(at: uniform)
    case .next(let calendar): calendar.date(1, after: now, zone: zone)
    case .atEnd:
      switch entries {
      case .single: now + atEndGap
      case .spread(let span): now + span
      case .aligned(let others, let calendar): calendar.date(others, after: now, zone: zone)
      }
    }
  }

  /// The date moved on by jitter; one that is past counts as `earliest`, when a run may start that is due at once.
  @inline(__always)
  static func jittered(_ date: Instant, by jitter: TimeAmount, at now: Instant, earliest: Instant) -> Instant {
    let moved = date + jitter
    return moved < now ? earliest : moved
  }
}
