import Foundation
import Numerics
import SimulationKernel
import Testing

/// The `<dist>` distributions compared with GSL: the whole distribution, moments, tails.
@Suite struct DistributionShapeTests {
  /// A distribution in milliseconds with its exact mean, variance and kurtosis (fourth central moment / variance^2).
  struct Shape: CustomTestStringConvertible, Sendable {
    let distribution: ContinuousDistribution
    let moments: Moments
    let kurtosis: Double

    var testDescription: String { "\(distribution)" }

    static func exponential(mean: Double) -> Shape {
      Shape(
        distribution: .exponential(mean: mean), moments: Moments(mean: mean, variance: mean * mean), kurtosis: 9)
    }
    static func normal(mean: Double, deviation: Double) -> Shape {
      Shape(
        distribution: .normal(mean: mean, deviation: deviation),
        moments: Moments(mean: mean, variance: deviation * deviation), kurtosis: 3)
    }
    static func lognormal(median: Double, sigma: Double) -> Shape {
      let w = exp(sigma * sigma)
      return Shape(
        distribution: .lognormal(median: median, sigma: sigma),
        moments: Moments(mean: median * w.squareRoot(), variance: median * median * w * (w - 1)),
        kurtosis: w * w * w * w + 2 * w * w * w + 3 * w * w - 3)
    }
    static func gamma(shape: Double, mean: Double) -> Shape {
      Shape(
        distribution: .gamma(shape: shape, mean: mean), moments: Moments(mean: mean, variance: mean * mean / shape),
        kurtosis: 3 + 6 / shape)
    }
  }

  /// The parameters of MODEL.md and some extreme ones, all long enough for whole milliseconds not to matter.
  static let shapes: [Shape] = [
    .exponential(mean: 1_500_000), .exponential(mean: 10_800_000),
    .normal(mean: 82_800_000, deviation: 4_500_000), .normal(mean: 1_000_000, deviation: 150_000),
    .lognormal(median: 60_000, sigma: 1.2), .lognormal(median: 3_600_000, sigma: 0.55),
    .lognormal(median: 368_000, sigma: 0.05), .lognormal(median: 3_600_000_000, sigma: 0.001),
    .gamma(shape: 6, mean: 1_000_000), .gamma(shape: 0.5, mean: 10_000_000), .gamma(shape: 400, mean: 1_000_000),
  ]

  @Test(arguments: shapes) func tabulatedDistributionsMatchTheExactOnes(shape: Shape) throws {
    var builder = SamplerBuilder(storage: SamplerStorage())
    let sampler = try builder.span(shape.distribution)
    let count = 40_000
    let values = uniforms(count, key: 0x5EED_0001).map { Double(sampler.span(at: $0).milliseconds) }
    // Values are rounded to whole milliseconds: each stands for everything within half a millisecond.
    let distance = try kolmogorovDistance(values) { try shape.distribution.lowerTail($0) }
    #expect(try KolmogorovDistribution.upperTail(distance: distance, samples: count) > 0.001)
    withExtendedLifetime(builder.storage) {}
  }

  /// The mean and variance are within 4.5 standard errors.
  @Test(arguments: shapes) func moments(shape: Shape) throws {
    var builder = SamplerBuilder(storage: SamplerStorage())
    let sampler = try builder.number(shape.distribution)
    let count = 200_000.0
    let found = Moments(of: uniforms(Int(count), key: 0x5EED_0002).map { sampler.number(at: $0) })
    let (mean, variance) = (shape.moments.mean, shape.moments.variance)
    #expect(abs(found.mean - mean) <= 4.5 * (variance / count).squareRoot())
    #expect(abs(found.variance - variance) <= 4.5 * variance * ((shape.kurtosis - 1) / count).squareRoot())
    withExtendedLifetime(builder.storage) {}
  }

  /// The tabulated numbers from 1e-1 to 1e-9 have the wanted probability to a relative 2e-8; durations are within their
  /// rounding.
  @Test(arguments: shapes) func tails(shape: Shape) throws {
    var builder = SamplerBuilder(storage: SamplerStorage())
    let table = try builder.number(shape.distribution)
    let spans = try builder.span(shape.distribution)
    let distribution = shape.distribution
    for probability in (1...9).flatMap({ [pow(10, -Double($0)), 0.37 * pow(10, -Double($0))] }) {
      let (lower, upper) = (uniform(lower: probability), uniform(upper: probability))
      let tolerance = 2e-8
      #expect(abs(try distribution.lowerTail(table.number(at: lower)) / probability - 1) < tolerance)
      #expect(abs(try distribution.upperTail(table.number(at: upper)) / probability - 1) < tolerance)
      let low = Double(spans.span(at: lower).milliseconds)
      #expect(try distribution.lowerTail(max(low - 0.5, 0)) <= probability * (1 + tolerance))
      #expect(try distribution.lowerTail(low + 0.5) >= probability * (1 - tolerance))
      let high = Double(spans.span(at: upper).milliseconds)
      #expect(try distribution.upperTail(high - 0.5) >= probability * (1 - tolerance))
      #expect(try distribution.upperTail(high + 0.5) <= probability * (1 + tolerance))
    }
    withExtendedLifetime(builder.storage) {}
  }

  /// A normal draw below 0 counts as 0: checks the share of zeros, the rest against GSL, and the mean m P(m/s) + s
  /// p(m/s).
  @Test func negativeNormalDrawsCountAsZero() throws {
    let (mean, deviation) = (60_000.0, 75_000.0)
    let distribution = ContinuousDistribution.normal(mean: mean, deviation: deviation)
    var builder = SamplerBuilder(storage: SamplerStorage())
    let sampler = try builder.span(distribution)
    let count = 200_000
    let values = uniforms(count, key: 0x5EED_0003).map { Double(sampler.span(at: $0).milliseconds) }
    let zeros = try distribution.lowerTail(0.5)
    let share = Double(values.count { $0 == 0 }) / Double(count)
    #expect(abs(share - zeros) < 4.5 * (zeros * (1 - zeros) / Double(count)).squareRoot())
    let distance = try kolmogorovDistance(values, floor: 0) { try distribution.lowerTail($0) }
    #expect(try KolmogorovDistribution.upperTail(distance: distance, samples: count) > 0.001)
    let ratio = mean / deviation
    let density = exp(-ratio * ratio / 2) / (2 * Double.pi).squareRoot()
    let expected = mean * (try distribution.upperTail(0)) + deviation * density
    #expect(abs(Moments(of: values).mean - expected) < 4.5 * deviation / Double(count).squareRoot())
    #expect(sampler.span(at: 0) == .zero)
    withExtendedLifetime(builder.storage) {}
  }

  @Test func choiceByWeights() throws {
    let builder = SamplerBuilder(storage: SamplerStorage())
    let sampler = try builder.span(choice: [(.minutes(15), 0.6), (.hours(1), 0.3), (.minutes(5), 0.1)])
    let count = 100_000.0
    let values = uniforms(Int(count), key: 0x5EED_0004).map { sampler.span(at: $0) }
    for (span, share) in [(TimeAmount.minutes(15), 0.6), (.hours(1), 0.3), (.minutes(5), 0.1)] {
      let found = Double(values.count { $0 == span }) / count
      #expect(abs(found - share) < 4.5 * (share * (1 - share) / count).squareRoot())
    }
    withExtendedLifetime(builder.storage) {}
  }
}
