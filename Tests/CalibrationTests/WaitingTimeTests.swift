import RequestStatistics
import SimulationKernel
import Testing

@testable import Calibration

/// The lengths of waits, derived from hazards.
struct WaitingTimeTests {
  /// Returns phones that wake as a Poisson process for `days`.
  private func history(mean: Double, phones: Int = 200, days: Int64 = 2, holes: [Range<Int64>] = [], key: UInt64 = 11)
    -> WakeHistory
  {
    var history = WakeHistory(span: 0..<days * 86_400_000, holes: holes)
    for phone in 0..<phones {
      var draws = Draws(key: key, stream: phone)
      var wakes: [WakeHistory.Wake] = []
      var time = draws.exponential(mean: mean) * 1_000
      while time < Double(history.span.upperBound) {
        if !holes.contains(where: { $0.contains(Int64(time)) }) { wakes.append(WakeHistory.Wake(time: Int64(time))) }
        time += draws.exponential(mean: mean) * 1_000
      }
      history.append(UInt64(phone + 1), wakes)
    }
    return history
  }

  private func waits(_ history: WakeHistory) -> WaitingTimes { WaitingTimes(HazardCurve(Gaps(of: history))) }

  /// Exponential waits: the quantile at p is -m log(1-p), its standard error m sqrt(p / (1-p) / n). The hole cuts waits
  /// off but changes nothing.
  @Test(arguments: [[], [50_000_000..<70_000_000]] as [[Range<Int64>]])
  func quantilesAreThoseOfTheLaw(_ holes: [Range<Int64>]) throws {
    let mean = 1_800.0
    let waits = waits(history(mean: mean, holes: holes))
    for share in [0.1, 0.5, 0.9] {
      let quantile = try #require(waits.quantile(share))
      let error = mean * (share / (1 - share) / Double(waits.count)).squareRoot()
      // Whole seconds, rounded up.
      #expect(abs(quantile - 0.5 + mean * SteadyMath.log(1 - share)) < 4 * error + 0.5)
    }
  }

  /// Exponential distributions with means 1 and 2 are a quarter apart at 2 log 2, where the first has reached 3/4.
  @Test func largestDistanceIsKolmogorovs() throws {
    let (one, two) = (waits(history(mean: 1_000)), waits(history(mean: 2_000, key: 12)))
    let apart = try #require(one.farthest(from: two))
    // Each share is known to within 0.5 / sqrt(17 000).
    #expect(abs(apart.distance - 0.25) < 4 * 0.5 * (1 / Double(one.count) + 1 / Double(two.count)).squareRoot())
    #expect(apart.age > 1_000 && apart.age < 1_900)
    #expect(try #require(one.farthest(from: one)).distance == 0)
  }

  @Test func quantileBeyondTheLogIsUnknown() {
    let history = history(mean: 40_000, phones: 3, days: 1)
    #expect(waits(history).quantile(0.999_999) == nil)
    #expect(waits(WakeHistory(span: 0..<1_000)).quantile(0.5) == nil)
  }

  /// Returns one wake per second while `waiting` phones wait, up to an age at which one phone fewer waits.
  private func steady(waiting: Double, until end: Int) -> HazardCurve {
    HazardCurve(
      events: Array(repeating: 1, count: HazardCurve.seconds),
      exposure: (0..<HazardCurve.seconds).map { $0 < end ? waiting : waiting - 1 })
  }

  /// Rates are left out for fewer than 50 waiting phones, including the bin in which their number falls.
  @Test func ratesOfFewPhonesAreUnknown() throws {
    let known = steady(waiting: 50, until: 1_000).knownRates
    let last = try #require(known.last)
    #expect(known.allSatisfy { abs($0.rate - 1 / 50.0) < 1e-12 } && known[0].ages.lowerBound == 2)
    #expect(last.ages.upperBound <= 1_000 && HazardCurve.bins[known.count].upperBound > 1_000)
    #expect(steady(waiting: 49, until: 1_000).knownRates.isEmpty)
  }

  /// 1 - exp(-n / 100 000) passes 0.002 at the 201st second; with a hundredth of the phones, at the third.
  @Test func theFirstAgeIsHalfOfTheFirstWaits() {
    #expect(WaitingTimes(steady(waiting: 100_000, until: 90_000)).firstAge == 100.5)
    #expect(WaitingTimes(steady(waiting: 1_000, until: 90_000)).firstAge == 2)
  }

  /// Kolmogorov's bound of 1.63 sqrt(2 / n) exceeds the negligible 3 % for fewer than 5 904 waits.
  @Test func fewWaitsHaveALargerTolerance() {
    let few = waits(history(mean: 20_000, phones: 50))
    let many = waits(history(mean: 1_000))
    #expect(abs(few.tolerance(for: few) - 1.63 * (2 / Double(few.count)).squareRoot()) < 1e-12)
    #expect(many.count > 5_904 && many.tolerance(for: many) == 0.03)
  }

  /// Waits twice as long have quantiles twice as long, to within four of their errors m sqrt(p / (1 - p) / n).
  @Test func pairedQuantilesScaleWithWaits() {
    let (one, two) = (waits(history(mean: 1_000)), waits(history(mean: 2_000, key: 12)))
    let pairs = one.quantiles(with: two)
    #expect(pairs.count == 23)
    for (share, pair) in zip([0.01, 0.02] + (1...19).map { Double($0) / 20 } + [0.98, 0.99], pairs) {
      let error = 4_000 * (share / (1 - share) * (1 / Double(one.count) + 1 / Double(two.count))).squareRoot()
      #expect(abs(pair.other - 2 * pair.own) < 4 * error + 3)
    }
  }

  /// Three parts of 15 minutes each; a share below 0 is chance.
  @Test func delaysAreSplitIntoPartsOfTheWindow() {
    let unknown = Estimate.unknown(.noEdge)
    var delay = StartDelayEvidence(
      window: Estimate(900, verdict: .identified, count: 9), inUseShare: unknown, laterShare: unknown, unevenness: 0,
      law: [0.5, -0.1, 0.2])
    #expect(delay.parts.map(\.from) == [0, 5, 10] && delay.parts.map(\.to) == [5, 10, 15])
    #expect(delay.parts.map(\.share) == [0.5, 0, 0.2])
    delay.window = unknown
    #expect(delay.parts.isEmpty)
  }

  /// Wakes 0 to 287 in twelfths of an hour: the second hour has 12 to 23, the first twelfths have 0, 12, ..., 276.
  @Test func wakesAreSummedByHourAndTwelfth() {
    let marks = WallMarkEvidence(
      resultants: [], period: nil, hours: [], window: .unknown(.noEdge), share: .unknown(.noEdge),
      heat: (0..<24).map { hour in (0..<12).map { 12 * hour + $0 } }, daysSeen: [])
    #expect(marks.wakesByHour[1] == 210 && marks.wakesByTwelfth[0] == 3_312 && marks.wakesByTwelfth.count == 12)
  }
}
