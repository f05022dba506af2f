import Numerics
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import Studies
@testable import SyntheticResults

/// The peak of a fleet estimated from a sample, compared with known distributions (MODEL.md 8.1).
struct LoadEstimateTests {
  /// Independent draws from a seed.
  private struct Draws: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
    /// Returns a count by inversion, for small means.
    mutating func poisson(_ mean: Double) -> Int64 {
      var (left, count) = (Double.random(in: 0..<1, using: &self), Int64(0))
      var chance = SteadyMath.exp(-mean)
      while left >= chance, count < 10_000 {
        left -= chance
        count += 1
        chance *= mean / Double(count)
      }
      return count
    }
  }

  /// Returns the estimate from a sample of a fleet in 10 s windows, given each window's mean number of clusters, the
  /// requests per cluster, and the additional load of the fleet's windows.
  private func estimate(
    seed: UInt64, clusters: [Double], size: Int64, scale: Double, known: Double = 0, base: [Double]? = nil
  ) throws -> Estimate {
    var draws = Draws(seed: seed)
    let groups = (0..<16).map { _ in clusters.map { draws.poisson($0 / 16) * size } }
    let counts = clusters.indices.map { index in Double(groups.reduce(0) { $0 + $1[index] }) }
    let dispersion = Dispersion(WindowSpread(.tenSeconds, groups))
    let load = try #require(
      LoadEstimate(
        counts, .tenSeconds, dispersion, of: FleetSample(scale: scale, known: known), base: KnownLoad(base)))
    return load.peak.scaled(10)
  }

  /// A push to a million phones that come with Exp(60 s): a fall within a piece is part of the upper end.
  @Test(arguments: [2_000.0, 8_000, 32_000]) func intervalsHoldThePeakOfAFallingLoad(sampled: Double) throws {
    let (phones, mean, seeds) = (1_000_000.0, 60.0, 100)
    let fall = (0..<900).map { second in
      SteadyMath.exp(-Double(second) / mean) - SteadyMath.exp(-Double(second + 1) / mean)
    }
    let rates = Array(repeating: 1e-5, count: 3_600) + fall
    // The fleet's first second is Poisson, in good approximation normal, and higher than all others.
    let held = try (1...seeds).count { seed in
      var draws = Draws(seed: UInt64(seed))
      let groups = (0..<16).map { _ in rates.map { draws.poisson($0 * sampled / 16) } }
      let counts = rates.indices.map { index in Double(groups.reduce(0) { $0 + $1[index] }) }
      let dispersion = Dispersion(WindowSpread(.second, groups))
      let sample = FleetSample(scale: phones / sampled, known: 0)
      let peak = try #require(LoadEstimate(counts, .second, dispersion, of: sample)).peak
      return (peak.low...peak.high).contains(phones * fall[0])
    }
    // 95 of 100, less three standard errors.
    #expect(held >= 88, "\(held) of \(seeds)")
  }

  /// Returns the probability that a Poisson count is at most `count`.
  private static func poisson(atMost count: Int, mean: Double) -> Double {
    var (chance, sum) = (SteadyMath.exp(-mean), 0.0)
    for number in 0...count {
      sum += chance
      chance *= mean / Double(number + 1)
    }
    return sum
  }

  /// Returns the median of the largest of independent Poisson counts, times the size of their clusters.
  private func medianPeak(_ means: [(mean: Double, windows: Double)], size: Double) -> Double {
    var count = 0
    while true {
      let log = means.reduce(0) { sum, part in
        sum + part.windows * SteadyMath.log(max(Self.poisson(atMost: count, mean: part.mean), 1e-300))
      }
      if log >= SteadyMath.log(0.5) { return Double(count) * size }
      count += 1
    }
  }

  /// A run sends seven requests: the max is distributed like that of clusters, and the sample's scaled max is far above
  /// it.
  @Test func clusteredLoadHasTheExpectedMaximum() throws {
    let truth = medianPeak([(mean: 50, windows: 4_000)], size: 7)
    var (inside, errors) = (0, [Double]())
    for seed in UInt64(1)...10 {
      let peak = try estimate(seed: seed, clusters: Array(repeating: 5, count: 4_000), size: 7, scale: 10)
      errors.append(abs(peak.value / truth - 1))
      inside += peak.low <= truth && truth <= peak.high ? 1 : 0
    }
    #expect(inside >= 9, "\(errors)")
    // 20 000 clusters: a standard error of 0.7 %. One sample in twenty may be cut where chance made a bump.
    #expect(errors.sorted()[7] < 0.035, "\(errors)")
  }

  /// All phones send within ten minutes of an hour, at a constant rate, and hardly at all at other times.
  @Test func herdOverSomeMinutesIsEstimated() throws {
    let rates = (0..<360).map { (120..<180).contains($0) ? 40.0 : 0.5 }
    let truth = medianPeak([(mean: 400, windows: 60), (mean: 5, windows: 300)], size: 1)
    for seed in UInt64(1)...5 {
      let peak = try estimate(seed: seed, clusters: rates, size: 1, scale: 10)
      // 2 400 requests: 2 %.
      #expect(abs(peak.value / truth - 1) < 0.08, "seed \(seed): \(peak) for \(truth)")
      #expect(peak.low <= truth && truth <= peak.high)
    }
  }

  /// Ten seconds of a day remain ten seconds: the herd is not pooled with the calm load around it.
  @Test func herdInOneWindowIsNotPooled() throws {
    var rates = Array(repeating: 2.0, count: 4_000)
    rates[1_234] = 300
    for seed in UInt64(1)...5 {
      let peak = try estimate(seed: seed, clusters: rates, size: 1, scale: 10)
      // One count of 300: 6 %.
      #expect(abs(peak.value / 3_000 - 1) < 0.2, "seed \(seed): \(peak)")
      #expect(peak.low <= 3_000 && 3_000 <= peak.high)
    }
  }

  /// The third highest of three high windows is high, and the fourth, of 298 low ones, is low: quantiles keep values
  /// that are certain.
  @Test func certainWindowsKeepTheirQuantiles() throws {
    let counts = (0...300).map { Double($0 % 100 == 50 ? 1_000_000 : 10_000) }
    let groups = (0..<16).map { _ in counts.map { Int64($0) / 16 } }
    let dispersion = Dispersion(WindowSpread(.second, groups))
    let load = try #require(LoadEstimate(counts, .second, dispersion, of: FleetSample(scale: 10, known: 0)))
    // Three of 301 windows are high: rank 2 is the third of them, rank 4 is none of them.
    #expect(abs(load.quantile(1 - 2.0 / 300).value / 1e7 - 1) < 0.05)
    #expect(abs(load.quantile(1 - 4.0 / 300).value / 1e5 - 1) < 0.05)
  }

  /// Equal herds share their information: the luckiest of them is not the peak.
  @Test func equalHerdsShareOnePeak() throws {
    let rates = (0..<8_640).map { $0 % 360 < 60 ? 30.0 : 1 }
    let truth = medianPeak([(mean: 600, windows: 1_440)], size: 1)
    for seed in UInt64(1)...3 {
      let peak = try estimate(seed: seed, clusters: rates, size: 1, scale: 20)
      #expect(abs(peak.value / truth - 1) < 0.05, "seed \(seed): \(peak) for \(truth)")
    }
  }

  /// A base load shifts the peak and both of its bounds by its own size: none of it is due to chance.
  @Test func constantBaseLoadShiftsPeakAndBounds() throws {
    let rates = (0..<360).map { (120..<180).contains($0) ? 40.0 : 0.5 }
    let alone = try estimate(seed: 1, clusters: rates, size: 1, scale: 10)
    let both = try estimate(seed: 1, clusters: rates, size: 1, scale: 10, base: Array(repeating: 9_000, count: 360))
    // Quantiles are found to a thousandth of a count, here of 9 400.
    for (one, other) in [(alone.value, both.value), (alone.low, both.low), (alone.high, both.high)] {
      #expect(abs(one + 9_000 - other) < 2 * 1e-3 * other, "\(alone), \(both)")
    }
    // A base load alone is known exactly.
    let quiet = try estimate(
      seed: 1, clusters: Array(repeating: 0, count: 360), size: 1, scale: 10,
      base: (0..<360).map { 9_000 + Double($0) })
    #expect(abs(quiet.value / 9_359 - 1) < 2e-3, "\(quiet)")
    #expect(quiet.high - quiet.low < 4e-3 * quiet.value, "\(quiet)")
  }

  /// A CDN that collapses requests lets through at most as many as it has keys, whatever chance adds.
  @Test func collapsedLoadIsAtMostTheNumberOfKeys() throws {
    // The distribution for 790 on average, twenty times: the largest is about 860, and 800 at most.
    let counts = Array(repeating: 79.0, count: 20) + Array(repeating: 1, count: 340)
    let dispersion = Dispersion(nil)
    let base = KnownLoad(Array(repeating: 300, count: 360))
    let peak = try #require(
      LoadEstimate(counts, .second, dispersion, of: FleetSample(scale: 10, known: 0), base: base, maximum: 800)
    ).peak
    #expect(peak.high == 1_100 && peak.value == 1_100, "\(peak)")
  }

  /// The phones are busiest when the base load is low: the servers' peak differs from both.
  @Test func baseLoadPeakMayDifferFromPhones() throws {
    // The phones' load falls before the others' load rises: a boundary shifted slightly by chance decides nothing.
    let rates = (0..<2_000).map { $0 < 900 ? 40.0 : 30 }
    let base = (0..<2_000).map { $0 < 1_000 ? 100.0 : 300 }
    // 400 and 100 in the first windows, 300 and 300 in the last, which decide: 300 + 300 with a standard deviation of
    // 17.
    let truth = 300 + medianPeak([(mean: 300, windows: 1_000)], size: 1)
    for seed in UInt64(1)...5 {
      let peak = try estimate(seed: seed, clusters: rates, size: 1, scale: 10, base: base)
      // 30 000 requests: 0.6 % of the 300, and 1 % of what chance adds.
      #expect(abs(peak.value / truth - 1) < 0.02, "seed \(seed): \(peak) for \(truth)")
      #expect(peak.low <= truth && truth <= peak.high)
    }
  }

  @Test func estimateHandlesZeroAndOneDevice() throws {
    let dispersion = Dispersion(WindowSpread(.second, [[0, 0, 0], [0, 0, 0]]))
    let none = try #require(LoadEstimate([0, 0, 0], .second, dispersion, of: FleetSample(scale: 9, known: 0)))
    #expect(none.peak == Estimate(value: 0, low: 0, high: 0))
    #expect(none.quantile(0.99) == Estimate(value: 0, low: 0, high: 0))
    #expect(LoadEstimate([], .second, dispersion, of: FleetSample(scale: 9, known: 0)) == nil)
    // One device in a thousand sends once in a minute; if all were alike, its fleet would send 1 000 in that minute, 17
    // per second.
    let counts = (0..<60).map { Int64($0 == 30 ? 1 : 0) }
    let lone = Dispersion(WindowSpread(.second, [counts, counts.map { _ in 0 }]))
    let one = try #require(
      LoadEstimate(counts.map { Double($0) }, .second, lone, of: FleetSample(scale: 1_000, known: 0))
    ).peak
    #expect(one.value < 100 && one.low < 17 && one.high > 17)
  }

  /// The gamma function between the steps of the Poisson distribution, and the Wilson–Hilferty root beyond.
  @Test func theScaledPoissonLaw() throws {
    for (mean, count) in [(0.5, 2), (5, 9), (30, 45), (50, 70), (400, 460)] {
      let exact = 1 - Self.poisson(atMost: count, mean: mean)
      let tail = ScaledPoisson(mean: mean * 7, dispersion: 7).upperTail(Double(count) * 7)
      #expect(abs(tail / exact - 1) < 0.03, "\(mean), \(count): \(tail) for \(exact)")
    }
    #expect(abs(ScaledPoisson.normalUpperTail(1.959_963_985) - 0.025) < 1e-7)
    #expect(abs(ScaledPoisson.normalUpperTail(-1.959_963_985) - 0.975) < 1e-7)
    // From tables: 3.167e-5 beyond 4, 2.867e-7 beyond 5.
    #expect(abs(ScaledPoisson.normalUpperTail(4) / 3.167_124e-5 - 1) < 0.0025)
    #expect(abs(ScaledPoisson.normalUpperTail(5) / 2.866_516e-7 - 1) < 0.0025)
  }

  /// The variances of windows and blocks, computed by hand.
  @Test func spreadsOfGroups() {
    let spread = WindowSpread(.second, [[1, 0, 3, 1, 5], [1, 2, 1, 1, 5]])
    // Two groups: 2 (a^2 + b^2) - (a + b)^2 = (a - b)^2. The fifth window has no second one to form a block with.
    #expect(spread.variances == [0, 4, 4, 0, 0])
    #expect(spread.blocks[0] == WindowSpread.Sums(variance: 8, requests: 20, places: 5))
    #expect(spread.blocks[1] == WindowSpread.Sums(variance: 8, requests: 10, places: 2))
    #expect(spread.blocks[2] == WindowSpread.Sums(variance: 0, requests: 10, places: 1))
    #expect(spread.blocks.count == 3)
  }

  /// The number n of sums over all 2^j windows, and a number of windows that is not a power of two.
  @Test func blocksOfManyWindows() {
    let groups: [[Int64]] = [(0..<100).map { $0 % 7 }, (0..<100).map { $0 % 5 }, (0..<100).map { $0 % 3 }]
    let spread = WindowSpread(.second, groups)
    #expect(spread.blocks.count == 7)
    for level in 0..<7 {
      var expected = WindowSpread.Sums(variance: 0, requests: 0, places: 0)
      for block in 0..<100 >> level {
        let parts = groups.map { Double($0[block << level..<(block + 1) << level].reduce(0, +)) }
        let (sum, squares) = (parts.reduce(0, +), parts.reduce(0) { $0 + $1 * $1 })
        expected.variance += (3 * squares - sum * sum) / 2
        expected.requests += sum
        expected.places += sum > 0 ? 1 : 0
      }
      #expect(spread.blocks[level] == expected, "level \(level)")
    }
  }
}
