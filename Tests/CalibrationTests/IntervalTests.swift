import RequestStatistics
import Testing

@testable import Calibration

/// Intervals and delays of logs with known distributions.
@Suite struct IntervalTests {
  private func usualFleet() -> SyntheticFleet {
    var fleet = SyntheticFleet()
    fleet.waitsAtNight = true
    fleet.hours = SyntheticDay.hours
    fleet.runTime = 0.3...1
    return fleet
  }

  /// The required precision: 600 phones over seven days give the interval to within 5 s and the window to within 5 %.
  @Test(arguments: [(900.0, 300.0), (1_800, 900), (3_600, 60), (21_600, 900)])
  func aPlainLog(law: (interval: Double, window: Double)) throws {
    var fleet = usualFleet()
    (fleet.interval, fleet.window) = law
    let estimates = KindEstimates(fleet.history(key: 1))
    let interval = try #require(estimates.interval.value)
    let delay = try #require(estimates.startDelay)
    #expect(abs(interval - law.interval) < 5)
    #expect(estimates.interval.verdict == .identified)
    #expect(abs(try #require(delay.window.value) / law.window - 1) < 0.05)
    #expect(delay.window.verdict == .identified)
    #expect(estimates.versions.count == 1)
  }

  @Test func wholeSecondStampsDoNotBiasTheInterval() throws {
    var fleet = usualFleet()
    fleet.wholeSeconds = true
    let estimates = KindEstimates(fleet.history(key: 2), resolution: .second)
    let (low, high) = (try #require(estimates.interval.low), try #require(estimates.interval.high))
    #expect(low <= 1_800 && high >= 1_800 && high - low < 6)
  }

  @Test func noFreeRunsAtAll() throws {
    var fleet = usualFleet()
    (fleet.freeRuns, fleet.offline) = (0, 0)
    let estimates = KindEstimates(fleet.history(key: 3))
    #expect(abs(try #require(estimates.interval.value) - 1_800) < 5)
    #expect(abs(try #require(estimates.startDelay?.window.value) - 900) < 10)
  }

  /// Holes censor gaps, which must not count as long waits.
  @Test func lostNightDoesNotBiasWaits() throws {
    let fleet = SyntheticFleet()
    var history = WakeHistory(span: fleet.span)
    let hole = fleet.span.lowerBound + 90_000_000..<fleet.span.lowerBound + 120_000_000
    history.holes = [hole]
    let whole = fleet.history(key: 4)
    for phone in whole.phones {
      history.append(phone.sender, whole.wakes[phone.wakes].filter { !hole.contains($0.time) })
    }
    let (estimates, others) = (KindEstimates(history), KindEstimates(whole))
    #expect(abs(try #require(estimates.interval.value) - 1_800) < 5)
    let (later, usual) = (
      try #require(estimates.startDelay?.laterShare.value), try #require(others.startDelay?.laterShare.value)
    )
    #expect(abs(later - usual) < 0.005)
  }

  @Test func jitterIsRemovedFromTheInterval() throws {
    var fleet = usualFleet()
    (fleet.phones, fleet.jitter) = (300, 600)
    var known = KnownPolicy()
    known.jitter = 600
    let estimates = KindEstimates(fleet.history(key: 1), known: known)
    let interval = estimates.interval
    #expect(try #require(interval.low) <= 1_800 && #require(interval.high) >= 1_800)
    #expect(interval.verdict == .identified)
    #expect(abs(try #require(estimates.startDelay?.window.value) / 900 - 1) < 0.05)
  }

  /// Intervals shorter than the system's min spacing are indistinguishable.
  @Test func minimumSpacingHidesTheInterval() {
    var fleet = usualFleet()
    (fleet.interval, fleet.window) = (300, 300)
    let interval = KindEstimates(fleet.history(key: 6)).interval
    #expect(interval.verdict == .oneSided && interval.reason == .minimumSpacingHidesInterval)
    #expect(interval.high.map { abs($0 - 300) < 5 } ?? false)
  }

  @Test func aCacheHidesTheInterval() {
    var known = KnownPolicy()
    known.cacheTTL = 1_800
    let history = usualFleet().history(key: 7)
    #expect(KindEstimates(history, known: known).interval.verdict == .oneSided)
    known.cacheTTL = 1_200
    #expect(KindEstimates(history, known: known).interval.verdict == .weakly)
    known.cacheTTL = 600
    #expect(KindEstimates(history, known: known).interval.verdict == .identified)
  }

  @Test(arguments: [(1_800.0, 3_600.0), (3_600, 1_800), (1_800, 2_700), (900, 21_600)])
  func twoVersions(intervals: (first: Double, second: Double)) throws {
    var (first, second) = (usualFleet(), usualFleet())
    (first.interval, first.phones) = (intervals.first, 400)
    (second.interval, second.phones, second.system) = (intervals.second, 200, 26)
    let estimates = KindEstimates(SyntheticFleet.history(of: [first, second], key: 8))
    try #require(estimates.versions.count == 2)
    let places = estimates.versions.map(\.edge.place).sorted()
    #expect(zip(places, [intervals.first, intervals.second].sorted()).allSatisfy { abs($0 - $1) < 5 })
    #expect(estimates.interval.reason == .severalIntervals)
  }

  @Test func severalWidgets() throws {
    var fleet = usualFleet()
    (fleet.widgets, fleet.freeRuns) = (3, 1)
    let estimates = KindEstimates(fleet.history(key: 9))
    #expect(abs(try #require(estimates.interval.value) - 1_800) < 5)
    #expect(estimates.widgets.value == 3)
  }
}
