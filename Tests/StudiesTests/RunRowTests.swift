import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// Runs, waits and lateness, compared with figures computed by hand.
struct RunRowTests {
  /// Two cohorts with one kind each: instances that ran 2, 2 and 4 times a day, and one that ran 10 times.
  private var run: SyntheticRun {
    var west = SyntheticRun.group(cohort: 0, kind: 0, instances: 3)
    west.runs[0] = 8
    west.runsPerDay = CountHistogram(counts: [0, 0, 2, 0, 1])
    west.runsPerDayByCause[0] = west.runsPerDay
    west.chargedRunsPerDay = west.runsPerDay
    west.freeRunsPerDay = CountHistogram(counts: [3])
    west.waits[3] = WaitTally(6, totalMilliseconds: 9_000)
    west.cacheHits = 9
    west.lateness.record(.milliseconds(500))
    west.lateness.record(.milliseconds(1_000))
    west.budgetExhausted = CountHistogram(counts: Array(repeating: 0, count: 13 * 60 + 30) + [2])
    var east = SyntheticRun.group(cohort: 1, kind: 1, instances: 1)
    east.runs[8] = 10
    east.runsPerDay = CountHistogram(counts: Array(repeating: 0, count: 10) + [1])
    east.runsPerDayByCause[8] = east.runsPerDay
    east.chargedRunsPerDay = CountHistogram(counts: [1])
    east.freeRunsPerDay = east.runsPerDay
    var run = SyntheticRun()
    run.replications = [SyntheticRun.replication(arrivals: [[], []], groups: [west, east])]
    return run
  }

  @Test func runsPerDayOverAllAndByLabel() {
    let summary = Summary(of: run.result)
    // (2 + 2 + 4 + 10) / 4
    #expect(summary.row(.runsPerDay, .mean)?.value == .real(4.5))
    #expect(summary.value(.runsPerDay, .p50) == 3)
    #expect(summary.row(.runsPerDay, .max)?.value == .whole(10))
    #expect(summary.value(.runsPerDay, .mean, Labels().with(\.kind, "weather")) == 8.0 / 3)
    #expect(summary.value(.runsPerDay, .mean, Labels().with(\.cohort, "east")) == 10)
    #expect(summary.value(.runsPerDay, .mean, Labels().with(\.charged, "yes")) == 2)
    #expect(summary.value(.runsPerDay, .max, Labels().with(\.cause, "placement")) == 10)
    #expect(summary.row(.runsPerDay, .mean, Labels().with(\.cause, "tap")) == nil)
  }

  @Test func waitLatenessCacheAndBudgetRowsAreRight() {
    let summary = Summary(of: run.result)
    #expect(summary.value(.waitsPerDay, .mean) == 1.5)
    #expect(summary.value(.waitsPerDay, .mean, Labels().with(\.kind, "weather").with(\.reason, "budget")) == 2)
    #expect(summary.value(.waitLength, .mean) == 1.5)
    #expect(summary.value(.waitsPerDay, .mean, Labels().with(\.reason, "idle")) == 0)
    #expect(summary.row(.waitLength, .mean, Labels().with(\.reason, "idle"))?.value == nil)
    #expect(summary.value(.lateness, .mean) == 0.75)
    #expect(summary.value(.lateness, .p50) == 0.75)
    #expect(summary.row(.lateness, .mean, Labels().with(\.kind, "news"))?.value == nil)
    #expect(summary.value(.cacheHitsPerDay, .mean, Labels().with(\.kind, "weather")) == 3)
    #expect(summary.value(.budgetExhaustedHour, .p50) == 13.5)
  }

  /// The counts of half a day are figures of that period, not twice as many a day (MODEL.md 8).
  @Test func countsBelowADayAreOfThePeriod() {
    var run = run
    run.duration = .hours(12)
    #expect(Summary(of: run.result).value(.waitsPerDay, .mean) == 1.5)
  }

  /// One of 3 instances exists only for the second half of four days (MODEL.md 1.5). Figures are over 10 days, and
  /// `widgets` is 10 / 4. Budgets run out once in 4 days of the first half and three times in 6 of the second.
  @Test func figuresUseInstanceTimePresent() {
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 3)
    let day = TimeAmount.day.milliseconds
    (group.milliseconds, group.millisecondsByHalf) = (10 * day, [4 * day, 6 * day])
    group.budgetExhaustedByHalf = [1, 3]
    group.budgetExhausted = CountHistogram(counts: [4])
    group.energy.spent[0] = 20_000_000_000
    var run = SyntheticRun()
    run.duration = .days(4)
    run.fleetDevices = 200
    run.replications = [SyntheticRun.replication(arrivals: [[], []], groups: [group])]
    let summary = Summary(of: run.result)
    #expect(summary.row(.widgets, .total)?.value == .whole(5))
    #expect(summary.value(.budgetExhaustedPerDay, .mean) == 0.4)
    #expect(summary.value(.budgetExhaustedDrift, .mean) == 0.25)
    #expect(summary.value(.energyPerDay, .mean) == 2)
  }

  @Test func unknownFiguresAreBlank() {
    var run = SyntheticRun()
    run.replications = [SyntheticRun.replication(arrivals: [[], []])]
    let summary = Summary(of: run.result)
    for (metric, statistic) in [(Metric.runsPerDay, Statistic.mean), (.lateness, .p95), (.peakRPS, .max)] {
      let rows = summary.rows.filter { $0.metric == metric && $0.statistic == statistic }
      #expect(!rows.isEmpty)
      #expect(rows.allSatisfy { $0.value == nil && $0.interval == nil })
    }
    #expect(summary.row(.requests, .total)?.value == .whole(0))
  }
}

extension WaitTally {
  fileprivate init(_ count: Int64, totalMilliseconds: Int128) {
    self.init()
    self.count = count
    self.totalMilliseconds = totalMilliseconds
  }
}
