import RequestStatistics
import Scenario
import SimulationKernel
import Testing

@testable import Calibration

/// Findings from testers' records for which the truth is known.
@Suite struct TelemetryTests {
  private static func scenario(_ change: (inout Kind) -> Void = { _ in }) -> Scenario {
    var kind = Kind()
    kind.name = "weather"
    kind.phases[0].reload = .after(.constant(.minutes(60)))
    change(&kind)
    var cohort = Cohort()
    cohort.name = "all"
    var scenario = Scenario()
    scenario.kinds = [kind]
    scenario.fleet.cohorts = [cohort]
    return scenario
  }

  private static func laws(_ lab: TelemetryLab, key: UInt64 = 1, jitter: Double = 0) -> TelemetryLaws {
    var known = KnownPolicy()
    known.jitter = jitter
    return TelemetryLaws(runs: TelemetryRuns(lab.records(key: key)).runs, known: known)
  }

  // MARK: Truths

  @Test func intervalsHoldTheTruth() throws {
    var (window, inUse, spacing) = (Coverage(), Coverage(), Coverage())
    var eager = TelemetryLab()
    eager.interval = 60
    for trial in 0..<Coverage.trials {
      let laws = Self.laws(TelemetryLab(), key: UInt64(trial))
      window.add(laws.window(), truth: 900)
      inUse.add(laws.inUseWindow(), truth: 60)
      spacing.add(Self.laws(eager, key: UInt64(trial)).spacing(), truth: 300)
      // The dates set by code have no random variation: the truth always lies between the bounds.
      let asked = laws.asked(after: [.network, .cache])
      #expect(asked.verdict == .identified)
      #expect(try #require(asked.low) <= 1_800 && 1_800 <= (try #require(asked.high)))
    }
    for coverage in [window, inUse, spacing] { #expect(Coverage.expected.contains(coverage.covered)) }
    // The random error is W / n: about 2 700 late runs, 300 in use, 1 800 gaps in their first minute.
    #expect(window.deviation < 5 && inUse.deviation < 2 && spacing.deviation < 1)
  }

  /// Jitter of up to ten minutes is added to each date; the earliest date gives the interval.
  @Test func jitterDoesNotHideTheInterval() throws {
    var lab = TelemetryLab()
    lab.jitter = 600
    let asked = Self.laws(lab, jitter: 600).asked(after: [.network])
    #expect(asked.verdict == .identified)
    #expect(try #require(asked.low) <= 1_800 && 1_800 <= (try #require(asked.high)))
    // If the policy has no jitter, dates seem to follow several intervals.
    let unknown = Self.laws(lab).asked(after: [.network])
    #expect(unknown.verdict == .weakly && unknown.reason == .severalIntervals)
  }

  @Test func failedRunsHaveTheirOwnInterval() throws {
    var lab = TelemetryLab()
    lab.offline = 0.1
    let asked = Self.laws(lab).asked(after: [.error])
    #expect(try #require(asked.low) <= 900 && 900 <= (try #require(asked.high)))
    #expect(asked.verdict == .identified)
  }

  /// Answers are cached for an hour and a half: a run after 60 to 75 minutes is served, one after 90 or more is not.
  @Test func cacheTTLLiesBetweenHitsAndMisses() throws {
    var lab = TelemetryLab()
    lab.ttl = 5_400
    for scope in [Cache.Scope.kind, .instance] {
      let ttl = Self.laws(lab).cacheTTL(scope)
      #expect(try #require(ttl.low) <= 5_400 && 5_400 <= (try #require(ttl.high)))
    }
    lab.ttl = .infinity
    let forever = Self.laws(lab).cacheTTL(.kind)
    #expect(forever.verdict == .oneSided && forever.high == nil)
    #expect(try #require(forever.low) > 13 * 86_400)
  }

  /// A phone without a passcode is never locked, so only the mixture is known.
  @Test func neverLockedPhoneDoesNotRevealUse() throws {
    var lab = TelemetryLab()
    lab.hasPasscode = false
    let laws = Self.laws(lab)
    #expect(laws.inUseWindow().verdict == .notFromThisLog)
    let window = laws.window()
    #expect(abs(try #require(window.value) - 900) < 10)
  }

  /// Phones are in use from when the app comes to the front until it leaves, locked or not.
  @Test func foregroundAppMeansInUse() {
    var front = TelemetryRecord(phone: 1, number: 1, event: .foreground, at: 0)
    var records = [front]
    for number in 2...3 {
      var run = TelemetryRecord(phone: 1, number: Int64(number), event: .run, at: Int64(number))
      run.widget = 1
      records.append(run)
    }
    front.event = .background
    (front.number, front.at) = (4, 4)
    records.append(front)
    var last = records[2]
    (last.number, last.at) = (5, 5)
    records.append(last)
    // Another phone's app never came to the front.
    last.phone = 2
    records.append(last)
    #expect(TelemetryRuns(records).runs.map(\.isInUse) == [true, true, nil, nil])
  }

  /// A missing run leaves no gap that could be taken for a delay.
  @Test func missingRunLeavesNoDelay() {
    let records = [65_534, 65_535, 0, 2].enumerated().map { index, sequence in
      var run = TelemetryRecord(phone: 1, number: Int64(index + 1), event: .run, at: Int64(index))
      (run.widget, run.sequence) = (1, Int64(sequence))
      return run
    }
    #expect(TelemetryRuns(records).runs.map { $0.previous?.sequence } == [nil, 65_534, 65_535, nil])
  }

  // MARK: Keys

  @Test func scenarioKeysAreComparedWithRecords() throws {
    var lab = TelemetryLab()
    (lab.offline, lab.ttl) = (0.05, 2_000)
    let scenario = Self.scenario { $0.cache = Cache() }
    let evidence = TelemetryEvidence(lab.records(key: 3), scenario, clocks: [])
    #expect(evidence.phones == 5)
    let found = Dictionary(evidence.findings.map { ($0.path, $0) }) { first, _ in first }
    #expect(found.count == evidence.findings.count)
    #expect(evidence.findings.allSatisfy { $0.source == .telemetry })
    let reload = try #require(found["kinds.weather.reload.after"])
    #expect(reload.contradicts && reload.found == "30min")
    #expect(found["os.start_delay.policy"]?.contradicts == false)
    // The budget is what a log of these runs would give.
    #expect(found["os.budget.capacity"]?.estimate.verdict == .oneSided)
    let offline = try #require(found["fleet.cohorts.all.network.offline.share"])
    #expect(offline.estimate.verdict == .weakly && offline.estimate.reason == .testersOnly && offline.found == nil)
    // Testers are not a random sample of a fleet.
    #expect(found["fleet.devices"] == nil)
    let shares = evidence.statistics.filter { $0.name == "telemetry_outcome_share" }.map(\.value)
    #expect(shares.count == 3 && abs(shares.reduce(0, +) - 1) < 1e-9)
    #expect(evidence.statistics.last?.value == 1)
  }

  @Test func morePreciseOfTwoSourcesWins() throws {
    let evidence = TelemetryEvidence(TelemetryLab().records(key: 4), Self.scenario(), clocks: [])
    func log(_ path: String, _ estimate: Estimate) -> KeyFinding {
      KeyFinding(path, written: "1h", known: 3_600, estimate, .span)
    }
    let known = Estimate(1_800, low: 1_790, high: 1_810, verdict: .identified, count: 9)
    let joined = evidence.joined(with: [
      log("kinds.weather.reload.after", known), log("fleet.devices", known), log("os.budget.capacity", known),
    ])
    #expect(joined.prefix(3).map(\.path) == ["kinds.weather.reload.after", "fleet.devices", "os.budget.capacity"])
    // Identified by both; unknown in the telemetry; only bounded by it.
    #expect(joined.prefix(3).map(\.source) == [.telemetry, .log, .log])
    #expect(Set(joined.map(\.path)).count == joined.count)
    #expect(joined.contains { $0.path == "os.start_delay.in_use" && $0.source == .telemetry })
  }

  @Test func emptyRecordsGiveNoFindings() {
    let evidence = TelemetryEvidence([], Self.scenario(), clocks: [])
    #expect(evidence.findings.allSatisfy { $0.estimate.verdict == .notFromThisLog })
    #expect(evidence.phones == 0 && evidence.statistics.isEmpty)
  }

  // MARK: Shares of clusters

  /// With the same number of observations in each cluster, the variance is that of the cluster shares divided by their
  /// number.
  @Test func shareErrorsAreThoseOfClusterMeans() throws {
    let hits = [3, 5, 8, 2]
    var share = ClusteredShare()
    for (cluster, own) in hits.enumerated() {
      for observation in 0..<10 { share.add(observation < own, of: UInt64(cluster)) }
    }
    let own = hits.map { Double($0) / 10 }
    let mean = own.reduce(0, +) / 4
    let variance = own.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 3
    let value = try #require(share.value)
    #expect(abs(value.share - mean) < 1e-12)
    #expect(abs(try #require(value.error) - (variance / 4).squareRoot()) < 1e-12)
  }

  @Test func unseenEventHasAnUpperBound() {
    var share = ClusteredShare()
    for observation in 0..<300 { share.add(false, of: UInt64(observation % 3)) }
    #expect(share.estimate.verdict == .oneSided)
    // (1 - x)^300 = 5 % at x = 0.00994.
    #expect(abs((share.estimate.high ?? 1) - 0.01) < 1e-4)
    #expect(ClusteredShare().estimate.verdict == .notFromThisLog)
  }
}

/// Phones with one widget, over two weeks. The next run comes some time after a run, and 15 minutes after a failed one.
/// Delays are up to a minute while unlocked and up to 15 minutes otherwise. A run starts at least five minutes after
/// the last one ended. Durations are in seconds.
struct TelemetryLab {
  var phones = 5
  var interval = 1_800.0
  var jitter = 0.0
  var window = 900.0
  /// The lifetime of a cached answer; 0 for none.
  var ttl = 0.0
  /// The proportion of runs without a network.
  var offline = 0.0
  var hasPasscode = true

  func records(key: UInt64) -> [TelemetryRecord] {
    (0..<phones).flatMap { phone in
      var draws = Draws(key: key, stream: phone)
      return records(of: UInt64(phone + 1), &draws)
    }
  }

  private func records(of phone: UInt64, _ draws: inout Draws) -> [TelemetryRecord] {
    var records: [TelemetryRecord] = []
    var start = 1_800_000_000 + draws.uniform() * interval
    let last = start + 14 * 86_400
    var (due, fetched, isUnlocked): (Int64?, Double, Bool) = (nil, -.infinity, false)
    while start < last {
      let end = start + 0.2 + draws.uniform() * 0.6
      var run = TelemetryRecord(phone: phone, number: Int64(records.count + 1), event: .run, at: Int64(start * 1_000))
      (run.kind, run.widget, run.sequence) = ("weather", phone << 8, Int64(records.count + 1) & 0xFFFF)
      (run.due, run.cause) = (due, due == nil ? .other : .scheduled)
      (run.end, run.isLocked) = (Int64(end * 1_000), hasPasscode && !isUnlocked)
      let isOffline = draws.isTrue(offline)
      run.isOffline = isOffline
      run.outcome = start - fetched < ttl ? .cache : isOffline ? .error : .network
      if run.outcome == .network { fetched = end }
      let span = run.outcome == .error ? 900 : interval + draws.uniform() * jitter
      let asked = start + draws.uniform() * (end - start) + span
      run.next = Int64(asked * 1_000)
      records.append(run)
      due = run.next
      isUnlocked = draws.isTrue(0.1)
      start = max(asked, end + 300) + draws.uniform() * (isUnlocked ? 60 : window)
    }
    return records
  }
}
