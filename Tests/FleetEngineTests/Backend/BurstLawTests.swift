import BackendModel
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// A burst of N over J into a capacity c with base load b, through the whole engine (MODEL.md 9, O19).
///
/// All requests are due at 09:30 and spread only by their jitter. The fluid has N - (c - b) J waiting when the burst
/// ends, and is drained N / (c - b) after its start.
@Suite struct BurstLawTests {
  private static let (devices, burst, base, capacity) = (6_000.0, 300.0, 5.0, 15.0)
  /// The time of 09:30 in Berlin, in seconds after the start.
  private static let beginning = 1_800.0

  private static func sample(seed: Int, step: String = "1s", queue: String = "") -> FleetSample {
    var sample = FleetSample(devices: Int(devices))
    sample.clock = "{start: 2027-01-18T08:00:00Z, settle: 0s, warmup: 1h, duration: 90min, step: \(step)}"
    sample.run = "{seed: \(seed)}"
    sample.kinds = """
      {k: {reload: {after: {at: "09:30", days: mon}}, jitter: {up_to: \(Int(burst))s}, cpu: 0s,
       requests: [{endpoint: api}], on_error: {after: 3h}}}
      """
    sample.os = "{idle: none, min_spacing: 0s, start_delay: {policy: 0s, in_use: 0s}, budget: {model: off}}"
    sample.endpoints = """
      {api: {capacity: \(Int(capacity))/s, timeout: 1h, base_load: {rate: \(Int(base))/s, hours: flat}\(queue)}}
      """
    return sample
  }

  /// At the start, while few requests have arrived, the queue is idle for an exponential time.
  ///
  /// A random walk with drift lambda + b - c = 10/s and variance lambda = 20/s is 1 request behind on average, and 12
  /// behind once in 150 000 times.
  @Test(arguments: 1...2) func backlogAndDrain(seed: Int) throws {
    let records = try #require(try Self.sample(seed: seed).replication().backend?.records[0])
    let idle = 12.0
    let free = Self.capacity - Self.base
    let end = Int(Self.beginning + Self.burst)
    // Half a round trip, 15 ms, moves a few of the last requests into the next second.
    let backlog = records[end].backlog
    let expected = Self.devices - free * Self.burst
    #expect(backlog > expected - free - 1 && backlog < expected + idle, "seed \(seed): \(backlog) for \(expected)")
    #expect(records.allSatisfy { $0.backlog <= backlog + 2 * free })
    let last = try #require(records.lastIndex { $0.backlog > 0 })
    let drained = Double(last + 1) - Self.beginning
    #expect(drained >= Self.devices / free - 1, "seed \(seed): drained after \(drained) s")
    #expect(drained <= Self.devices / free + idle / free + 2, "seed \(seed): drained after \(drained) s")
    #expect(records.reduce(0) { $0 + $1.refused } == 0)
  }

  /// A queue of 1 000 is full after 1 000 / (lambda + b - c) = 100 s.
  ///
  /// After that, c d of the (lambda + b) d requests in a step are served. The step in which it fills up and the last
  /// one count as half each.
  @Test(arguments: 1...2) func refusals(seed: Int) throws {
    let step = 5.0
    let result = try Self.sample(seed: seed, step: "5s", queue: ", queue: 1k").replication()
    let (rate, free) = (Self.devices / Self.burst, Self.capacity - Self.base)
    let joining = (rate + Self.base) * step
    // The mean E[1 / (a + b)] for Poisson arrivals a, to second order.
    let share = 1 - Self.capacity * step / joining * (1 + rate * step / joining / joining)
    let full = (Self.burst - 1_000 / (rate + Self.base - Self.capacity)) / step
    let expected = (full - 0.5) * rate * step * share
    // The terms are binomial refusals, shares that vary like 1 / (a + b), and half a step either way.
    let binomial = full * rate * step * share * (1 - share)
    let spread = (1 - share) * (rate * step).squareRoot() / joining * rate * step * full.squareRoot()
    let tolerance = 4.5 * (binomial + spread * spread).squareRoot() + 0.5 * rate * step * share
    let refused = Double(result.devices.sum(.failures))
    #expect(abs(refused - expected) <= tolerance, "seed \(seed): \(refused) for \(expected) +- \(tolerance)")
    #expect(free > 0 && tolerance < expected / 4)
    let records = try #require(result.backend?.records[0])
    #expect(records.allSatisfy { $0.backlog <= 1_000 })
  }
}
