import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// Origin loads, overloads and recoveries, compared with figures computed by hand.
struct BackendRowTests {
  private let cdn = CDN.with {
    $0.keys = 10
    $0.ttl = .minute
    $0.collapsing = false
  }

  /// Returns two endpoints for as many seconds as there are steps.
  private func result(_ steps: [[SyntheticStep]], failures: [[UInt32]]? = nil) -> RunResult {
    var run = SyntheticRun()
    run.duration = .seconds(Int64(steps.first?.count ?? 0))
    let arrivals = steps.map { $0.map { UInt32($0.arrivals) } }
    let calm = arrivals.map { $0.map { _ in UInt32(0) } }
    run.replications = [SyntheticRun.replication(arrivals: arrivals).failing(failures ?? calm).with(steps)]
    return run.result
  }

  private func window(_ name: String, _ endpoint: String = "") -> Labels {
    Labels().with(\.window, name).with(\.endpoint, endpoint)
  }

  // MARK: Origins

  @Test func originsBehindACDN() {
    let api = [0.5, 2.25, 0, 1.25].map { SyntheticStep(arrivals: 10, origin: $0) }
    var result = result([api, Array(repeating: SyntheticStep(arrivals: 3), count: 4)])
    result.scenario.endpoints[0].cdn = cdn
    let summary = Summary(of: result)
    #expect(summary.value(.originPeakRPS, .max, window("1s", "api")) == 2.25)
    #expect(summary.value(.originMeanRPS, .mean, window("1s", "api")) == 1)
    // The p99 of 0, 0.5, 1.25 and 2.25 is 0.97 of the way from the third to the fourth.
    #expect(abs((summary.value(.originP99RPS, .p99, window("1s", "api")) ?? 0) - 2.22) < 1e-9)
    #expect(abs((summary.value(.originP999RPS, .p999, window("1s", "api")) ?? 0) - 2.247) < 1e-9)
    #expect(summary.value(.originPeakToMean, .max, window("1s", "api")) == 2.25)
    // Without a CDN every request reaches its origin.
    #expect(summary.value(.originPeakRPS, .max, window("1s")) == 5.25)
    #expect(summary.row(.originPeakRPS, .max, window("1s", "images")) == nil)
    #expect(summary.value(.peakRPS, .max, window("1s", "api")) == 10)
    #expect(summary.row(.originPeakRPS, .max, window("10s", "api"))?.value == nil)
  }

  /// Copies are counted if a CDN may answer with them.
  @Test func staleAnswers() {
    let api = [0.5, 2.25, 0].map { SyntheticStep(arrivals: 10, staleAnswers: $0) }
    var result = result([api, api])
    let labels = Labels().with(\.endpoint, "api")
    result.scenario.endpoints[0].cdn = cdn
    #expect(Summary(of: result).row(.cdnStaleAnswers, .total, labels) == nil)
    result.scenario.endpoints[0].cdn?.staleIfError = .minute
    let summary = Summary(of: result)
    #expect(summary.value(.cdnStaleAnswers, .total, labels) == 2.75)
    #expect(summary.row(.cdnStaleAnswers, .total, labels.with(\.endpoint, "images")) == nil)
  }

  /// The load at an origin is a fluid of the whole fleet but has its sample's noise, so it is estimated too.
  @Test func originsOfASampleAreEstimated() throws {
    let steps = (0..<400).map { SyntheticStep(arrivals: 100, origin: $0 % 2 == 0 ? 40 : 60) }
    var result = result([steps, Array(repeating: SyntheticStep(), count: 400)])
    result.scenario.endpoints[0].cdn = cdn
    result.scenario.fleet.devices = 1_000
    let row = try #require(Summary(of: result).row(.originPeakRPS, .max, window("1s", "api")))
    let value = try #require(row.value).approximate
    // 50 per second with variance 25: the largest of 400 is about 50 + 3 x 5.
    #expect(row.isEstimate && value > 58 && value < 72, "\(row)")
  }

  @Test func withoutABackendOriginsAndOverloadsAreUnknown() {
    var run = SyntheticRun()
    run.duration = .seconds(1)
    run.replications = [SyntheticRun.replication(arrivals: [[1], [1]])]
    #expect(Summary(of: run.result).row(.overloadSeconds, .total) == nil)
    #expect(Summary(of: run.result).row(.originPeakRPS, .max, window("1s")) == nil)
    var result = run.result
    result.scenario.endpoints[0].cdn = cdn
    result.scenario.endpoints[0].capacity = 5
    let summary = Summary(of: result)
    for row in [summary.row(.originMeanRPS, .mean, window("1s", "api")), summary.row(.overloadSeconds, .total)] {
      #expect(row != nil)
      #expect(row?.value == nil)
    }
  }

  // MARK: Overload

  @Test func overloadCountsStepsAboveTheCapacity() {
    // 10 per second: a load at exactly the limit does not exceed it; the base load counts too.
    let api = [(10.0, 0.0), (11, 0), (8, 3), (2, 8), (0, 0)].map {
      SyntheticStep(arrivals: Int64($0.0), reached: $0.0, base: $0.1)
    }
    let images = [0, 0, 20, 20, 0].map { SyntheticStep(arrivals: $0, reached: Double($0)) }
    var result = result([api, images])
    result.scenario.endpoints[0].capacity = 10
    result.scenario.endpoints[1].capacity = 10
    let summary = Summary(of: result)
    #expect(summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, "api"))?.value == .whole(2))
    #expect(summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, "images"))?.value == .whole(2))
    #expect(summary.row(.overloadSeconds, .total)?.value == .whole(3))
    #expect(summary.row(.overloadRequests, .total, Labels().with(\.endpoint, "api"))?.value == .whole(19))
    #expect(summary.row(.overloadRequests, .total)?.value == .whole(59))
    // A sample's noise exceeds a capacity that the fleet's load does not.
    result.scenario.fleet.devices *= 10
    #expect(Summary(of: result).row(.overloadRequests, .total)?.value == nil)
  }

  @Test func longestQueueIsReachedInAStep() {
    let api = [0.0, 7.5, 3].map { SyntheticStep(arrivals: 1, reached: 1, backlog: $0) }
    let images = [0.0, 0, 9].map { SyntheticStep(arrivals: 1, reached: 1, backlog: $0) }
    var result = result([api, images])
    result.scenario.endpoints[0].capacity = 10
    result.scenario.endpoints[1].capacity = 10
    let summary = Summary(of: result)
    #expect(summary.value(.queueLength, .max, Labels().with(\.endpoint, "api")) == 7.5)
    #expect(summary.value(.queueLength, .max) == 9)
  }

  /// Six requests in the second minute, four of them from taps; the first minute has five.
  @Test func theBusiestMinuteHasItsCauses() {
    var run = SyntheticRun()
    run.replications = [SyntheticRun.replication(arrivals: [[], []])]
    let rows: [(Int, Cause, Int64)] = [(0, .policy, 5), (1, .policy, 2), (1, .tap, 4)]
    run.replications[0].causeMinutes = rows.map { minute, cause, requests in
      var traffic = Traffic()
      traffic.requests = requests
      return CauseMinute(minute: minute, endpoint: 0, cohort: 0, cause: cause, traffic: traffic)
    }
    var group = SyntheticRun.group(cohort: 0, kind: 0, instances: 1)
    for cause in [Cause.policy, .tap] { group.runs[Int(cause.rawValue)] = 1 }
    run.replications[0].groups = [group]
    let summary = Summary(of: run.result)
    let share = { (cause: Cause) in summary.value(.busiestMinute, .share, Labels().with(\.cause, cause.name)) }
    #expect(abs((share(.tap) ?? 0) - 2.0 / 3) < 1e-12 && abs((share(.policy) ?? 0) - 1.0 / 3) < 1e-12)
  }

  @Test func missingAndZeroCapacitiesAreHandled() {
    let closed = [0, 1, 0].map { SyntheticStep(arrivals: $0, reached: Double($0), capacity: 0) }
    let free = [9, 9, 9].map { SyntheticStep(arrivals: $0, reached: Double($0), capacity: .infinity) }
    var result = result([closed, free])
    result.scenario.endpoints[0].capacity = 0
    let summary = Summary(of: result)
    #expect(summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, "api"))?.value == .whole(1))
    #expect(summary.row(.overloadSeconds, .total, Labels().with(\.endpoint, "images")) == nil)
    // An endpoint with a capacity only during an outage can exceed it.
    result.scenario.endpoints[0].capacity = nil
    #expect(Summary(of: result).row(.overloadSeconds, .total) == nil)
    result.scenario.events = [.outage("flood", at: 0, lasting: 2, capacity: 0)]
    #expect(Summary(of: result).row(.overloadSeconds, .total)?.value == .whole(1))
  }

  /// A load at two thirds of the capacity exceeds it only through the sample's noise, which the fleet does not have.
  @Test func theOverloadOfASampleIsEstimated() throws {
    for (mean, isOver) in [(600.0, false), (1_500, true)] {
      let steps = (0..<200).map { index in
        let reached = mean + (index % 2 == 0 ? 500 : -500)
        return SyntheticStep(arrivals: Int64(reached), reached: reached, capacity: 1_000)
      }
      var result = result([steps, Array(repeating: SyntheticStep(), count: 200)])
      result.scenario.endpoints[0].capacity = 1_000
      result.scenario.fleet.devices = 10_000
      result.replications[0].spreads = [LoadSpread(windows: []), LoadSpread(windows: [])]
      let row = try #require(Summary(of: result).row(.overloadSeconds, .total))
      #expect(abs((row.value?.approximate ?? -1) - (isOver ? 200 : 0)) < 0.01, "\(row)")
      #expect(row.isEstimate)
    }
  }

  // MARK: Recovery

  /// Returns ten steps with 100 requests each; `backlogs` and `failures` apply from the fifth second, and `early`
  /// requests wait before that.
  private func recovery(
    _ backlogs: [Double], _ failures: [UInt32], spans: [(Int64, Int64)] = [(2, 5)], early: Double = 0
  ) -> (mean: Quantity?, max: Quantity?) {
    let steps = (0..<10).map { step in
      SyntheticStep(arrivals: 100, backlog: step < 5 ? early : backlogs[step - 5])
    }
    let calm = Array(repeating: SyntheticStep(), count: 10)
    var result = result([steps, calm], failures: [[0, 0, 100, 100, 100] + failures, calm.map { _ in 0 }])
    result.scenario.events = [.outage("night", at: 2, lasting: 3)]
    result.eventSpans = spans.map {
      EventSpan(event: 0, from: .start + .seconds($0.0), to: .start + .seconds($0.1))
    }
    let summary = Summary(of: result)
    let labels = Labels().with(\.event, "night")
    return (summary.row(.recoveryTime, .mean, labels)?.value, summary.row(.recoveryTime, .max, labels)?.value)
  }

  @Test func recoveryNeedsNoBacklogAndNoFailures() {
    #expect(recovery([0, 0, 0, 0, 0], [0, 0, 0, 0, 0]).mean == .whole(0))
    #expect(recovery([30, 10, 0, 0, 0], [0, 0, 0, 0, 0]).mean == .whole(2))
    // One in a hundred is not below 1 %.
    #expect(recovery([0, 0, 0, 0, 0], [50, 2, 1, 0, 0]).mean == .whole(3))
    #expect(recovery([5, 0, 0, 5, 0], [0, 9, 0, 0, 0]).mean == .whole(2))
  }

  /// A relapse within the hour means no recovery; the start of another outage is not a relapse.
  @Test func relapseIsNotARecovery() {
    #expect(recovery([0, 0, 0, 0, 0], [0, 0, 50, 0, 0]).mean == .whole(3))
    // 4 of the 500 requests after it are below 1 %.
    #expect(recovery([0, 0, 0, 0, 0], [0, 0, 4, 0, 0]).mean == .whole(0))
    #expect(recovery([0, 0, 0, 0, 0], [0, 0, 50, 0, 0], spans: [(2, 5), (7, 8)]).max == .whole(0))
  }

  /// A queue that makes requests wait again for a minute within the hour means no recovery, even if nothing fails: 10/s
  /// are served.
  @Test func returningQueueIsNotARecovery() {
    for (seconds, waiting, recovery) in [(59, 51, 0), (60, 51, 175 - 5), (60, 50, 0)] as [(Int, Double, Int128)] {
      let steps = (0..<400).map { step in
        SyntheticStep(arrivals: 100, backlog: (175 - seconds..<175).contains(step) ? waiting : 0)
      }
      let calm = Array(repeating: SyntheticStep(), count: 400)
      var result = result([steps, calm])
      result.scenario.events = [.outage("night", at: 2, lasting: 3)]
      result.eventSpans = [EventSpan(event: 0, from: .start + .seconds(2), to: .start + .seconds(5))]
      let labels = Labels().with(\.event, "night")
      #expect(Summary(of: result).row(.recoveryTime, .max, labels)?.value == .whole(recovery), "\(seconds) s")
    }
  }

  @Test func noRecoveryWithinTheClockIsUnknown() {
    #expect(recovery([9, 9, 9, 9, 9], [0, 0, 0, 0, 0]) == (nil, nil))
    // It does not end within the clock.
    #expect(recovery([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], spans: [(8, 10)]) == (nil, nil))
    #expect(recovery([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], spans: []) == (nil, nil))
    // It ended in the warm-up.
    #expect(recovery([0, 0, 0, 0, 0], [0, 0, 0, 0, 0], spans: [(-9, -1)]) == (nil, nil))
  }

  /// A state that existed before the event is not due to it, unless it comes from another outage, which here started
  /// before the clock.
  @Test func earlierOverloadMakesRecoveryUnknown() {
    #expect(recovery([9, 0, 0, 0, 0], [0, 0, 0, 0, 0], early: 9) == (nil, nil))
    let chained = recovery([9, 0, 0, 0, 0], [0, 0, 0, 0, 0], spans: [(-60, 3), (2, 5)], early: 9)
    #expect(chained.max == .whole(3))
    #expect(chained.mean == .whole(2))
  }

  @Test func severalRecoveriesHaveAMeanAndAMaximum() {
    let twice = recovery([9, 9, 0, 9, 0], [0, 0, 0, 0, 0], spans: [(2, 5), (7, 8)])
    #expect(twice.mean == .real(1.5))
    #expect(twice.max == .whole(2))
    // One outage without a recovery leaves both unknown; one beyond the clock is left out.
    #expect(recovery([9, 9, 0, 9, 9], [0, 0, 0, 0, 0], spans: [(2, 5), (7, 8)]) == (nil, nil))
    #expect(recovery([9, 9, 0, 9, 0], [0, 0, 0, 0, 0], spans: [(2, 5), (7, 11)]).max == .whole(2))
  }

  @Test func pureOutagesRecoverWhenFailuresEnd() {
    var run = SyntheticRun()
    run.duration = .seconds(4)
    run.replications = [SyntheticRun.replication(arrivals: [[9, 9, 9, 9], [0, 0, 0, 0]]).failing([[9, 9, 1, 0]])]
    var result = run.result
    result.scenario.events = [.outage("night", at: 0, lasting: 2)]
    result.eventSpans = [EventSpan(event: 0, from: .start, to: .start + .seconds(2))]
    #expect(Summary(of: result).row(.recoveryTime, .max, Labels().with(\.event, "night"))?.value == .whole(1))
  }
}
