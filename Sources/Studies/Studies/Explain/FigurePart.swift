import FleetEngine
package import Scenario
package import SimulationKernel

/// The contribution of one cohort and cause to a figure.
package struct FigurePart: Hashable, Sendable {
  /// The index of the cohort in `Scenario.fleet.cohorts`; `nil` for all cohorts.
  package var cohort: Int?
  package var cause: Cause?
  package var failure: FailureReason?
  /// The contribution as a fraction of the figure, from 0 to 1.
  package var share: Double

  /// Returns the parts that contribute at least 1 %. Requests in the busiest window and failures are grouped by cohort
  /// and cause; charged reloads are grouped by cause only.
  static func all(
    of finding: RunFinding, _ question: FigureQuestion, _ run: StoredRun, _ summary: Summary
  ) -> [FigurePart] {
    switch question {
    case .peak:
      guard let crest = finding.crest else { return [] }
      let minutes = crest.minute..<crest.minute + Int(crest.window.length.milliseconds / 60_000)
      return parts(of: run) { minutes.contains($0.minute) && $0.endpoint == finding.endpoint ? $0.requests : 0 }
    case .failures:
      return reasons(finding, summary, run.scenario)
        + parts(of: run) { $0.endpoint == finding.endpoint ? $0.failed : 0 }
    case .budget: return charged(finding, summary, run.scenario)
    case .stale: return []
    }
  }

  private static let minimum = 0.01

  private static func parts(of run: StoredRun, _ count: (StoredMinute) -> Int64) -> [FigurePart] {
    var sums: [Int: Int64] = [:]
    for row in run.replications.first?.minutes ?? [] {
      let own = count(row)
      if own > 0 { sums[row.cohort * Cause.count + Int(row.cause.rawValue), default: 0] += own }
    }
    let all = Double(sums.values.reduce(0, +))
    return ranked(
      sums.sorted { $0.key < $1.key }.map { key, sum in
        FigurePart(cohort: key / Cause.count, cause: Cause.allCases[key % Cause.count], share: Double(sum) / all)
      })
  }

  private static func reasons(_ finding: RunFinding, _ summary: Summary, _ scenario: Scenario) -> [FigurePart] {
    let labels = scenario.labels(endpoint: finding.endpoint)
    let counts = FailureReason.allCases.map { reason in
      (reason, summary.value(.failures, .total, labels.with(\.reason, reason.name)) ?? 0)
    }
    let all = counts.reduce(0) { $0 + $1.1 }
    return ranked(counts.map { FigurePart(failure: $0.0, share: all > 0 ? $0.1 / all : 0) })
  }

  private static func charged(_ finding: RunFinding, _ summary: Summary, _ scenario: Scenario) -> [FigurePart] {
    guard let kind = finding.kind else { return [] }
    let labels = Scope.kind(kind).labels(in: scenario)
    let runs = Cause.allCases.filter(\.isCharged).map { cause in
      (cause, summary.value(.runsPerDay, .mean, labels.with(\.cause, cause.name)) ?? 0)
    }
    let all = runs.reduce(0) { $0 + $1.1 }
    return ranked(runs.map { FigurePart(cause: $0.0, share: all > 0 ? $0.1 / all : 0) })
  }

  private static func ranked(_ parts: [FigurePart]) -> [FigurePart] {
    parts.filter { $0.share >= minimum }.enumerated().sorted {
      ($1.element.share, $0.offset) < ($0.element.share, $1.offset)
    }.map(\.element)
  }
}

/// The model rule by which a cause starts refreshes in a scenario, and the keys that configure the rule.
package struct CauseRule: Hashable, Sendable {
  /// The paths of the scenario keys that configure the rule.
  package var keys: [String]
  /// The section of Docs/MODEL.md that describes the rule.
  package var section: String
  /// Whether all kinds with this rule are scheduled by clock time, so that their refreshes are due on all phones at
  /// once.
  package var isByTheClock = false
  /// The spacing of timeline entries, if their alignment makes refreshes due on all phones at once; `nil` for other
  /// causes.
  package var alignedEvery: TimeAmount?

  /// - Parameter endpoint: the endpoint to which the kinds send requests; `nil` for all.
  /// - Parameter cohort: the cohort whose phones have the kinds; `nil` for all.
  package init(_ cause: Cause, endpoint: Int?, cohort: Int?, in scenario: Scenario) {
    let kinds = scenario.kinds.indices.filter { kind in
      let asks = endpoint == nil || scenario.kinds[kind].requests.contains { $0.endpoint == endpoint }
      let has = { (cohort: Cohort) in cohort.widgets.contains { $0.members.contains { $0.kind == kind } } }
      return asks && (cohort.map { has(scenario.fleet.cohorts[$0]) } ?? true)
    }
    let ofKinds = { (key: String) in kinds.map { "kinds.\(scenario.kinds[$0].name).\(key)" } }
    let events = { (key: String, isMeant: (EventAction) -> Bool) in
      scenario.events.filter { isMeant($0.action) }.map { "events.\($0.name).\(key)" }
    }
    switch cause {
    case .policy:
      let reloading = kinds.filter { scenario.kinds[$0].policies.contains { $0 != .never } }
      keys = reloading.map { kind in
        "kinds.\(scenario.kinds[kind].name)." + (scenario.kinds[kind].phases.count > 1 ? "phases" : "reload")
      }
      section = "4.1"
      isByTheClock =
        !reloading.isEmpty
        && reloading.allSatisfy { scenario.kinds[$0].sharedPeriods.contains { $0 != nil } }
      let aligned = reloading.map { kind in
        scenario.kinds[kind].policies.indices.lazy.compactMap { scenario.kinds[kind].alignedEntries(of: $0) }.first
      }
      if isByTheClock, let first = aligned.first, aligned.allSatisfy({ $0 == first }) { alignedEvery = first?.every }
    case .retry: (keys, section) = (ofKinds("on_error"), "5.5")
    case .background:
      let reloads = scenario.app.reloads.indices.filter { index in
        if case .backgroundRefresh = scenario.app.reloads[index].occasion { true } else { false }
      }
      keys =
        reloads.map { "app.reloads.\($0)" }
        + events("push") { if case .push(let push) = $0 { push.kind == .silent } else { false } }
      section = "4.2"
    case .widgetPush:
      keys = events("push") { if case .push(let push) = $0 { push.kind == .widget } else { false } }
      section = "4.2"
    case .foreground: (keys, section) = (scenario.app.reloads.indices.map { "app.reloads.\($0)" }, "2.8")
    case .tap:
      keys = kinds.filter { scenario.kinds[$0].taps != nil }.map { "kinds.\(scenario.kinds[$0].name).taps" }
      section = "2.6"
    case .action: (keys, section) = (ofKinds("taps.requests"), "2.6")
    case .view: (keys, section) = (["os.stale_view_reload", "os.stale_view_grace"], "4.2")
    case .location: (keys, section) = (ofKinds("location_changes_per_day"), "2.7")
    case .placement: (keys, section) = (["fleet.growth_per_day", "clock.settle"], "1.5")
    case .system:
      keys =
        events("app_update") { if case .appUpdate = $0 { true } else { false } }
        + events("reboot") { if case .reboot = $0 { true } else { false } }
        + events("system_change") { if case .systemChange = $0 { true } else { false } }
      section = "4.2"
    case .gallery:
      (keys, section) = (events("gallery") { if case .gallery = $0 { true } else { false } }, "4.2")
    }
  }
}
