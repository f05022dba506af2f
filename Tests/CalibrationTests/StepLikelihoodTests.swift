import Numerics
import SimulationKernel
import Testing

@testable import Calibration

/// The estimated step of a rate, checked against formulas.
@Suite struct StepLikelihoodTests {
  /// Nothing before the step, n events spread evenly after it: the interval is that of the smallest of n uniforms, n f
  /// (P^ - P) below -log 0.05 = 3.0 (Lehmann and Romano 2005, 3.9).
  @Test func noEventsBeforeStepGivesOneSidedInterval() throws {
    let events = (0..<1_000).map {
      StepLikelihood.Event(place: 10 + Double($0) * 0.01, exposure: 10 + Double($0) * 0.01)
    }
    let step = try #require(StepLikelihood(from: 0, events: events, exposure: 20).step())
    #expect(step.place == 10 && step.high == 10)
    // n log((20 - p) / 10) = 3: the exact form of 1 000 f (10 - p) = 3 with f = 1/10 per unit.
    #expect(abs(step.low - (20 - 10 * SteadyMath.exp(2.9957 / 1_000))) < 1e-4)
  }

  /// (1 - x)(1 - C x) = 0.95 at both extremes of the ratio: C is 0 for an infinite one and 1 for one near 1.
  @Test func likelihoodDropIsRightAtBothExtremes() {
    #expect(abs(StepLikelihood.drop(ratio: .infinity) - 2.9957) < 1e-4)
    #expect(abs(StepLikelihood.drop(ratio: 1.000_1) + SteadyMath.log(1 - 0.95.squareRoot())) < 0.01)
  }

  /// A falling rate has no step up.
  @Test func fallingRateHasNoUpwardStep() {
    let events = (0..<50).map { StepLikelihood.Event(place: Double($0) * 0.1, exposure: Double($0) * 0.1) }
    let step = StepLikelihood(from: 0, events: events, exposure: 50).step()
    #expect(step.map { $0.gain < 3 } ?? true)
    #expect(StepLikelihood(from: 0, events: [], exposure: 1).step() == nil)
  }
}

/// Errors from deleting groups and days, compared with the analytic variance of a mean.
@Suite struct CrossedSumsTests {
  @Test func theErrorOfAMean() throws {
    var sums = CrossedSums(of: 0..<10 * 86_400_000, width: 2)
    var draws = Draws(key: 1)
    var values: [Double] = []
    for _ in 0..<20_000 {
      let value = draws.normal()
      values.append(value)
      let time = Int64(draws.uniform() * 10 * 86_400_000)
      let group = Int(draws.uniform() * 128)
      sums.add(value, to: 0, group: group, at: time)
      sums.add(1, to: 1, group: group, at: time)
    }
    let result = sums.interval { $0[0] / $0[1] }
    let interval = try #require(result.interval)
    let half = (interval.upperBound - interval.lowerBound) / 2
    // 1.98 / sqrt(20 000) = 0.014 for phones alone; days add up to half of that by chance.
    #expect(half > 0.014 * 0.8 && half < 0.014 * 1.6)
    #expect(abs(result.value - values.reduce(0, +) / 20_000) < 1e-12)
  }

  @Test func twoDaysGiveNoInterval() {
    var sums = CrossedSums(of: 0..<2 * 86_400_000, width: 1)
    sums.add(1, to: 0, group: 0, at: 0)
    #expect(sums.interval { $0[0] }.interval == nil)
  }
}

/// The distribution of the sum of two uniforms, worked out on paper.
@Suite struct JitteredCycleTests {
  @Test func theSumOfTwoUniforms() {
    #expect(JitteredCycle.sum(-1, 2, 3) == 0 && abs(JitteredCycle.sum(5, 2, 3) - 1) < 1e-12)
    #expect(abs(JitteredCycle.sum(2.5, 2, 3) - 0.5) < 1e-12)
    #expect(abs(JitteredCycle.sum(1, 2, 3) - 1.0 / 12) < 1e-12)
  }
}
