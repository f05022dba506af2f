import Foundation
import SimulationKernel
import Testing

@testable import Numerics

@Suite struct NumericsTests {
  /// A GSL domain error is thrown; with GSL's own handler enabled, it would end the process.
  @Test func domainErrorIsThrown() {
    let error = #expect(throws: NumericsError.self) { try GSL.realTransform(of: []) }
    guard case .library = error else {
      Issue.record("not GSL's own error: \(String(describing: error))")
      return
    }
  }

  @Test func notANumberIsRefused() {
    let distribution = ContinuousDistribution.exponential(mean: 1)
    #expect(throws: NumericsError.self) { try distribution.lowerTail(.nan) }
    #expect(throws: NumericsError.self) { try distribution.upperTail(.infinity) }
  }

  @Test(arguments: [0.0, 1, -0.1, 1.1, .nan]) func probabilityOutOfRange(probability: Double) {
    #expect(throws: NumericsError.self) { try StudentDistribution.quantile(probability, freedom: 3) }
  }

  /// Student's t from tables: 97.5 % at 1, 4, 9 and 1000 degrees of freedom.
  @Test(arguments: [(1.0, 12.7062), (4.0, 2.77645), (9.0, 2.26216), (1000.0, 1.96234)])
  func student(freedom: Double, expected: Double) throws {
    #expect(abs(try StudentDistribution.quantile(0.975, freedom: freedom) - expected) < 1e-4)
  }

  /// The values have mean 3, standard error sqrt(2.5 / 5) and t 2.77645.
  @Test func confidenceInterval() throws {
    let interval = try #require(try ConfidenceInterval(of: [1, 2, 3, 4, 5]))
    #expect(interval.mean == 3)
    #expect(abs(interval.high - 3 - 2.776_445 * 0.5.squareRoot()) < 1e-5)
    #expect(abs(interval.low + interval.high - 6) < 1e-12)
  }

  @Test func confidenceIntervalAtTheEdge() throws {
    #expect(try ConfidenceInterval(of: []) == nil)
    #expect(try ConfidenceInterval(of: [7]) == nil)
    let equal = try #require(try ConfidenceInterval(of: [0.1, 0.1, 0.1]))
    #expect(equal.low == 0.1 && equal.mean == 0.1 && equal.high == 0.1)
    #expect(throws: NumericsError.self) { try ConfidenceInterval(of: [1, .nan]) }
    #expect(throws: NumericsError.self) { try ConfidenceInterval(of: [1, 2], level: 1) }
  }

  /// Smirnov's table: K(1.3581) = 0.95, K(1.6276) = 0.99, K(0.8276) = 0.5; the two series meet at 1.18.
  @Test func kolmogorov() throws {
    #expect(abs(KolmogorovDistribution.asymptoticUpperTail(1.3581) - 0.05) < 1e-5)
    #expect(abs(KolmogorovDistribution.asymptoticUpperTail(1.6276) - 0.01) < 1e-5)
    #expect(abs(KolmogorovDistribution.asymptoticUpperTail(0.8276) - 0.5) < 1e-4)
    let below = KolmogorovDistribution.asymptoticUpperTail(1.18.nextDown)
    #expect(abs(below - KolmogorovDistribution.asymptoticUpperTail(1.18)) < 1e-12)
    #expect(try KolmogorovDistribution.upperTail(distance: 0, samples: 10) == 1)
  }

  /// Sigma is ln(1177 / 368) / 2.32635, as in workload W, and agrees with GSL.
  @Test(arguments: [0.99, 0.95]) func lognormalSigma(probability: Double) throws {
    let sigma = try LognormalSigma.from(median: 368, quantile: 1_177, at: probability)
    let found = try ContinuousDistribution.lognormal(median: 368, sigma: sigma).lowerTail(1_177)
    #expect(abs(found - probability) < 1e-10)
    #expect(try LognormalSigma.from(median: 368, quantile: 368, at: probability) == 0)
    #expect(throws: NumericsError.self) { try LognormalSigma.from(median: 368, quantile: 367, at: probability) }
    #expect(throws: NumericsError.self) { try LognormalSigma.from(median: 0, quantile: 367, at: probability) }
    #expect(throws: NumericsError.self) { try LognormalSigma.from(median: 368, quantile: 900, at: 0.5) }
  }

  /// The steady functions agree with libm to within a few units in the last place.
  @Test func steadyFunctions() {
    for step in -7_000...7_000 {
      let x = Double(step) / 10 + 0.037
      #expect(abs(SteadyMath.exp(x) / Foundation.exp(x) - 1) < 1e-15)
      let y = Foundation.exp(x)
      #expect(abs(SteadyMath.log(y) - Foundation.log(y)) <= 4e-16 * max(1, abs(x)))
    }
    for step in 1...1_000 {
      let x = Foundation.exp(-Double(step) * 0.028)  // down to 2^-40, where 1 - x keeps a quarter of x's bits
      #expect(abs(SteadyMath.logOfRest(x) / Foundation.log1p(-x) - 1) < 1e-15, "\(x)")
    }
    for x in [0.01, 0.5, 1, 1.5, 2, 6, 9.99, 10, 123.4, 10_000] {
      let expected = Foundation.lgamma(x).0
      #expect(abs(SteadyMath.logGamma(x) - expected) < 1e-14 * max(1, abs(expected)))
    }
    #expect(SteadyMath.exp(-800) == 0)
    #expect(SteadyMath.exp(800) == .infinity)
  }
}
