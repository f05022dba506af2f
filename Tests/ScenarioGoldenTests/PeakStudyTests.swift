import Foundation
import Scenario
import Studies
import Testing

/// The peak of jitter-sweep.yaml, compared with its extreme-value distribution.
@Suite struct PeakStudyTests {
  /// Returns the expected max of m counts of N / m each: the reference's O16, by the Gumbel distribution for the
  /// largest of m normal variables (Cramér, Mathematical Methods of Statistics, 1946, 28.6).
  private func peak(jitter minutes: Int, widgets: Double) -> Double {
    let counts = Double(minutes) * 6
    let mean = widgets / counts
    let scale = (2 * log(counts)).squareRoot()
    let gumbel = scale - (log(log(counts)) + log(4 * .pi)) / (2 * scale) + 0.577_215_7 / scale
    return (mean + mean.squareRoot() * gumbel) / 10
  }

  /// For 20 000 widgets and 30 to 90 counts, the formula is accurate to a fraction of a percent.
  @Test func peakFormulaMatchesThePaper() {
    #expect(abs(peak(jitter: 10, widgets: 20_000) - 37.67) < 0.01)
  }

  /// The 99.9 % interval of the mean over replications contains the formula's value; the plateau also has its expected
  /// value.
  @Test(arguments: [5, 10, 15]) func jitteredPeakMatchesTheFormula(minutes: Int) throws {
    let widgets = StudySample.isLong ? 20_000 : 3_000
    let file = Trial.scenarioFolder.appending(path: "jitter-sweep.yaml")
    let sample = try StudySample(
      try String(contentsOf: file, encoding: .utf8), "kinds.stocks.jitter.up_to=\(minutes)min",
      "fleet.devices=\(widgets)")
    let labels = Labels().with(\.window, "10s").with(\.endpoint, "quotes")
    let row = try #require(try sample.summary(seed: 1, replications: 10).row(.peakRPS, .max, labels))
    let (mean, interval) = (try #require(row.value).approximate, try #require(row.interval))
    let law = peak(jitter: minutes, widgets: Double(widgets))
    // Student's quantiles for 9 degrees of freedom: 2.262 at 95 %, 4.781 at 99.9 %. With few widgets, counts are
    // skewed, which adds 1 %.
    let half = (interval.high - interval.low) / 2 * 4.781 / 2.262 + (StudySample.isLong ? 0.002 : 0.01) * law
    #expect(abs(mean - law) <= half, "\(mean) for \(law), up to \(half) off, seed 1")
    if StudySample.isLong {
      print("peak, jitter \(minutes) min: \(mean) (\(interval.low) to \(interval.high)), law \(law)")
    }
  }
}
