import Foundation
import Numerics
import Testing

@testable import Calibration

/// Half-widths of a lab against mathematics.
@Suite struct LabTests {
  /// The bound of Dvoretzky, Kiefer and Wolfowitz is the first term of Kolmogorov's series, whose others are small here.
  @Test(arguments: [50, 500, 5_000.0]) func distanceOfALawIsKolmogorovs(observations: Double) {
    let distance = LabPrecision.law(observations: observations)
    #expect(abs(KolmogorovDistribution.asymptoticUpperTail(distance * observations.squareRoot()) - 0.05) < 1e-5)
  }

  /// Of n observations that spread evenly over a window none lies in the last part x of it with (1 - x)^n.
  @Test(arguments: [100, 1_000.0]) func distanceToAnEndIsThatOfTheLargestOfUniforms(observations: Double) {
    let part = LabPrecision.edge(window: 900, observations: observations) / 900
    let probability = pow(1 - part, observations)
    // (1 - c / n)^n = exp(-c - c^2 / 2n - ...).
    #expect(probability <= 0.05)
    #expect(probability >= 0.05 * exp(-part * part * observations))
  }

  @Test func aShareIsLeastCertainInTheMiddle() {
    #expect(LabPrecision.deviation(ofShare: 0.5) == 0.5)
    #expect(abs(LabPrecision.deviation(ofShare: 0.1) - 0.3) < 1e-12)
    #expect(LabPrecision.deviation(ofShare: 0) == 0)
  }

  /// Means of five phones, each with its own: their variance, and the intervals that Student's t makes of them.
  ///
  /// The deviation of k normal means is c4 of the true one on average; c4(5) = 0.93999 (Montgomery, Statistical Quality
  /// Control, 2009, appendix VI).
  @Test func theMeanOfPhonesThatDifferIsAsUncertainAsSimulated() throws {
    let (phones, each, between, within) = (5, 20, 10.0, 30.0)
    let half = try #require(
      LabPrecision.clusteredMean(between: between, within: within, phones: phones, observationsEach: Double(each)))
    var draws = Draws(key: 11)
    let trials = 4_000
    var (squares, halves, halfSquares, covered) = (0.0, 0.0, 0.0, 0)
    for _ in 0..<trials {
      let means = (0..<phones).map { _ in
        let own = 100 + between * draws.normal()
        return (0..<each).reduce(0) { sum, _ in sum + own + within * draws.normal() } / Double(each)
      }
      let interval = try #require(try ConfidenceInterval(of: means))
      let own = (interval.high - interval.low) / 2
      squares += (interval.mean - 100) * (interval.mean - 100)
      halves += own
      halfSquares += own * own
      if interval.low <= 100, 100 <= interval.high { covered += 1 }
    }
    let count = Double(trials)
    let student = try StudentDistribution.quantile(0.975, freedom: 4)
    // A sum of squares of normals has the relative error sqrt(2 / n).
    let variance = half / student * (half / student)
    #expect(abs(squares / count / variance - 1) < 4 * (2 / count).squareRoot())
    let mean = halves / count
    let error = ((halfSquares / count - mean * mean) / count).squareRoot()
    #expect(abs(mean - 0.93999 * half) < 4 * error)
    #expect(abs(Double(covered) / count - 0.95) < 4 * (0.95 * 0.05 / count).squareRoot())
  }

  /// Where phones do not differ many of them are as good as one with as many observations.
  @Test func manyEqualPhonesAreOneSample() throws {
    let clustered = try #require(
      LabPrecision.clusteredMean(between: 0, within: 30, phones: 100_000, observationsEach: 10))
    let plain = LabPrecision.mean(deviation: 30, observations: 1_000_000)
    #expect(abs(clustered / plain - 1) < 1e-4)
    #expect(LabPrecision.clusteredMean(between: 0, within: 30, phones: 1, observationsEach: 1e6) == nil)
  }

  /// Days are worth as much as phones for a lab's own phones; for all phones they are not.
  @Test func moreDaysHelpLessThanMorePhones() throws {
    let few = LabPlan(phones: 5, days: 14).rows
    let long = LabPlan(phones: 5, days: 140).rows
    let many = LabPlan(phones: 50, days: 14).rows
    for (few, (long, many)) in zip(few, zip(long, many)) where few.unit != .runsPerDay {
      #expect(long.observations == 10 * few.observations && many.observations == long.observations)
      #expect(long.here == many.here)
      let here = try #require(few.here)
      #expect(here > (try #require(long.here)))
      for (long, many) in zip(long.fleet, many.fleet) { #expect(try #require(many) < (try #require(long))) }
    }
  }

  @Test func oneWeekTellsNothingOfTheBudgetAndOnePhoneNothingOfOthers() throws {
    let budget = try #require(LabPlan(phones: 5, days: 7).rows.last)
    #expect(budget.here == nil && budget.observations == 0)
    #expect(LabPlan(phones: 1, days: 14).rows.flatMap(\.fleet).allSatisfy { $0 == nil })
    // The counts of the second week at each of five levels.
    #expect(LabPlan(phones: 5, days: 14).rows.last?.observations == 5 * 5 * 7 / 5)
  }
}
