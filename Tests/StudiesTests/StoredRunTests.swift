import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// The series and histograms of a run.
struct StoredRunTests {
  private func step(reached: Double, base: Double, room: Double) -> StoredQueueStep {
    StoredQueueStep(reached: reached, base: base, room: room, capacity: room, refused: 0, backlog: 0)
  }

  /// A step is overloaded if more arrives than it can serve: a capacity that is exactly used up serves everything
  /// (MODEL.md 8).
  @Test(arguments: [(6.0, 4.0, 10.0, false), (7, 4, 10, true), (6, 3, 10, false), (6, 4, .infinity, false)])
  func stepIsOverloadedOnlyAboveCapacity(reached: Double, base: Double, room: Double, isOverloaded: Bool) {
    #expect(step(reached: reached, base: base, room: room).isOverloaded == isOverloaded)
  }

  /// A group keeps the runs per day of all replications, separately for each kind and cohort.
  @Test func groupsAddUpOverReplications() {
    func group(_ cohort: Int, _ counts: [Int64]) -> GroupResult {
      var group = SyntheticRun.group(cohort: cohort, kind: 0, instances: 10)
      group.runsPerDay = CountHistogram(counts: counts)
      return group
    }
    var run = SyntheticRun()
    run.replications = [[0, 1, 2], [5, 0, 0, 3]].map { counts in
      SyntheticRun.replication(arrivals: [[1], [1]], groups: [group(0, counts), group(1, [0, 1])])
    }
    let groups = StoredRun(of: run.result).groups
    #expect(groups.map(\.cohort) == [0, 1])
    #expect(groups.map(\.runsPerDay.counts) == [[5, 1, 2, 3], [0, 2]])
  }
}

/// The results of a run on the same draws without its outages, read from its file.
struct StoredEchoTests {
  private func run(duration: TimeAmount) -> StoredRun {
    var run = SyntheticRun()
    (run.step, run.duration) = (.minute, duration)
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]])]
    return StoredRun(of: run.result)
  }

  /// An endpoint's minutes count only its own requests: first attempts, reloads after errors, and later attempts.
  @Test func attemptsCountOnlyTheEndpoint() {
    func row(_ minute: Int, _ endpoint: Int, _ cause: Cause, _ requests: Int64, retries: Int64 = 0) -> StoredMinute {
      StoredMinute(
        minute: minute, endpoint: endpoint, cohort: 0, cause: cause, requests: requests, failed: 0, retries: retries)
    }
    var run = run(duration: .minutes(4))
    run.replications[0].minutes = [
      row(0, 1, .policy, 700), row(1, 0, .policy, 10, retries: 3), row(1, 0, .retry, 5, retries: 1),
      row(1, 1, .policy, 800), row(3, 0, .policy, 2), row(3, 1, .retry, 900, retries: 400),
    ]
    let none = TryCounts()
    #expect(
      EndpointTries(of: 0, in: run).minutes == [
        none, TryCounts(first: 7, reloads: 4, retries: 4), none, TryCounts(first: 2),
      ])
  }

  /// Attempts per minute whose sum over a year exceeds 64 bits do not occur in written files: numbers below 10^11 are
  /// read.
  @Test(arguments: [(Int64(99_999_999_999), true), (100_000_000_000, false), (Int64(1) << 61, false)])
  func countsHaveALimit(count: Int64, isRead: Bool) throws {
    var run = run(duration: .minute)
    run.scenario.events = [.outage("night", at: 0, lasting: 60)]
    run.eventSpans = [EventSpan(event: 0, from: .start, to: .start + .minute)]
    var trials = StoredTrials(withoutOutages: [
      EndpointTries(endpoint: 0, minutes: [TryCounts(first: 7, reloads: 8, retries: count)])
    ])
    let written = trials
    var file = StoredFields()
    trials.visit(&file, of: run)
    var copy = StoredFields(file.bytes)
    var read = StoredTrials()
    read.visit(&copy, of: run)
    if isRead {
      try copy.end()
      #expect(read == written)
    } else {
      let error = #expect(throws: StoredFileError.self) { try copy.end() }
      #expect(error?.sentence == "is damaged: it contains an impossible count")
    }
  }
}
