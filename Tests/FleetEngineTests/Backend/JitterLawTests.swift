import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// Peaks of herds spread by jitter, through the whole engine without system delays (O15, O16).
@Suite struct JitterLawTests {
  private static let system =
    "{idle: none, min_spacing: 0s, start_delay: {policy: 0s, in_use: 0s}, budget: {model: off}}"

  /// Returns one hour's arrivals in 1-second steps at one endpoint, for a distribution of the next reload.
  ///
  /// All widgets are placed at the start.
  private func arrivals(after law: String, devices: Int, seed: Int) throws -> [Int] {
    var sample = FleetSample(devices: devices)
    sample.clock = "{start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 2h}"
    sample.run = "{seed: \(seed)}"
    sample.kinds = """
      {k: {phases: [{reload: {after: \(law)}}, {reload: never}], cpu: 0s, requests: [{endpoint: api}]}}
      """
    sample.os = Self.system
    let load = try sample.replication().load[0].arrivals
    // These are the placements; an immediate next reload belongs to the distribution too.
    #expect(load.reduce(0) { $0 + Int($1) } == 2 * devices, "seed \(seed)")
    var counts = load.map { Int($0) }
    counts[0] -= devices
    return counts
  }

  private func isBinomial(_ count: Int, of devices: Int, share: Double) -> Bool {
    isWithin(
      Double(count) / Double(devices), of: share, deviation: (share * (1 - share)).squareRoot(), count: devices)
  }

  /// Returns the probability of a standard normal below x from its series, without using the product's code.
  private func phi(_ x: Double) -> Double {
    var (sum, term) = (0.0, x)
    for index in 0..<60 {
      sum += term / Double(2 * index + 1)
      term *= -x * x / 2 / Double(index + 1)
    }
    return 0.5 + sum * 0.398_942_280_401_432_7
  }

  /// Gaussian jitter: N (2 Phi(w / 2 sigma) - 1) in a window w around the instant, about N w / (sigma sqrt(2 pi)).
  @Test(arguments: [(2, 1), (5, 2), (10, 3)]) func gaussian(sigma: Int, seed: Int) throws {
    let devices = 2_000
    let counts = try arrivals(
      after: "{normal: {mean: 1h, sd: \(sigma)min}}", devices: devices, seed: seed)
    for window in [60, 240, 600] {
      // Placements end and reloads start 0.1 s late, which costs the window's edges less than a percent of a second.
      let count = counts[3_600 - window / 2..<3_600 + window / 2].reduce(0, +)
      let share = 2 * phi(Double(window) / 2 / Double(sigma * 60)) - 1
      #expect(isBinomial(count, of: devices, share: share), "seed \(seed): \(count) in \(window) s, \(share)")
    }
    // The narrow window nearly has the density at the centre.
    let density = 60 / (Double(sigma * 60) * (2 * Double.pi).squareRoot())
    #expect(abs(2 * phi(30 / Double(sigma * 60)) - 1 - density) < 0.015 * density)
  }

  /// Uniform jitter gives a constant N/J; exponential jitter with mean m starts at N/m.
  @Test(arguments: 1...2) func uniformAndExponential(seed: Int) throws {
    let devices = 2_000
    let flat = try arrivals(after: "{uniform: 0s..30min}", devices: devices, seed: seed)
    for start in stride(from: 60, to: 1_740, by: 120) {
      let count = flat[start..<start + 60].reduce(0, +)
      #expect(isBinomial(count, of: devices, share: 60.0 / 1_800), "seed \(seed): \(count) from \(start) s")
    }
    let steep = try arrivals(after: "{exponential: 10min}", devices: devices, seed: seed)
    // The term 1 - exp(-w/m) for w/m = 0.1, by its series; a tenth of a second of the first run is not lost.
    let share = 0.095_162_58
    #expect(isBinomial(steep[0..<60].reduce(0, +), of: devices, share: share), "seed \(seed)")
  }

  /// The busiest of m = 30 minutes of uniform jitter: n + sqrt(n) times the mean of the max of m normals, n = N/m.
  ///
  /// The extreme-value term is accurate to 0.1 deviations at m = 30, the normal approximation to another 0.1 at n = 67.
  @Test func busiestMinute() throws {
    let (devices, bins, replications) = (2_000, 30, 20)
    var sample = FleetSample(devices: devices)
    sample.clock = "{start: 2027-01-18T08:00:00Z, settle: 0s, warmup: 1h, duration: 90min, step: 1min}"
    sample.run = "{seed: 16, replications: \(replications)}"
    sample.kinds = """
      {k: {reload: {after: {at: "09:30", days: mon}}, jitter: {up_to: \(bins)min}, cpu: 0s, requests: [{endpoint: api}]}}
      """
    sample.os = Self.system
    let peaks = try sample.result().replications.map { replication in
      replication.load[0].arrivals.reduce(0) { max($0, Double($1)) }
    }
    let mean = peaks.reduce(0, +) / Double(replications)
    let share = Double(devices) / Double(bins)
    // The terms sqrt(2 ln 30), ln ln 30, ln 4 pi and Euler's constant.
    let root = 2.608_1
    let term = root - (1.224_1 + 2.531_0) / (2 * root) + 0.577_2 / root
    let expected = share + share.squareRoot() * term
    // The deviation of the Gumbel distribution.
    let error = share.squareRoot() * 1.282_5 / root / Double(replications).squareRoot()
    let tolerance = 4.5 * error + 0.2 * share.squareRoot()
    #expect(abs(mean - expected) <= tolerance, "seed 16: \(mean) for \(expected) +- \(tolerance)")
    // Without the term, the test would fail.
    #expect(expected - share > 2 * tolerance)
  }
}
