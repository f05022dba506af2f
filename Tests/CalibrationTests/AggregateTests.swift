import RequestStatistics
import Testing

@testable import Calibration

/// Requests per minute from fleets with known distributions.
@Suite struct AggregateTests {
  private func usualFleet(_ interval: Double, _ window: Double) -> SyntheticFleet {
    var fleet = SyntheticFleet()
    (fleet.interval, fleet.window) = (interval, window)
    fleet.waitsAtNight = true
    fleet.hours = SyntheticDay.hours
    return fleet
  }

  /// The required precision: 600 phones over seven days, without IDs, give the interval to within 1.5 %, the window to
  /// within 8 % and the number of phones to within 8 %. The tolerance is twice the standard error over 20 such logs.
  @Test(arguments: [(1_800.0, 900.0), (1_200, 300)]) func aPlainLog(law: (interval: Double, window: Double)) throws {
    let history = usualFleet(law.interval, law.window).history(key: 3)
    let estimates = AggregateEstimates(counts: history.minuteCounts, step: 60, known: KnownPolicy())
    #expect(abs(try #require(estimates.interval.value) / law.interval - 1) < 0.02)
    #expect(abs(try #require(estimates.window.value) / law.window - 1) < 0.12)
    #expect(abs(try #require(estimates.devices.value) / 600 - 1) < 0.08)
    #expect(estimates.interval.verdict == .identified)
  }

  /// Doubled counts with two requests per run give the same number of phones, and change nothing else.
  @Test func doubledRequestsPerRunGiveTheSamePhones() throws {
    let counts = usualFleet(1_800, 900).history(key: 4).minuteCounts
    var known = KnownPolicy()
    let one = AggregateEstimates(counts: counts, step: 60, known: known)
    known.requestsPerRun = 2
    let two = AggregateEstimates(counts: counts.map { $0 * 2 }, step: 60, known: known)
    let (first, second) = (try #require(one.devices.value), try #require(two.devices.value))
    #expect(abs(second / first - 1) < 0.01)
    #expect(abs(try #require(two.interval.value) - #require(one.interval.value)) < 5)
  }

  @Test func independentCountsGiveNoEstimates() {
    var draws = Draws(key: 5)
    let counts = (0..<7 * 1_440).map { _ in Double(draws.poisson(20)) }
    let estimates = AggregateEstimates(counts: counts, step: 60, known: KnownPolicy())
    #expect(estimates.interval.verdict == .notFromThisLog && estimates.devices.value == nil)
  }

  /// Two days need one more.
  @Test func tooFewDaysNameWhatIsMissing() {
    let estimates = AggregateEstimates(counts: Array(repeating: 9, count: 2 * 1_440), step: 60, known: KnownPolicy())
    #expect(estimates.interval.reason == .tooFewDays && estimates.interval.daysMissing == 1)
  }

  /// Fewer days widen the interval by the root of their ratio, sqrt(7 / 3) = 1.5, and it still has the true value.
  @Test func threeDaysWidenTheInterval() throws {
    var fleet = usualFleet(1_800, 900)
    let halves = try [7, 3].map { days -> Double in
      fleet.days = days
      let counts = fleet.history(key: 3).minuteCounts
      let interval = AggregateEstimates(counts: counts, step: 60, known: KnownPolicy()).interval
      let (low, high) = (try #require(interval.low), try #require(interval.high))
      #expect(interval.verdict == .identified && low <= 1_800 && high >= 1_800)
      return (high - low) / 2
    }
    #expect(halves[1] / halves[0] > 1.2 && halves[1] / halves[0] < 2)
  }

  @Test(arguments: [[], [1], Array(repeating: 0.0, count: 7 * 1_440)]) func nothingToRead(counts: [Double]) {
    let estimates = AggregateEstimates(counts: counts, step: 60, known: KnownPolicy())
    #expect(estimates.interval.value == nil)
  }

  /// At low frequencies the ratio is the squared coefficient of variation of the time between wakes (Cox and Lewis
  /// 1966, 4.6), at high ones 1; without free runs, the mean is the interval plus half the window.
  @Test func theSpectrumsLimits() {
    let law = RenewalSpectrum(cycle: 1_800, window: 900, freeRate: 0, inUse: 0, inUseWindow: 60, jitter: 0)
    let variance = 900.0 * 900 / 12
    #expect(abs(law.mean - 2_250) < 1e-9)
    #expect(abs(law.ratio(at: 1e-8) - variance / (2_250 * 2_250)) < 1e-4)
    #expect(abs(law.ratio(at: 0.51) - 1) < 0.01)
  }

  /// Runs that are all free form a Poisson process.
  @Test func freeRunsAloneAreFlat() {
    let law = RenewalSpectrum(cycle: 1e7, window: 60, freeRate: 0.001, inUse: 0, inUseWindow: 60, jitter: 0)
    for frequency in [1e-4, 1e-3, 1e-2] { #expect(abs(law.ratio(at: frequency) - 1) < 1e-6) }
    #expect(abs(law.mean - 1_000) < 1e-6)
  }
}
