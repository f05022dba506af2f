import BackendModel
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// A TTL cache under Poisson traffic, through the whole engine (MODEL.md 9, O21).
///
/// Each key is fetched lambda / (1 + lambda TTL) times per second.
@Suite struct CacheLawTests {
  struct Row: Sendable {
    var keys: Int
    var devices: Int
    /// The mean time between a device's requests, in seconds.
    var gap: Int
    /// The time to live, in seconds.
    var ttl: Int
    var hours = 24
    var collapsing = true
  }

  /// A fetch makes a key fresh from the end of its step.
  ///
  /// With steps of length d, the next request comes d / (1 - exp(-lambda d)) later on average: half a step more than 1
  /// / lambda.
  @Test(arguments: [
    Row(keys: 1, devices: 50, gap: 1_000, ttl: 100), Row(keys: 1, devices: 50, gap: 1_000, ttl: 20),
    Row(keys: 1, devices: 200, gap: 500, ttl: 300, hours: 12),
    Row(keys: 50, devices: 500, gap: 250, ttl: 200, hours: 4),
    Row(keys: 50, devices: 500, gap: 250, ttl: 200, hours: 4, collapsing: false),
  ]) func originRate(_ row: Row) throws {
    let (seconds, step) = (Double(row.hours) * 3_600, 2.0)
    let result = try Self.sample(row).replication()
    let records = try #require(result.backend?.records[0])
    let origin = records.reduce(0) { $0 + $1.origin }
    // A run takes 0.1 s for the promotion and round trip.
    let rate = Double(row.devices) / (Double(row.gap) + 0.1) / Double(row.keys)
    let (wait, ttl) = (1 / rate, Double(row.ttl))
    // The fetches of a key are a renewal process: the TTL plus an exponential wait.
    let cycles = Double(row.keys) * seconds / (ttl + wait)
    let late = cycles * (ttl + wait) / (ttl + wait + step / 2)
    let deviation = cycles.squareRoot() * wait / (ttl + wait)
    // Without collapsing, a key has as many origin requests as requests in its step.
    let crowd = row.collapsing ? 1 : 1 + rate * step / 2
    #expect(origin <= cycles * crowd + 4.5 * deviation + 1, "\(row): \(origin) for \(cycles)")
    #expect(origin >= late - 4.5 * deviation - 1, "\(row): \(origin) for \(late)")
    // Hits are answers too, and every request is answered.
    let requests = Double(result.requests)
    let expected = rate * Double(row.keys) * seconds
    #expect(abs(requests - expected) <= 4.5 * expected.squareRoot() + 1, "\(row)")
    #expect(result.devices.sum(.failures) == 0)
  }

  private static func sample(_ row: Row) -> FleetSample {
    var sample = FleetSample(devices: row.devices)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1h, duration: \(row.hours)h, step: 2s}"
    sample.run = "{seed: \(row.keys + row.ttl)}"
    sample.kinds = "{k: {reload: {after: {exponential: \(row.gap)s}}, cpu: 0s, requests: [{endpoint: api}]}}"
    sample.os = "{idle: none, min_spacing: 0s, start_delay: {policy: 0s, in_use: 0s}, budget: {model: off}}"
    sample.endpoints = "{api: {cdn: {keys: \(row.keys), ttl: \(row.ttl)s, collapsing: \(row.collapsing)}}}"
    return sample
  }

  /// Each of m attempts independently meets an outage's errors with probability p: (1 - p^m) / (1 - p) attempts per
  /// run, in steps.
  @Test(arguments: [(50, 2), (30, 3), (80, 5)]) func retryFactor(percent: Int, attempts: Int) throws {
    var sample = FleetSample(devices: 60)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, duration: 1d, step: 10s}"
    sample.kinds = """
      {k: {reload: {after: 15min}, on_error: {after: 15min}, attempts: {count: \(attempts), backoff: 1s}, cpu: 0s,
       requests: [{endpoint: api}]}}
      """
    sample.endpoints = "{api: {capacity: 1k/s}}"
    sample.events = """
      [{name: bad, at: 2027-01-17T00:00:00Z, outage: {endpoint: api, for: 48h, errors: \(percent)%}}]
      """
    let result = try sample.replication()
    #expect(result.backend != nil)
    let p = Double(percent) / 100
    let chances = (0..<attempts).map { count in (0..<count).reduce(1) { product, _ in product * p } }
    let mean = chances.reduce(0, +)
    #expect(abs(mean - (1 - chances[attempts - 1] * p) / (1 - p)) < 1e-12)
    let square = chances.enumerated().reduce(0) { $0 + Double(2 * $1.offset + 1) * $1.element }
    let factor = Double(result.requests) / Double(result.runs)
    // Runs at either end of the period have only some of their attempts in it.
    let ends = 2 * 60 * mean / Double(result.runs) / 100
    let tolerance = 4.5 * ((square - mean * mean) / Double(result.runs)).squareRoot() + ends
    #expect(abs(factor - mean) <= tolerance, "seed 1: \(factor) for \(mean)")
    let failures = Double(result.devices.sum(.failures)) / Double(result.requests)
    #expect(isWithin(failures, of: p, deviation: (p * (1 - p)).squareRoot(), count: Int(result.requests)))
  }
}
