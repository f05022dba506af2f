import Numerics
import SimulationKernel
import Testing

@Suite struct QuantileTableBuilderTests {
  static let distributions: [ContinuousDistribution] = [
    .exponential(mean: 1), .exponential(mean: 60_000), .exponential(mean: 1_500_000),
    .normal(mean: 82_800_000, deviation: 4_500_000), .normal(mean: 60, deviation: 75), .normal(mean: -5, deviation: 2),
    .normal(mean: 1e6, deviation: 1), .normal(mean: 1e9, deviation: 1e-3),
    .lognormal(median: 368, sigma: 0.5), .lognormal(median: 60_000, sigma: 1.2), .lognormal(median: 60, sigma: 0.55),
    .lognormal(median: 1_000, sigma: 1e-5), .lognormal(median: 3_600_000, sigma: 6),
    .gamma(shape: 6, mean: 1), .gamma(shape: 0.5, mean: 10_000), .gamma(shape: 1, mean: 60_000),
    .gamma(shape: 0.05, mean: 1_000), .gamma(shape: 400, mean: 3_600_000), .gamma(shape: 10_000, mean: 60_000),
  ]

  /// A larger uniform never gives a smaller value: tested on both sides of every cell's edge, and one step of t apart
  /// inside cells.
  @Test(arguments: distributions) func monotone(distribution: ContinuousDistribution) throws {
    var builder = SamplerBuilder(storage: SamplerStorage())
    let (number, span) = (try builder.number(distribution), try builder.span(distribution))
    var previous = (u: UInt64(0), number: number.number(at: 0), span: span.span(at: 0))
    for u in Self.probes() {
      let next = (u: u, number: number.number(at: u), span: span.span(at: u))
      if next.number < previous.number || next.span < previous.span {
        Issue.record("goes back between \(previous.u) and \(u): \(previous.number) > \(next.number)")
      }
      previous = next
    }
    withExtendedLifetime(builder.storage) {}
  }

  /// Returns ascending uniforms: both ends of each cell, and some steps inside.
  private static func probes() -> [UInt64] {
    var probes: [UInt64] = [0, 1, .max - 1, .max]
    for octave in 0..<40 {
      let shift = UInt64(57 - octave)
      for cell in UInt64(32)..<64 {
        let start = cell << shift
        let step = UInt64(1) << (shift > 32 ? shift - 32 : 0)
        let inside = start + (1 << shift) / 7 * 3
        for near in [start &- 1, start, start + 1, start + step, inside - step, inside, inside + step] {
          probes += [near, ~near]
        }
      }
    }
    return probes.sorted()
  }

  /// The bytes are the same on every machine: this sum must not change with processor, libm variant or optimization.
  ///
  /// `GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA swift test --filter sameBytes` runs it with another libm.
  @Test func sameBytesOnEveryMachine() throws {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a over 64-bit words
    for distribution in Self.distributions {
      for cell in try QuantileTableBuilder(distribution).cells() {
        for coefficient in [cell.c0, cell.c1, cell.c2, cell.c3] {
          hash = (hash ^ coefficient.bitPattern) &* 0x100_0000_01b3
        }
      }
    }
    hash = (hash ^ (try LognormalSigma.from(median: 368, quantile: 1_177, at: 0.99)).bitPattern) &* 0x100_0000_01b3
    #expect(String(hash, radix: 16) == "575bc80a0818249b")
  }

  @Test func equalDistributionsShareATable() throws {
    var builder = SamplerBuilder(storage: SamplerStorage())
    guard case .table(let first) = try builder.span(.exponential(mean: 5)),
      case .table(let second) = try builder.number(.exponential(mean: 5))
    else { throw NumericsError.notMonotone(function: "not a table", cell: 0) }
    #expect(first == second)
    withExtendedLifetime(builder.storage) {}
  }

  /// Durations beyond the table's max count as the max.
  @Test func longestSpan() throws {
    var builder = SamplerBuilder(storage: SamplerStorage())
    let sampler = try builder.span(.lognormal(median: 3_600_000, sigma: 50))
    #expect(sampler.span(at: .max) == .milliseconds(1 << 46))
    #expect(sampler.span(at: 0) == .zero)
    withExtendedLifetime(builder.storage) {}
  }

  static let wrong: [ContinuousDistribution] = [
    .exponential(mean: 0), .exponential(mean: -1), .exponential(mean: .nan), .exponential(mean: .infinity),
    .normal(mean: .nan, deviation: 1), .normal(mean: 0, deviation: 0), .normal(mean: 0, deviation: -1),
    .lognormal(median: 0, sigma: 1), .lognormal(median: 1, sigma: -1), .lognormal(median: 1, sigma: .nan),
    .gamma(shape: 0, mean: 1), .gamma(shape: 1e9, mean: 1), .gamma(shape: 6, mean: 0), .gamma(shape: .nan, mean: 1),
  ]

  @Test(arguments: wrong) func wrongParameters(distribution: ContinuousDistribution) {
    let error = #expect(throws: NumericsError.self) { try QuantileTableBuilder(distribution) }
    guard case .argument = error else {
      Issue.record("not an error about an argument: \(String(describing: error))")
      return
    }
  }

  @Test func overflowIsAnError() {
    #expect(throws: NumericsError.self) { try QuantileTableBuilder(.lognormal(median: 1e300, sigma: 90)).cells() }
  }

  @Test(arguments: [[], [0.0, 0], [1, -1], [.nan], [.infinity]]) func wrongWeights(weights: [Double]) {
    let builder = SamplerBuilder(storage: SamplerStorage())
    #expect(throws: NumericsError.self) { try builder.span(choice: weights.map { (.second, $0) }) }
    #expect(throws: NumericsError.self) { try builder.number(choice: weights.map { (1, $0) }) }
  }
}
