import RequestStatistics
import Scenario
import SimulationKernel
import Testing

@testable import Calibration

/// The load of a log in five-minute steps, the fit of a simulated load, and the remaining deviations.
struct LoadFitTests {
  private static let picture = LogSummary(LogCensus(within: LogCensus.Budgets()), LogNames())

  private func measured(_ counts: [Int64], unknown: [Range<Int>] = []) -> MeasuredLoad {
    MeasuredLoad(start: SyntheticFleet.start, counts: counts, requestsPerRun: 1, unknown: unknown)
  }

  private func load(_ counts: [Double], scale: Double = 1) -> SimulatedLoad {
    SimulatedLoad(counts: counts, evidence: LogEvidence(Self.picture, Scenario(), clocks: []), scale: scale)
  }

  /// 100 compared with 110 in each step: 10 %. Two Poisson counts around 105 differ by 2 sqrt(105 / pi) on average.
  @Test func loadErrorIsDistanceDividedByRequests() throws {
    let fit = try #require(
      LoadFit(load(Array(repeating: 110, count: 50)), measured(Array(repeating: 100, count: 50))))
    #expect(abs(fit.error - 0.1) < 1e-12 && abs(fit.totalError - 0.1) < 1e-12 && abs(fit.peakError - 0.1) < 1e-12)
    #expect(abs(fit.floor - 2 * (105 / Double.pi).squareRoot() / 100) < 1e-12)
    #expect(fit.isNear)
  }

  /// A fleet of which one phone in a hundred is simulated has a hundred times the variance on its own side.
  @Test func sampledFleetHasLargerVariance() throws {
    let counts = measured(Array(repeating: 100, count: 50))
    let whole = try #require(LoadFit(load(Array(repeating: 100, count: 50)), counts))
    let sample = try #require(LoadFit(load(Array(repeating: 100, count: 50), scale: 99), counts))
    #expect(abs(sample.floor / whole.floor - 50.0.squareRoot()) < 1e-9)
  }

  /// Sums of 64 coin flips, 16 times over, are binomial, with half the Poisson variance at 512 each. Two of them differ
  /// by sqrt(2 * 256 * 2 / pi) on average. 400 pairs estimate this with a relative error of 76 % / sqrt(400): 3.8 %.
  @Test func errorFloorIsTheErrorByChance() throws {
    let bits = { (number: Int, side: UInt32) -> Int64 in
      (0..<16).reduce(0) { sum, part in
        let block = Philox.block(counter: Philox.Block(UInt32(number), UInt32(part), side, 0), key: 5)
        return sum + Int64(block.first.nonzeroBitCount)
      }
    }
    let own = (0..<400).map { bits($0, 0) }
    let fit = try #require(LoadFit(load((0..<400).map { Double(bits($0, 1)) }), measured(own)))
    #expect(abs(fit.error / (fit.floor / 2.0.squareRoot()) - 1) < 3 * 0.038)
  }

  @Test func unknownStepsAreNotCompared() throws {
    let counts: [Int64] = Array(repeating: 100, count: 10) + [0, 0, 3] + Array(repeating: 100, count: 10)
    let fit = try #require(LoadFit(load(Array(repeating: 100, count: 20)), measured(counts, unknown: [10..<13])))
    #expect(fit.error == 0 && fit.totalError == 0)
    #expect(LoadFit(load([]), measured(counts)) == nil)
  }

  /// Half of the requests fail for six steps of a day, and two hours of retries follow. One in ten failures is usual,
  /// and so are failures all day long.
  @Test func outagesAndTheirEchoesAreNotCompared() throws {
    let lines = Array(repeating: Int64(100), count: 288)
    let failed = lines.indices.map { (100..<106).contains($0) ? Int64(50) : 10 }
    let outages = MeasuredLoad.outages(failed, of: lines)
    #expect(outages == [100..<130])
    #expect(MeasuredLoad.outages(lines.map { $0 / 2 }, of: lines).isEmpty)
    var load = measured(lines.indices.map { outages[0].contains($0) ? 500 : 100 })
    load.outages = outages
    #expect(try #require(LoadFit(self.load(Array(repeating: 100, count: 288)), load)).error == 0)
    #expect(load.count(at: load.time(100)) == nil && load.count(at: load.time(130)) == 100)
  }

  // MARK: Measured loads

  /// Returns 300 widget requests per minute for three days, except for a hole from 27:46:40 to 30:33:20.
  private func log(recorded: Double = 1) -> LogSummary {
    var census = LogCensus(within: LogCensus.Budgets())
    for time in stride(from: Int64(0), to: 3 * 86_400_000, by: 1_000) where !(100_000_000..<110_000_000 ~= time) {
      var request = LoggedRequest(at: SyntheticFleet.start + time)
      (request.requestClass, request.line) = (.widget, UInt64(time))
      census.add(request)
    }
    return LogSummary(census, LogNames(), recorded: recorded)
  }

  /// Five minutes have 300 requests at one per second; a log with a quarter of the requests stands for 1 200.
  @Test func stepsHaveTheRequestsOfFiveMinutes() {
    let load = MeasuredLoad(log(), nil, requestsPerRun: 1)
    #expect(load.start == SyntheticFleet.start && load.counts.count == 3 * 288 && load.counts[0] == 300)
    #expect(load.count(at: SyntheticFleet.start + 300_000) == 300 && load.count(at: SyntheticFleet.start - 1) == nil)
    #expect(MeasuredLoad(log(recorded: 0.25), nil, requestsPerRun: 1).counts[0] == 1_200)
  }

  /// The hole touches the steps from 27:45 to 30:35.
  @Test func holesMakeStepsUnknown() {
    let load = MeasuredLoad(log(), nil, requestsPerRun: 1)
    #expect(load.unknown == [333..<367])
    #expect(load.count(at: load.time(333)) == nil && load.count(at: load.time(367)) != nil)
  }

  /// A table in ten-minute steps gives no five-minute steps; one in minutes from 00:03 has an incomplete first step.
  @Test func tablesAreSummedToSteps() throws {
    let bins = (0..<17).map { (time: SyntheticFleet.start + 180_000 + 60_000 * Int64($0), count: Int64(2)) }
    let table = try #require(CountedLoad(bins, step: 60_000))
    let load = MeasuredLoad(Self.picture, table, requestsPerRun: 1)
    #expect(load.start == SyntheticFleet.start && load.counts == [4, 10, 10, 10] && load.unknown == [0..<1])
    #expect(MeasuredLoad(Self.picture, CountedLoad(bins, step: 600_000), requestsPerRun: 1).counts.isEmpty)
  }

  // MARK: Residuals

  /// 20 % more from 3 to 4 o'clock on each of seven days, with 1 000 requests per five minutes: seven standard
  /// deviations.
  @Test func missedHourIsNamed() throws {
    let counts = (0..<7 * 288).map { $0 % 288 / 12 == 3 ? Int64(1_200) : 1_000 }
    let residuals = LoadResiduals(measured(counts), load(Array(repeating: 1_000, count: counts.count)))
    let hours = try #require(residuals.byHour)
    #expect(hours.filter(\.isBeyond).map(\.number) == [3])
    #expect(abs(hours[3].share - 0.2) < 1e-12 && hours[4].share == 0)
    // The range of the sum of 84 values of 1 000 compared with its twin: 1.96 sqrt(2 / 84 000).
    #expect(abs(hours[4].chance - 1.96 * (2 / 84_000.0).squareRoot()) < 1e-12)
  }

  /// The log starts on a Monday.
  @Test func weekdaysAreThoseOfTheDates() throws {
    let counts = (0..<7 * 288).map { $0 / 288 == 5 ? Int64(1_200) : 1_000 }
    let days = try #require(
      LoadResiduals(measured(counts), load(Array(repeating: 1_000, count: counts.count))).byWeekday)
    #expect(days.map(\.number) == Array(0..<7))
    #expect(days.filter(\.isBeyond).map(\.number) == [5])
  }

  /// An hourly alternation correlates by -1 with the previous hour and by 1 with the one before it, apart from the ends
  /// of 100 hours.
  @Test func alternatingResidualsAreCorrelated() throws {
    let counts = (0..<1_200).map { $0 / 12 % 2 == 0 ? Int64(1_100) : 900 }
    let memory = try #require(LoadResiduals(measured(counts), load(Array(repeating: 1_000, count: 1_200))).memory)
    #expect(memory.count == 24)
    #expect(abs(memory[0].share + 1) < 1e-9 && abs(memory[1].share - 1) < 1e-9)
  }

  /// An hour with 1 200 requests per step instead of 600 is half unexplained, and four fifths at five times as many.
  @Test func missedBusiestHourIsAMisfit() throws {
    func misfit(_ factor: Int64) -> LoadMisfit? {
      let counts = (0..<2 * 288).map { $0 % 288 / 12 == 20 ? 600 * factor : 600 }
      return LoadMisfit(measured(counts), load(Array(repeating: 600, count: counts.count)))
    }
    let double = try #require(misfit(2))
    #expect(double.part.number == 20 && abs(double.part.unexplained - 0.5) < 1e-12 && double.isSevere)
    #expect(abs(try #require(misfit(5)).part.unexplained - 0.8) < 1e-12)
    #expect(misfit(1) == nil)
  }

  /// Five days at 600 per step, then two at 300, of which the scenario sends twice as many.
  @Test func missedLastDaysAreAMisfit() throws {
    let flat = load(Array(repeating: 600, count: 7 * 288))
    let counts = (0..<7 * 288).map { $0 < 5 * 288 ? Int64(600) : 300 }
    let misfit = try #require(LoadMisfit(measured(counts), flat))
    #expect(misfit.isOfLastDays && misfit.isSevere && abs(misfit.part.unexplained - 1) < 1e-12)
    // Two of three days are most of the log, so only its hours are compared.
    let short = try #require(
      LoadMisfit(measured(Array(counts.suffix(3 * 288))), load(Array(flat.counts.prefix(3 * 288)))))
    #expect(!short.isOfLastDays)
  }

  // MARK: Wakes

  /// 1 500 wakes instead of 1 000 in two of 24 hours: 0.12 of 25 000 compared with 0.0833 of 24 000, 44 % more. The
  /// other hours have 4 % less. Each hour's variance is that of a share of 2 500 in 49 000.
  @Test func adjacentMissedHoursAreMerged() throws {
    let even = Array(repeating: 1_000, count: 24)
    var uneven = even
    (uneven[7], uneven[8]) = (1_500, 1_500)
    let misses = WakeMiss.misses(of: 0, WakeMiss.Part.all(uneven, even)) { .hours($0) }
    let miss = try #require(misses.first)
    #expect(misses.count == 1 && miss.place == .hours(7..<9) && abs(miss.share - 0.44) < 1e-9)
    let share = 2_500.0 / 49_000
    let variance = 2 * share * (1 - share) * (1 / 25_000.0 + 1 / 24_000)
    #expect(abs(miss.distance - (0.12 - 1 / 12.0) / variance.squareRoot()) < 1e-9)
  }

  /// 90 wakes in 1 000 s compared with 40: 125 % more, 50 / sqrt(130) = 4.4 deviations. 45 compared with 20 are 3.1:
  /// chance.
  @Test func ratesDifferByPoissonsLaw() {
    let part = { (own: Double, other: Double) in WakeMiss.Part((own, 1_000), (other, 1_000)) }
    let misses = WakeMiss.misses(of: 0, [part(90, 40), part(45, 20), part(40, 90)]) { .ages($0) }
    #expect(misses.map(\.place) == [.ages(0..<1), .ages(2..<3)])
    #expect(abs(misses[0].share - 1.25) < 1e-12 && abs(misses[0].distance - 50 / 130.0.squareRoot()) < 1e-9)
  }

  /// Intervals of half an hour compared with an hour; if there are holes, the parts of the day are not compared.
  @Test func holesRestrictMissesToAges() {
    var fleet = SyntheticFleet()
    (fleet.phones, fleet.days) = (100, 3)
    let own = KindEstimates(fleet.history(key: 1))
    (fleet.interval, fleet.hours) = (3_600, SyntheticDay.hours)
    let other = KindEstimates(fleet.history(key: 2))
    let misses = WakeMiss.all(of: 0, own, other, hasHoles: true)
    let isAge = { (miss: WakeMiss) in if case .ages = miss.place { true } else { false } }
    #expect(!misses.isEmpty && misses.allSatisfy(isAge))
    #expect(WakeMiss.all(of: 0, own, other, hasHoles: false).filter(isAge) == misses)
    #expect(WakeMiss.all(of: 0, own, own, hasHoles: false).isEmpty)
  }
}
