import Foundation
import Testing

@testable import Numerics

@Suite struct CountLawTests {
  /// The mean deviation equals the sum over all counts of distance times probability, term by term.
  @Test(arguments: [0.3, 1, 2.5, 17, 100, 900.5]) func theMeanDeviationIsTheSum(_ mean: Double) {
    var (sum, logTerm) = (0.0, -mean)
    for count in 0..<3_000 {
      if count > 0 { logTerm += log(mean / Double(count)) }
      sum += abs(Double(count) - mean) * exp(logTerm)
    }
    #expect(abs(PoissonLaw.meanDeviation(mean) / sum - 1) < 1e-9)
  }

  @Test func deviationOfZeroCountsIsZero() { #expect(PoissonLaw.meanDeviation(0) == 0) }

  /// The tails beyond both limits have a probability of 2.5 %: that many hits or more at the lower, that many or fewer
  /// at the upper.
  ///
  /// For the last three, gsl_cdf_beta_Pinv of GSL 2.7.1 gives NaN.
  @Test(arguments: [(0, 7), (1, 7), (6, 7), (7, 7), (45, 50), (848, 863), (853, 863), (860, 863)])
  func shareLimitsHaveTheirTailProbabilities(_ row: (Int, Int)) throws {
    let share = try CountedShare(row.0, of: row.1)
    let few = (0...row.0).reduce(0) { $0 + binomial($1, row.1, share.high) }
    let many = (row.0...row.1).reduce(0) { $0 + binomial($1, row.1, share.low) }
    if row.0 < row.1 { #expect(abs(few - 0.025) < 1e-9) } else { #expect(share.high == 1) }
    if row.0 > 0 { #expect(abs(many - 0.025) < 1e-9) } else { #expect(share.low == 0) }
  }

  /// Seven hits in seven days have the limit 0.025^(1/7), 59 %: a week cannot show 90 %.
  @Test func sevenDaysGiveAWideShareInterval() throws {
    let share = try CountedShare(7, of: 7)
    #expect(abs(share.low * share.low * share.low * share.low * share.low * share.low * share.low - 0.025) < 1e-9)
    #expect(throws: NumericsError.self) { try CountedShare(1, of: 0) }
    #expect(throws: NumericsError.self) { try CountedShare(8, of: 7) }
  }

  private func binomial(_ hits: Int, _ count: Int, _ share: Double) -> Double {
    var probability = 1.0
    for place in 0..<hits { probability *= share * Double(count - place) / Double(place + 1) }
    for _ in hits..<count { probability *= 1 - share }
    return probability
  }
}
