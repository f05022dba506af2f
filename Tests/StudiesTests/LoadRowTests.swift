import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// Requests per second in windows against figures computed by hand.
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
    // 25 s: two complete windows of 10 s, the last 5 s are dropped there.
    let arrivals: [UInt32] = Array(repeating: 1, count: 10) + [5] + Array(repeating: 0, count: 9) + [9, 0, 0, 0, 0]
    let summary = summary([arrivals])
    #expect(summary.row(.peakRPS, .max, window("1s"))?.value == .whole(9))
    #expect(summary.row(.peakRPS, .max, window("10s"))?.value == .whole(1))
    #expect(summary.row(.meanRPS, .mean, window("1s"))?.value == .real(24.0 / 25))
    #expect(summary.row(.meanRPS, .mean, window("10s"))?.value == .real(0.75))
    #expect(summary.row(.peakToMean, .max, window("1s"))?.value == .real(9.0 * 25 / 24))
    #expect(summary.row(.peakRPS, .max, window("1min"))?.value == nil)
  }

  /// Of equal windows the first is the busiest; without a complete window there is none.
  @Test func theFirstOfEqualPeaksCounts() throws {
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

  @Test func windowsShorterThanTheStepOrUnevenDoNotExist() {
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

  @Test func samplesAreScaledExactlyAndMarked() {
    let summary = summary([[99, 3]]) { run in
      run.fleetDevices = 1_000
      run.simulated = 300
    }
    #expect(summary.row(.peakRPS, .max, window("1s"))?.value == .whole(330))
    #expect(summary.row(.peakRPS, .max, window("1s"))?.isResolved == false)
    let resolved = self.summary([[100]]) { $0.fleetDevices = 200 }
    #expect(resolved.row(.peakRPS, .max, window("1s"))?.isResolved == true)
    #expect(resolved.row(.peakRPS, .max, window("1s"))?.value == .whole(200))
    #expect(self.summary([[5]]).row(.peakRPS, .max, window("1s"))?.isResolved == true)
  }
}
