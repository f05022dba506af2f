import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// Shares of the variance that repeat, compared with sums worked out on paper.
struct HerdTests {
  private func herd(_ minutes: [Int64]) -> Herd? {
    let clock = Clock(
      startUnixMilliseconds: 0, warmup: .zero, duration: .minutes(Int64(minutes.count)), step: .minute)
    return Herd(minutes, clock: clock)
  }

  private func shares(_ minutes: [Int64]) -> [Double?] {
    Herd.periods.map { herd(minutes)?.share(every: $0) }
  }

  /// A peak at one minute of every hour: the mean over the repetitions of p minutes is p/60 at one phase of p. Its
  /// variance is (p/60)^2 (1/p) (1 - 1/p) = (p - 1) / 3 600; the total is 59 / 3 600.
  @Test func hourlyPeakHasTheExpectedShare() {
    let shares = shares((0..<360).map { Int64($0 % 60 == 7 ? 1 : 0) })
    for (share, period) in zip(shares, [5.0, 15, 30, 60]) { #expect(abs((share ?? -1) - (period - 1) / 59) < 1e-9) }
  }

  /// A comb of P minutes takes P - 1 of the 359 degrees of freedom in six hours.
  @Test func chanceFollowsFromThePeriod() throws {
    var run = SyntheticRun()
    run.duration = .hours(6)
    run.replications = [SyntheticRun.replication(arrivals: [(0..<21_600).map { UInt32($0 % 7) }, [0]])]
    let summary = Summary(of: run.result)
    for period in Herd.periods {
      let chance = summary.value(.herdByChance, .share, Labels().with(\.period, Herd.name(of: period)))
      #expect(abs(try #require(chance) - Double(period.milliseconds / 60_000 - 1) / 359) < 1e-9)
    }
  }

  @Test func quarterHourlyPatternAlsoRepeatsHourly() {
    let shares = shares((0..<240).map { Int64($0 % 15 < 3 ? 4 : 1) })
    #expect((shares[0] ?? 1) < 0.5)
    for share in shares.dropFirst() { #expect(abs((share ?? 0) - 1) < 1e-9) }
  }

  @Test func slowWaveIsNotARepetition() {
    let shares = shares((0..<1_440).map { Int64($0 < 720 ? 1 : 5) })
    for share in shares { #expect((share ?? 1) < 0.003) }
  }

  /// After a restart there are 1 811 requests every 30 min for ten hours, on top of 100 a minute: in the six hours
  /// after the restart's own crest, nothing else varies. 14 of the quarter hours' 29 frequencies are among those of the
  /// comb.
  @Test func patternOfSomeHoursIsDetected() {
    let minutes = (0..<1_440).map {
      Int64($0 == 600 ? 50_000 : (630..<1_230).contains($0) && $0 % 30 == 0 ? 1_811 : 100)
    }
    for (share, expected) in zip(shares(minutes), [4.0 / 29, 14.0 / 29, 1, 1]) {
      #expect(abs((share ?? -1) - expected) < 1e-9)
    }
  }

  /// One request every 30 min in six otherwise quiet hours is insignificant compared with 100 a minute for the rest of
  /// the day.
  @Test func patternInQuietHoursIsNotAHerd() {
    let shares = shares((0..<1_440).map { Int64($0 < 360 ? ($0 % 30 == 0 ? 1 : 0) : 100) })
    for share in shares { #expect((share ?? 1) < 0.01) }
  }

  @Test func chanceShareFollowsTheFrequencies() {
    // A span of 360 minutes has 180 frequencies, 30 of them (the highest counting half) at periods of an hour: 59 of
    // 359.
    let herd = herd((0..<1_440).map { Int64($0 % 7) })
    #expect(herd?.chance(every: .hour) == 59.0 / 359)
    #expect(herd?.chance(every: .minutes(5)) == 4.0 / 359)
  }

  @Test func lessThanTwoPeriodsIsUnknown() {
    #expect(shares(Array(repeating: 0, count: 8)) == [nil, nil, nil, nil])
    #expect(shares((0..<40).map { Int64($0 % 5) }).map { $0 == nil } == [false, false, true, true])
    #expect(shares((0..<119).map { Int64($0 % 5) }).map { $0 == nil } == [false, false, false, true])
    #expect(herd((0..<40).map { Int64($0 % 5) })?.minutes == 30)
    #expect(herd((0..<3_000).map { Int64($0 % 5) })?.minutes == 360)
  }

  @Test func constantOrUnevenLoadHasNoHerdShare() {
    #expect(shares(Array(repeating: 3, count: 180)) == [nil, nil, nil, nil])
    let clock = Clock(startUnixMilliseconds: 0, warmup: .zero, duration: .hour, step: .seconds(7))
    #expect(Herd([1, 2, 3], clock: clock) == nil)
  }

  @Test func rowsByEndpointAndPeriod() {
    var run = SyntheticRun()
    run.step = .minute
    run.duration = .hours(4)
    let waves = (0..<240).map { UInt32($0 % 15 == 0 ? 15 : 0) }
    run.replications = [SyntheticRun.replication(arrivals: [waves, waves.map { _ in 1 }])]
    let summary = Summary(of: run.result)
    let hour = Labels().with(\.period, "60min")
    #expect(summary.value(.herd, .share, hour) == 1)
    #expect(summary.value(.herd, .share, hour.with(\.endpoint, "api")) == 1)
    #expect(summary.row(.herd, .share, hour.with(\.endpoint, "images")) != nil)
    #expect(summary.value(.herd, .share, hour.with(\.endpoint, "images")) == nil)
    #expect(abs((summary.value(.herd, .share, hour.with(\.period, "5min")) ?? 0) - 2.0 / 7) < 1e-9)
  }
}
