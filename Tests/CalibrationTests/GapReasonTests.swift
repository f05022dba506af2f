import RequestStatistics
import Scenario
import Testing

@testable import Calibration

/// Reasons for gaps other than the interval, and comparisons with simulated logs.
@Suite struct GapReasonTests {
  /// A step of rate 0.1 at an age, or a ramp of a length up to it, observed by 2 000 phones per second of age.
  private func curve(_ age: Int, ramp: Int) -> HazardCurve {
    let exposure = Array(repeating: 2_000.0, count: HazardCurve.seconds)
    let events = (0..<HazardCurve.seconds).map { second -> Int in
      let part = ramp == 0 ? (second >= age ? 1.0 : 0) : min(max(Double(second - age) / Double(ramp), 0), 1)
      return Int(2_000 * (0.000_5 + 0.02 * part))
    }
    return HazardCurve(events: events, exposure: exposure)
  }

  private func edge(_ place: Double) -> HazardEdge {
    HazardEdge(
      place: place, low: place - 1, high: place + 1, rateBefore: 0.0005, rateAfter: 0.02, gain: 100, count: 500)
  }

  @Test func aStepIsNoRamp() { #expect(EdgeShape(edge(1_800), curve(1_800, ramp: 0), sharpness: 3).isStep) }

  /// Uniform jitter of two minutes makes a ramp from the interval on; the edge is found somewhere on it.
  @Test(arguments: [60, 120, 300]) func jitterMakesARamp(_ length: Int) {
    let shape = EdgeShape(edge(1_800 + Double(length) / 3), curve(1_800, ramp: length), sharpness: 3)
    #expect(!shape.isStep)
    #expect(abs(shape.start - 1_800) < Double(length) / 4)
  }

  private func finding(_ value: Double, half: Double, known: Double) -> KeyFinding {
    KeyFinding(
      "kinds.weather.reload.after", written: "1h", known: known,
      Estimate(value, low: value - half, high: value + half, verdict: .identified, count: 100), .span)
  }

  /// Two statistics agree within four standard errors of their difference; 2 * 1.96 * 5 * sqrt(2) = 27.7.
  @Test func aStatisticOfTheFileIsNoContradiction() {
    let found = finding(3_900, half: 9.8, known: 3_600)
    #expect(found.contradicts)
    #expect(PilotComparison([finding(3_920, half: 9.8, known: 3_600)], phones: 500, of: 500).reproduces(found))
    #expect(!PilotComparison([finding(3_600, half: 9.8, known: 3_600)], phones: 500, of: 500).reproduces(found))
    #expect(!found.reproduced().contradicts && found.reproduced().estimate.verdict == .weakly)
  }

  /// A simulation with 3 900 s that shows 3 939 s means that the log's 3 900 s come from 3 861 s.
  @Test func aBiasIsTakenOff() throws {
    let found = finding(3_900, half: 9.8, known: 3_600)
    let pilot = PilotComparison([finding(3_939, half: 9.8, known: 3_900)], phones: 500, of: 500)
    let corrected = pilot.corrected(found).estimate
    #expect(abs(try #require(corrected.value) - 3_861.4) < 1)
    #expect(corrected.verdict == .identified && (corrected.high ?? 0) - (corrected.low ?? 0) > 19.6)
  }

  /// A statistic that stays where it is does not show the key's value.
  @Test func anInsensitiveStatisticIdentifiesNothing() {
    let found = finding(1_522, half: 10, known: 900)
    let before = PilotComparison([finding(1_500, half: 10, known: 900)], phones: 500, of: 500)
    let after = PilotComparison([finding(1_560, half: 10, known: 1_522)], phones: 500, of: 500)
    #expect(before.isInsensitive(found, until: after))
  }
}
