import Scenario
import SimulationKernel
import Testing

@testable import Studies

/// Overload lasts at least zero and at most the measured period, whatever the bounds of a symmetric interval are
/// (MODEL.md 8.1).
struct PossibleOverloadTests {
  private let hour = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .hours(1), step: .second)

  private func interval(_ seconds: [Double], _ metric: Metric = .overloadSeconds) -> Interval? {
    SummaryRow(metric, Labels(), .total, replications: seconds.map { .real($0) }).possible(in: hour).interval
  }

  /// 0, 0 and 300 s have mean 100 and deviation 173.2: Student's t gives 100 -+ 4.303 x 100 = -330 .. 530.
  @Test func intervalIsCutAtTheMeasuredTime() throws {
    let low = try #require(interval([0, 0, 300]))
    #expect(low.low == 0 && abs(low.high - 530.27) < 0.1)
    let high = try #require(interval([3_600, 3_600, 3_300]))
    #expect(high.high == 3_600 && abs(high.low - 3_069.73) < 0.1)
  }

  /// 3.5 with n = 2: 3.5 -+ 12.706 x 0.5 = -2.853 .. 9.853; a rate cannot be negative, but a difference can.
  @Test(arguments: [
    (Metric.serverPeakRPS, 0.0), (.lateness, 0), (.energySavedPerDay, -2.853), (.budgetExhaustedDrift, -2.853),
  ])
  func intervalOfNonNegativeFigureEndsAtZero(_ metric: Metric, low: Double) throws {
    let found = try #require(interval([3, 4], metric))
    #expect(abs(found.low - low) < 1e-3 && abs(found.high - 9.853) < 1e-3)
  }

  /// 0.9 and 1: 0.95 -+ 12.706 x 0.05 = 0.315 .. 1.585.
  @Test func intervalOfAShareEndsAtOne() throws {
    let row = SummaryRow(.staleViews, Labels(), .share, replications: [.real(0.9), .real(1)])
    let interval = try #require(row.interval)
    #expect(abs(interval.low - 0.3147) < 1e-3 && interval.high == 1)
  }

  @Test func anEstimateIsResolvedByWhatIsPossible() throws {
    let estimates = [Estimate(value: 3_590, low: 3_500, high: 3_600), Estimate(value: 3_600, low: 3_590, high: 3_600)]
    let row = SummaryRow(.overloadSeconds, Labels(), .total, estimates: estimates)
    // 3 595 -+ 12.7 x 5 = 3 531 .. 3 658.
    #expect((row.interval?.high ?? 0) > 3_650)
    let possible = row.possible(in: hour)
    #expect(possible.interval?.high == 3_600 && possible.interval?.low == row.interval?.low)
    #expect(possible.isResolved)
  }

  @Test func mergedReplicationsKeepTheBounds() throws {
    var scenario = Scenario()
    scenario.clock = hour
    let parts = [0, 0, 300].map { seconds in
      Summary(rows: [SummaryRow(.overloadSeconds, Labels(), .total, replications: [.real(seconds)])])
    }
    let merged = Summary(merging: parts, of: scenario)
    #expect(merged.row(.overloadSeconds, .total)?.interval?.low == 0)
  }
}
