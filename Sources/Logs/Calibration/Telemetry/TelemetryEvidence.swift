package import RequestStatistics
package import Scenario
internal import SimulationKernel

/// The evidence about a scenario from the records of a few testers' phones.
///
/// The records include every run with its delay, even runs that the backend did not see because of a cache or lack of
/// network. They contain no information about the number of phones or their zones.
package struct TelemetryEvidence: Sendable {
  package let phones: Int
  package let runs: Int
  /// One row per key about which the records contain any information.
  package let findings: [KeyFinding]
  /// The statistics of a kind's run outcomes, and of the number of widgets per phone.
  package let statistics: [LogStatistic]

  /// - Parameters:
  ///   - records: records sorted by phone, then by time.
  ///   - clocks: the clocks of zones that the scenario's phones may be in.
  package init(_ records: [TelemetryRecord], _ scenario: Scenario, clocks: [ZoneClock]) {
    let all = TelemetryRuns(records)
    (phones, runs) = (all.phones, all.runs.count)
    var direct: [KeyFinding] = []
    var statistics: [LogStatistic] = []
    for (index, kind) in scenario.kinds.enumerated() {
      let own = all.runs.filter { $0.record.kind == kind.name }
      guard !own.isEmpty else { continue }
      let laws = TelemetryLaws(runs: own, known: KnownPolicy(ofRuns: kind, scenario))
      direct += Self.findings(kind, laws)
      statistics += Self.statistics(scenario.kinds[index].name, own)
    }
    direct += Self.systemFindings(all.runs, scenario) + Self.offline(all.runs, scenario)
    let directPaths = Set(direct.map(\.path))
    // Budgets and the rules for idle phones cannot be estimated from records of individual runs.
    let evidence = LogEvidence(telemetry: all, scenario, clocks: clocks)
    let indirect = evidence.map { ScenarioKeys($0, scenario).findings } ?? []
    let others = indirect.filter { $0.owner == .system && !directPaths.contains($0.path) }
    findings = (direct + others).map { $0.from(.telemetry) }
    self.statistics = statistics
  }

  // MARK: Keys

  /// Returns findings about the team's own code, which records show directly.
  private static func findings(_ kind: Kind, _ laws: TelemetryLaws) -> [KeyFinding] {
    let path = "kinds.\(kind.name)."
    var rows: [KeyFinding] = []
    if kind.phases.count == 1, kind.windows.isEmpty, case .after(.constant(let span)) = kind.phases[0].reload {
      rows.append(row(path + "reload.after", span, laws.asked(after: [.network, .cache]), .span))
    }
    if case .reload(.after(.constant(let span))) = kind.onError {
      let estimate = laws.asked(after: [.error])
      if estimate.count > 0 { rows.append(row(path + "on_error.after", span, estimate, .span)) }
    }
    if let cache = kind.cache {
      let estimate = laws.cacheTTL(cache.scope)
      if estimate.count > 0 { rows.append(row(path + "cache.ttl", cache.ttl, estimate, .span)) }
    }
    return rows
  }

  /// Returns findings about system rules, which apply equally to all kinds.
  private static func systemFindings(_ runs: [TelemetryRuns.Run], _ scenario: Scenario) -> [KeyFinding] {
    guard let kind = scenario.kinds.first else { return [] }
    var known = KnownPolicy(ofRuns: kind, scenario)
    known.jitter = 0
    let laws = TelemetryLaws(runs: runs, known: known)
    var rows: [KeyFinding] = []
    if case .uniform(let from, let to) = scenario.os.startDelay.policy, from == .zero {
      rows.append(row("os.start_delay.policy", to, laws.window(), .uniformSpan))
    }
    if case .uniform(let from, let to) = scenario.os.startDelay.inUse, from == .zero {
      rows.append(row("os.start_delay.in_use", to, laws.inUseWindow(), .uniformSpan))
    }
    let spacing = laws.spacing()
    if spacing.value != nil { rows.append(row("os.min_spacing", scenario.os.minSpacing, spacing, .span)) }
    return rows
  }

  /// Returns findings about offline times, which are at best weakly known because testers do not represent the fleet's
  /// users.
  private static func offline(_ runs: [TelemetryRuns.Run], _ scenario: Scenario) -> [KeyFinding] {
    guard scenario.fleet.cohorts.count == 1, case .roaming(let roaming) = scenario.fleet.cohorts[0].network else {
      return []
    }
    var share = ClusteredShare()
    for run in runs { if let isOffline = run.record.isOffline { share.add(isOffline, of: run.record.phone) } }
    guard share.observations > 0 else { return [] }
    let known = roaming.offlineShare.fraction
    return [
      KeyFinding(
        "fleet.cohorts.\(scenario.fleet.cohorts[0].name).network.offline.share", written: QuantityText.share(known),
        known: known, share.estimate.limited(to: .weakly, .testersOnly), .share)
    ]
  }

  private static func row(
    _ path: String, _ known: TimeAmount?, _ estimate: Estimate, _ measure: KeyMeasure
  ) -> KeyFinding {
    let text = known.map(QuantityText.duration) ?? "none"
    return KeyFinding(
      path, written: measure == .uniformSpan ? "{uniform: 0s..\(text)}" : text, known: known?.seconds, estimate, measure
    )
  }

  // MARK: Statistics

  private static func statistics(_ kind: String, _ runs: [TelemetryRuns.Run]) -> [LogStatistic] {
    let ended = runs.filter { $0.record.outcome != .unfinished }
    var rows = [TelemetryOutcome.network, .cache, .error].compactMap { outcome -> LogStatistic? in
      var share = ClusteredShare()
      for run in ended { share.add(run.record.outcome == outcome, of: run.record.phone) }
      return share.value.map {
        LogStatistic(
          kind: kind, name: "telemetry_outcome_share", part: outcome.rawValue, value: $0.share, error: $0.error)
      }
    }
    let widgets = Dictionary(grouping: runs) { $0.record.phone }.mapValues { Set($0.map(\.record.widget)).count }
    let counts = widgets.values.map(Double.init).sorted()
    let count = Double(counts.count)
    let mean = counts.reduce(0, +) / count
    let squares = counts.reduce(0) { $0 + square($1 - mean) }
    rows.append(
      LogStatistic(
        kind: kind, name: "telemetry_widgets_per_phone", part: "", value: mean,
        error: counts.count > 1 ? (squares / (count - 1) / count).squareRoot() : nil))
    return rows
  }

  /// Returns the findings from telemetry merged with those from a log. If both contain a finding about the same key,
  /// the more precise one is used. If both are equally precise, the finding from telemetry is used, because it is based
  /// on all runs instead of a few requests.
  package func joined(with log: [KeyFinding]) -> [KeyFinding] {
    let own = Dictionary(findings.map { ($0.path, $0) }) { first, _ in first }
    let better = log.map { finding in
      own[finding.path].flatMap { $0.estimate.rank >= finding.estimate.rank ? $0 : nil } ?? finding
    }
    let known = Set(log.map(\.path))
    return better + findings.filter { !known.contains($0.path) }
  }
}

extension KnownPolicy {
  /// Creates the known properties of a kind for telemetry, which contains all runs, including those served from a
  /// cache.
  fileprivate init(ofRuns kind: Kind, _ scenario: Scenario) {
    self.init(kind, scenario, nil)
    cacheTTL = 0
  }
}

typealias TelemetryOutcome = TelemetryRecord.Outcome

extension LogEvidence {
  /// Creates estimates from the runs of widgets, in the form used for logs; `nil` if there are no runs of any kind in
  /// the scenario.
  init?(telemetry: TelemetryRuns, _ scenario: Scenario, clocks: [ZoneClock]) {
    let names = scenario.kinds.map(\.name)
    let picture = LogSummary(LogCensus(within: LogCensus.Budgets()), LogNames())
    guard
      let all = telemetry.history(
        of: Set(names.indices), among: names, name: { KindTraffic.index(ofKind: $0) })
    else { return nil }
    let own = names.indices.compactMap { kind -> (kind: Int, history: WakeHistory, known: KnownPolicy)? in
      telemetry.history(of: [kind], among: names, name: { KindTraffic.index(ofKind: $0) }).map {
        (kind, $0, KnownPolicy(ofRuns: scenario.kinds[kind], scenario))
      }
    }
    let maximum = own.max { $0.history.wakes.count < $1.history.wakes.count }
    let fleet = FleetEstimates(all, known: maximum?.known ?? KnownPolicy(), clocks: clocks)
    self.init(
      traffic: KindTraffic(picture, scenario), fleet: fleet,
      kinds: own.map {
        (
          $0.kind,
          KindEstimates($0.history, known: $0.known, phones: fleet.phoneZones, resolution: .millisecond)
        )
      }, history: all)
  }
}

/// The source of a finding.
package enum EvidenceSource: String, CaseIterable, Sendable {
  /// Backend access logs.
  case log
  /// WidgetFleetProbe records from testers' phones.
  case telemetry
}

extension Estimate {
  /// The rank of the estimate's verdict, which increases with the amount of information.
  fileprivate var rank: Int {
    switch verdict {
    case .identified: 3
    case .weakly: 2
    case .oneSided: 1
    case .notFromThisLog: 0
    }
  }
}
