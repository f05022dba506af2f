import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// Requests per second in windows, compared with figures computed by hand.
struct LoadRowTests {
  private func summary(_ arrivals: [[UInt32]], _ change: (inout SyntheticRun) -> Void = { _ in }) -> Summary {
    var run = SyntheticRun()
    run.endpoints = arrivals.indices.map { ["api", "images"][$0] }
    run.duration = .seconds(Int64(arrivals.first?.count ?? 0))
    run.replications = [SyntheticRun.replication(arrivals: arrivals)]
    change(&run)
    return Summary(of: run.result)
  }

  private func window(_ name: String, _ endpoint: String = "") -> Labels {
    Labels().with(\.window, name).with(\.endpoint, endpoint)
  }

  @Test func peakMeanAndRatioInEveryWindow() {
    // 25 s: two complete 10 s windows, without the last 5 s.
    let arrivals: [UInt32] = Array(repeating: 1, count: 10) + [5] + Array(repeating: 0, count: 9) + [9, 0, 0, 0, 0]
    let summary = summary([arrivals])
    #expect(summary.row(.peakRPS, .max, window("1s"))?.value == .whole(9))
    #expect(summary.row(.peakRPS, .max, window("10s"))?.value == .whole(1))
    #expect(summary.row(.meanRPS, .mean, window("1s"))?.value == .real(24.0 / 25))
    #expect(summary.row(.meanRPS, .mean, window("10s"))?.value == .real(0.75))
    #expect(summary.row(.peakToMean, .max, window("1s"))?.value == .real(9.0 * 25 / 24))
    #expect(summary.row(.peakRPS, .max, window("1min"))?.value == nil)
  }

  /// A chosen load is the one among all, whether estimated alone or not, and no other load is estimated.
  @Test(arguments: [1, 2]) func chosenLoadsAreThoseAmongAll(_ endpoints: Int) {
    var run = SyntheticRun()
    run.endpoints = Array(["api", "images"].prefix(endpoints))
    run.duration = .seconds(40)
    run.replications = [
      SyntheticRun.replication(arrivals: (1...endpoints).map { factor in (0..<40).map { UInt32($0 % 7 * factor) } })
    ]
    let all = Summary(of: run.result)
    let names = [
      FigureName(.peakRPS, .max, window("1s")), FigureName(.p99RPS, .p99, window("10s", "api")),
    ]
    let chosen = Summary(of: run.result, loads: Set(names))
    let loads = Set([Metric.peakRPS, .meanRPS, .p99RPS, .p999RPS, .peakToMean, .otherDayPeakRPS])
    #expect(chosen.rows.filter { loads.contains($0.metric) }.map(\.name) == names)
    for name in names { #expect(chosen.figure(name) != nil && chosen.figure(name) == all.figure(name)) }
    #expect(all.rows.filter { !loads.contains($0.metric) } == chosen.rows.filter { !loads.contains($0.metric) })
  }

  /// The load of a single endpoint is the total.
  @Test func singleEndpointHasTheTotal() {
    let summary = summary([[1, 5, 0, 2]])
    for metric in [Metric.peakRPS, .meanRPS, .p99RPS, .p999RPS, .peakToMean] {
      let (total, own) = (
        summary.row(metric, metric.statistics[0], window("1s")),
        summary.row(metric, metric.statistics[0], window("1s", "api"))
      )
      #expect(total?.value != nil && total?.replications == own?.replications, "\(metric)")
    }
  }

  /// Of equal windows, the first is the busiest; without a complete window there is none.
  @Test func firstOfEqualPeaksCounts() throws {
    let clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .seconds(25), step: .second)
    let second = try #require(WindowedLoad([0, 3, 1, 3, 0], window: .second, clock: clock))
    #expect(second.busiest == 1 && second.peak == 3)
    #expect(try #require(WindowedLoad([0, 0], window: .second, clock: clock)).busiest == 0)
    let minute = try #require(WindowedLoad(Array(repeating: 1, count: 25), window: .minute, clock: clock))
    #expect(minute.busiest == nil && minute.peak == nil)
  }

  @Test func endpointsAddUpSecondBySecond() {
    let summary = summary([[1, 5, 0], [4, 0, 2]])
    #expect(summary.row(.peakRPS, .max, window("1s"))?.value == .whole(5))
    #expect(summary.row(.peakRPS, .max, window("1s", "api"))?.value == .whole(5))
    #expect(summary.row(.peakRPS, .max, window("1s", "images"))?.value == .whole(4))
    #expect(summary.row(.meanRPS, .mean, window("1s"))?.value == .whole(4))
  }

  @Test func quantilesCountEmptyWindowsAndInterpolate() {
    // 0...100 in 101 windows: p99 is 99, p99.9 is 99.9.
    let summary = summary([(0...100).map { UInt32($0) }])
    #expect(summary.value(.p99RPS, .p99, window("1s")) == 99)
    #expect(abs((summary.value(.p999RPS, .p999, window("1s")) ?? 0) - 99.9) < 1e-9)
  }

  @Test func windowsNotFittingTheStepAreOmitted() {
    let slow = summary([[3, 6]]) { run in
      run.step = .minute
      run.duration = .minutes(2)
    }
    #expect(slow.row(.peakRPS, .max, window("10s")) == nil)
    #expect(slow.row(.peakRPS, .max, window("1min"))?.value == .real(0.1))
    let fine = summary([[1, 2, 3, 4]]) { run in
      run.step = .milliseconds(500)
      run.duration = .seconds(2)
    }
    #expect(fine.row(.peakRPS, .max, window("1s"))?.value == .whole(7))
    let odd = summary([[1, 2]]) { $0.step = .seconds(7) }
    #expect(odd.rows.allSatisfy { $0.metric != .peakRPS })
  }

  /// With every device simulated a peak is counted; for a sample it is estimated, and is never the scaled max.
  @Test func samplesAreEstimated() throws {
    // 100 of 1 000 phones send 0 to 6 requests in each of 1 000 seconds: the fleet's seconds differ far less.
    let arrivals = (0..<1_000).map { UInt32([3, 0, 6, 2, 4, 1, 5, 3][$0 % 8]) }
    let row = try #require(summary([arrivals]) { $0.fleetDevices = 1_000 }.row(.peakRPS, .max, window("1s")))
    let (value, interval) = (try #require(row.value).approximate, try #require(row.interval))
    // Poisson with mean 30: the largest of 1 000 is about 30 + 3.2 sqrt(30).
    #expect(value > 42 && value < 54 && interval.low <= value && value <= interval.high)
    #expect(row.isEstimate && row.bounds.count == 1)
    let whole = try #require(summary([arrivals]).row(.peakRPS, .max, window("1s")))
    #expect(whole.value == .whole(6) && whole.isResolved && !whole.isEstimate && whole.interval == nil)
  }

  /// The value is the mean of the replications' estimates; their intervals do not shrink with the number of
  /// replications.
  @Test func estimatesOfReplications() {
    let row = SummaryRow(
      .peakRPS, Labels(), .max,
      estimates: [Estimate(value: 100, low: 96, high: 104), Estimate(value: 102, low: 97, high: 107)])
    #expect(row.value == .real(101))
    // Student's t for 100 and 102: 101 +- 12.7, wider than 96.5 to 105.5.
    #expect(abs((row.interval?.high ?? 0) - 113.706) < 0.001)
    #expect(!row.isResolved)
    let same = SummaryRow(
      .peakRPS, Labels(), .max, estimates: Array(repeating: Estimate(value: 100, low: 96, high: 104), count: 9))
    #expect(same.interval == Interval(low: 96, high: 104) && same.isResolved)
    let wide = SummaryRow(.peakRPS, Labels(), .max, estimates: [Estimate(value: 100, low: 94, high: 106)])
    #expect(!wide.isResolved)
    #expect(SummaryRow(.peakRPS, Labels(), .max, estimates: [nil]).value == nil)
  }

  /// The shortest window named by a goal; otherwise the shortest that is resolved; otherwise the longest.
  @Test func oneWindowForAllHeadlines() {
    var run = SyntheticRun()
    run.duration = .hour
    let rows = [("1s", false), ("10s", true), ("1min", true), ("5min", true)].map { name, isResolved in
      SummaryRow(.peakRPS, window(name), .max, replications: [.whole(9)], isResolved: isResolved)
    }
    let summary = Summary(rows: rows)
    #expect(HeadlineWindow.of(run.scenario, [summary]) == .tenSeconds)
    #expect(HeadlineWindow.of(run.scenario, [summary, Summary(rows: Array(rows[..<1]))]) == .fiveMinutes)
    var asked = run.scenario
    let figure = FigureName(.peakRPS, .max, window("1min"))
    asked.goals = [SweepSample.goal(figure, .less)]
    #expect(HeadlineWindow.of(asked, [summary]) == .minute)
  }

  /// Behind a CDN the servers' peak decides, whatever the sample shows about the phones' requests.
  @Test func serversDecideTheWindow() {
    var run = SyntheticRun()
    run.duration = .hour
    let rows = ["1s", "10s"].flatMap { name in
      [(Metric.peakRPS, false), (.serverPeakRPS, name == "10s")].map { metric, isResolved in
        SummaryRow(metric, window(name), .max, replications: [.whole(9)], isResolved: isResolved)
      }
    }
    #expect(HeadlineWindow.of(run.scenario, [Summary(rows: rows)]) == .tenSeconds)
  }
}
