import Scenario
import SimulationKernel
import Testing

@testable import BackendModel

/// The base load over a time zone's days, including a clock change.
@Suite struct BaseLoadTests {
  let storage = SamplerStorage()
  /// Weights are nonzero only between 2 and 4, and double from 3 on; their sum of 24 includes the zeros.
  ///
  /// By MODEL.md 2.2 the two hours have loads of 9 and 15: 8 up to 2:30, then linear up to 16 at 3:30.
  let hours = HourWeights(weights: [0, 0, 8, 16] + Array(repeating: 0, count: 20))

  /// Returns a plan in a zone that is an hour ahead of UTC until `change` after the start, and `later` hours ahead
  /// afterwards.
  private func plan(change: TimeAmount, later: Int64) -> BaseLoadPlan {
    let segments = [
      ZoneTable.Segment(from: .longAgo, offset: .hours(1)),
      ZoneTable.Segment(from: .start + change, offset: .hours(later)),
    ]
    // The clock starts at midnight UTC, which is 1:00 local time.
    let wall = WallClock(segments: storage.keep(segments), startUnixMilliseconds: 20_000 * 86_400_000)
    return BaseLoadPlan(
      mean: RequestRate(perSecond: 10), hours: hours, wall: wall,
      during: Instant.start - .hours(3)..<Instant.start + .days(3), storage: storage)
  }

  private func requests(_ plan: BaseLoadPlan, _ fromHour: Int64, _ toHour: Int64) -> Double {
    plan.requests(from: .start + .hours(fromHour), to: .start + .hours(toHour), factors: plan.factors { _ in 0 })
  }

  @Test func regularDays() {
    let plan = plan(change: .days(100), later: 1)
    #expect(requests(plan, 0, 1) == 0)
    #expect(requests(plan, 1, 2) == 90 * 3_600)
    #expect(requests(plan, 2, 3) == 150 * 3_600)
    #expect(requests(plan, 3, 24) == 0)
    #expect(requests(plan, 0, 24) == 10 * 86_400)
    #expect(requests(plan, 24, 48) == 10 * 86_400)
    let factors = plan.factors { _ in 0 }
    #expect(
      plan.requests(from: .start + .minutes(90), to: .start + .minutes(150), factors: factors) == 120 * 3_600)
  }

  /// At 2:00 the clock jumps to 3:00: the hour from 2 is skipped.
  @Test func skippedHourHasNoBaseLoad() {
    let plan = plan(change: .hours(1), later: 2)
    #expect(requests(plan, 0, 1) == 0)
    #expect(requests(plan, 1, 2) == 150 * 3_600)
    #expect(requests(plan, 2, 24) == 0)
    #expect(requests(plan, 24, 25) == 90 * 3_600)
    #expect(requests(plan, 0, 24) == 150 * 3_600)
  }

  /// At 3:00 the clock goes back to 2:00: the hour from 2 is repeated.
  @Test func repeatedHourHasBaseLoadTwice() {
    let plan = plan(change: .hours(2), later: 0)
    #expect(requests(plan, 1, 3) == 180 * 3_600)
    #expect(requests(plan, 3, 4) == 150 * 3_600)
  }

  /// The clock changes in the middle of an hour, from 2:30 to 3:30.
  @Test func clockChangeWithinAnHourSplitsTheBaseLoad() {
    let plan = plan(change: .minutes(90), later: 2)
    #expect(requests(plan, 1, 2) == 40 * 3_600 + 80 * 3_600)
    #expect(requests(plan, 2, 3) == 0)
  }

  @Test func equalHoursFormOnePiece() {
    let wall = WallClock(
      segments: storage.keep([ZoneTable.Segment(from: .longAgo, offset: .zero)]), startUnixMilliseconds: 0)
    let plan = BaseLoadPlan(
      mean: RequestRate(perSecond: 7), hours: .flat, wall: wall, during: Instant.start..<Instant.start + .days(400),
      storage: storage)
    #expect(plan.pieces.count == 1)
    #expect(requests(plan, 0, 24) == 7 * 86_400)
  }

  /// The default hours have no steps; each hour has its weight at its middle, and the mean is the day's.
  @Test func defaultHoursHaveNoSteps() {
    let wall = WallClock(
      segments: storage.keep([ZoneTable.Segment(from: .longAgo, offset: .zero)]), startUnixMilliseconds: 0)
    let plan = BaseLoadPlan(
      mean: RequestRate(perSecond: 1_000), hours: .default, wall: wall,
      during: Instant.start..<Instant.start + .days(2), storage: storage)
    let factors = plan.factors { _ in 0 }
    let rate = { (at: TimeAmount) in plan.requests(from: .start + at, to: .start + at + .second, factors: factors) }
    let weights = HourWeights.default.weights
    let perWeight = 24_000 / weights.reduce(0, +)
    // From one second to the next, the load changes by at most the max slope: 0.509 between the middles of hours 6 and
    // 7.
    let steepest = (weights[7] - weights[6]) * perWeight / 3_600
    for second in 0..<2 * 86_400 - 1 {
      let (now, next) = (rate(.seconds(Int64(second))), rate(.seconds(Int64(second) + 1)))
      guard abs(next - now) <= steepest + 1e-9 else {
        Issue.record("\(second): \(now), then \(next)")
        return
      }
    }
    for hour in 0..<48 {
      let middle = TimeAmount.hours(Int64(hour)) + .minutes(30) - .milliseconds(500)
      // The points are half a second on either side of a bend.
      #expect(abs(rate(middle) - weights[hour % 24] * perWeight) <= steepest / 4 + 1e-9)
    }
    #expect(abs(requests(plan, 0, 24) / 86_400_000 - 1) < 1e-12)
  }

  /// Pieces stop at the end of the clock: one from 1 to 2 local time does not get the next hour's rate.
  @Test func piecesStopAtTheEndOfTheClock() {
    let wall = WallClock(
      segments: storage.keep([ZoneTable.Segment(from: .longAgo, offset: .hours(1))]), startUnixMilliseconds: 0)
    for (span, rates) in [(1, [0]), (2, [0, 80, 80]), (3, [0, 80, 80, 160])] as [(Int64, [Double])] {
      let plan = BaseLoadPlan(
        mean: RequestRate(perSecond: 10), hours: hours, wall: wall,
        during: Instant.start..<Instant.start + .hours(span), storage: storage)
      #expect(plan.pieces.indices.map { plan.pieces[$0].rate.perSecond } == rates)
    }
  }
}
