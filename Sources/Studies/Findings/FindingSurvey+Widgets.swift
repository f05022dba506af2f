import FleetEngine
package import Scenario
import SimulationKernel

/// What people and widgets meet: refreshes that are withheld, old data, spent budgets, caches that help too little.
extension FindingSurvey {
  var ofWidgets: [RunFinding] {
    let withheld = scenario.kinds.indices.compactMap(withheld).max { $0.value < $1.value }
    let budget = withheld?.reason == .budget ? nil : exhausted
    let caches = scenario.kinds.indices.compactMap(coldCache)
    return [withheld, stalest, budget].compactMap { $0 } + caches
  }

  private func labels(_ kind: Int) -> Labels { Scope.kind(kind).labels(in: scenario) }

  private func withheld(_ kind: Int) -> RunFinding? {
    let share = summary.withheldShare(labels(kind))
    guard share >= Self.leastWithheld else { return nil }
    var finding = RunFinding(.withheld, kind: kind, value: share)
    finding.reason = WaitReason.allCases.max {
      summary.withheldShare(labels(kind), because: $0) < summary.withheldShare(labels(kind), because: $1)
    }
    if finding.reason == .budget { finding.remedy = longer(kind, share) }
    return finding
  }

  /// An interval at which the policy asks for what it gets: a refresh's cycle is as much longer as the time that is
  /// withheld makes it.
  private func longer(_ kind: Int, _ share: Double) -> Remedy? {
    guard let interval = scenario.kinds[kind].onlyInterval else { return nil }
    let causes = [Cause.policy, .retry]
    let runs = causes.reduce(0.0) { sum, cause in
      sum + (summary.value(.runsPerDay, .mean, labels(kind).with(\.cause, cause.name)) ?? 0)
    }
    let cycle = 86_400 / max(runs, 1e-9)
    guard runs > 0, let span = UsualSpan.upFrom(interval.seconds + share * min(cycle, 86_400)), span > interval
    else { return nil }
    return .interval(kind: kind, span)
  }

  private var stalest: RunFinding? {
    let shares = scenario.kinds.indices.compactMap { kind in
      summary.value(.staleViews, .share, labels(kind)).map { (kind, $0) }
    }
    guard let (kind, share) = shares.max(by: { $0.1 < $1.1 }), share >= Self.leastStale else { return nil }
    var finding = RunFinding(.stale, kind: kind, value: share)
    finding.remedy = fresher(kind)
    return finding
  }

  /// A cache that forgets sooner, or a shorter interval where the system would grant it.
  private func fresher(_ kind: Int) -> Remedy? {
    let known = scenario.kinds[kind]
    guard let limit = known.staleAfter else { return nil }
    if let cache = known.cache, cache.ttl.map({ $0.seconds > limit.seconds / 2 }) ?? true {
      return UsualSpan.upFrom(min(limit.seconds / 2, 86_400)).map { .cacheLife(kind: kind, $0) }
    }
    guard let interval = known.onlyInterval, summary.withheldShare(labels(kind)) < Self.leastWithheld / 2,
      let half = UsualSpan.upFrom(interval.seconds / 2), half < interval, half >= .minutes(10)
    else { return nil }
    return .interval(kind: kind, half)
  }

  private var exhausted: RunFinding? {
    let times = scenario.kinds.indices.compactMap { kind in
      summary.value(.budgetExhaustedPerDay, .mean, labels(kind)).map { (kind, $0) }
    }
    guard let (kind, times) = times.max(by: { $0.1 < $1.1 }), times >= Self.leastExhausted else { return nil }
    var finding = RunFinding(.budget, kind: kind, value: times)
    finding.remedy = longer(kind, max(summary.withheldShare(labels(kind), because: .budget), 0.01))
    return finding
  }

  /// A cache whose widgets on one phone meet it cold together: a finding only once an answer for all has been tried.
  private func coldCache(_ kind: Int) -> RunFinding? {
    guard let cache = scenario.kinds[kind].cache, cache.scope == .kind, !cache.singleFlight else { return nil }
    let most =
      scenario.fleet.cohorts.map { cohort in
        cohort.widgets.reduce(0.0) { sum, placement in
          sum + placement.share.fraction * Double(placement.members.count { $0.kind == kind })
        }
      }.max() ?? 0
    guard most > 1, summary.value(.requests, .total, labels(kind)) ?? 0 > 0 else { return nil }
    var finding = RunFinding(.coldCaches, kind: kind, value: summary.value(.requests, .total, labels(kind)) ?? 0)
    finding.remedy = .singleFlight(kind: kind)
    return finding
  }
}

extension Summary {
  /// The share of the time for which a refresh that is due is withheld, for one reason or any.
  package func withheldShare(_ labels: Labels, because reason: WaitReason? = nil) -> Double {
    let labels = labels.with(\.reason, reason?.name ?? "")
    guard let waits = value(.waitsPerDay, .mean, labels), let length = value(.waitLength, .mean, labels) else {
      return 0
    }
    return min(waits * length / 86_400, 1)
  }
}
