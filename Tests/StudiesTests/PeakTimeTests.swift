import FleetEngine
import Scenario
import Testing

@testable import Studies

/// When a peak may occur (MODEL.md 8.1.11).
struct PeakTimeTests {
  private let sample = FleetSample(scale: 10, known: 0)

  private func busiest(_ counts: [Double], _ base: KnownLoad = .none) -> [Range<Int>]? {
    LoadEstimate(counts, .minute, Dispersion(nil), of: sample, base: base)?.busiest
  }

  @Test func constantRateMayPeakAtAnyTime() {
    #expect(busiest(Array(repeating: 50, count: 600)) == [0..<600])
    #expect(busiest(Array(repeating: 0, count: 600)) == [])
  }

  /// 100 instead of 50 in each of 60 minutes: 6 000 requests, known to within 3 / sqrt(6 000) = 4 %.
  @Test func hourWithTwiceTheRateIsThePeakSpan() {
    let counts = (0..<600).map { (300..<360).contains($0) ? 100.0 : 50 }
    #expect(busiest(counts) == [300..<360])
  }

  /// 500 instead of 50 in one minute: 500 +- 67, three standard errors.
  @Test func herdPeaksInItsMinute() {
    let counts = (0..<600).map { $0 == 200 ? 500.0 : 50 }
    #expect(busiest(counts) == [200..<201])
  }

  /// Two equal hours make two spans.
  @Test func equalHoursGiveSeveralSpans() {
    let counts = (0..<600).map { (100..<160).contains($0) || (400..<460).contains($0) ? 100.0 : 50 }
    #expect(busiest(counts).map(Set.init) == [100..<160, 400..<460])
  }

  /// A base load of 1 000 in one hour and 500 in the others, with a constant 500 from the fleet.
  @Test func baseLoadDeterminesThePeakHour() {
    let base = KnownLoad((0..<600).map { (120..<180).contains($0) ? 1_000 : 500 })
    #expect(busiest(Array(repeating: 50, count: 600), base) == [120..<180])
  }
}
