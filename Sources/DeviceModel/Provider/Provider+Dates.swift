import Scenario
import SimulationKernel

/// When a widget asks for its next run (MODEL.md 4.1, 5.5, 5.7).
extension Provider {
  /// The date that the timeline, or a failure, asks for; nil: none.
  @inline(__always)
  func nextDate<Rules: SchedulerRules>(
    _ slot: Slot, after run: Outcome, at now: Instant, _ phone: inout PhoneCore, _ rules: Rules.Type
  ) -> Instant? {
    let kind = phone.kind(of: slot)
    if run.hasFailed { return retryDate(slot, kind, uniform: run.uniform, at: now, &phone, rules) }
    if kind.windows.isEmpty, case .after(let span) = phase(of: slot, kind).value.reload {
      return now + span.spanInPlace(at: run.uniform)
    }
    return policyDate(slot, kind, uniform: run.uniform, at: now, &phone, rules)
  }

  /// The date that the phase's policy, or a window's in its place, gives after a success (MODEL.md 5.7).
  private func policyDate<Rules: SchedulerRules>(
    _ slot: Slot, _ kind: Prepared<KindPlan>, uniform: UInt64, at now: Instant, _ phone: inout PhoneCore,
    _ rules: Rules.Type
  ) -> Instant? {
    let phase = phase(of: slot, kind)
    for index in 0..<kind.windows.count where kind.windows[index].contains(now, zone: phone.zone) {
      return date(of: kind.windows[index].reload, phase.entries, uniform: uniform, at: now, &phone, rules)
    }
    return date(of: phase.reload, phase.entries, uniform: uniform, at: now, &phone, rules)
  }

  /// The date of the next try after a failure (MODEL.md 5.5).
  @inline(__always)
  private func retryDate<Rules: SchedulerRules>(
    _ slot: Slot, _ kind: Prepared<KindPlan>, uniform: UInt64, at now: Instant, _ phone: inout PhoneCore,
    _ rules: Rules.Type
  ) -> Instant? {
    switch kind.onError {
    case .reload(let policy): date(of: policy, phase(of: slot, kind).entries, uniform: uniform, at: now, &phone, rules)
    case .retryAfter: now + (flights.ofRun(slot).retryAfter ?? ModelConstants.retryAfter)
    }
  }

  @inline(__always)
  private func date<Rules: SchedulerRules>(
    of policy: PolicyPlan, _ entries: EntriesPlan, uniform: UInt64, at now: Instant, _ phone: inout PhoneCore,
    _ rules: Rules.Type
  ) -> Instant? {
    TimelineRule.date(
      of: policy, entries: entries, at: now, zone: phone.zone, atEndGap: rules.atEndGap(phone.cohort),
      uniform: uniform)
  }

  /// What is added to a widget's dates.
  ///
  /// - Parameter uniform: of the run.
  @inline(__always)
  func jitter(_ slot: Slot, uniform: UInt64, _ phone: inout PhoneCore) -> TimeAmount {
    let kind = phone.kind(of: slot)
    switch kind.jitterScope {
    case .run: return kind.jitter.span(at: uniform)
    case .device:
      guard !kind.jitter.isConstant else { return kind.jitter.span(at: 0) }
      return kind.jitter.span(at: phone.draws(.deviceJitter, part: phone.kindIndex(of: slot).place).first)
    }
  }
}
