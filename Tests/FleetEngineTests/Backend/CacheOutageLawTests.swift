import BackendModel
import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// A CDN with a failing origin, and keys with unequal request rates, through the whole engine (MODEL.md 6.6, 9).
@Suite struct CacheOutageLawTests {
  /// Returns 60 phones that each send a request about every 30 s, and a ten-minute outage in the middle of the hour.
  private static func sample(_ cdn: String, errors: String = "100%") -> FleetSample {
    var sample = FleetSample(devices: 60)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 30min, duration: 1h}"
    sample.kinds = """
      {k: {reload: {after: {exponential: 30s}}, on_error: {after: {exponential: 30s}}, cpu: 0s,
       requests: [{endpoint: api}]}}
      """
    sample.os = "{idle: none, min_spacing: 0s, start_delay: {policy: 0s, in_use: 0s}, budget: {model: off}}"
    sample.endpoints = "{api: {cdn: {\(cdn)}}}"
    sample.events = """
      [{name: down, at: "00:20", zone: UTC, outage: {endpoint: api, for: 10min, errors: \(errors)}}]
      """
    return sample
  }

  private static let outage = 1_200..<1_800

  private func failures(_ result: ReplicationResult, in steps: Range<Int>) -> Int64 {
    result.load[0].failures[steps].reduce(0) { $0 + Int64($1) }
  }

  private func arrivals(_ result: ReplicationResult, in steps: Range<Int>) -> Int64 {
    result.load[0].arrivals[steps].reduce(0) { $0 + Int64($1) }
  }

  /// Once the only key's ttl is over, all requests fail, whether misses collapse or not; the share is the same.
  @Test func collapsingDoesNotReduceFailures() throws {
    let results = try [true, false].map {
      try Self.sample("keys: 1, ttl: 10s, collapsing: \($0)").replication()
    }
    for result in results {
      let stale = 1_212..<1_800
      #expect(failures(result, in: stale) == arrivals(result, in: stale))
      #expect(failures(result, in: 0..<3_600) == failures(result, in: Self.outage))
      #expect(failures(result, in: Self.outage) > 1_000)
    }
    #expect(results[0].load == results[1].load)
    let records = try results.map { try #require($0.backend?.records[0]) }
    for step in 1_212..<1_800 {
      #expect(records[0][step].origin == (records[0][step].arrivals > 0 ? 1 : 0))
      #expect(records[1][step].origin == Double(records[1][step].arrivals))
    }
  }

  @Test func copiesOutlastAnOutage() throws {
    let result = try Self.sample("keys: 1, ttl: 10s, stale_if_error: 10min").replication()
    #expect(failures(result, in: 0..<3_600) == 0)
    let records = try #require(result.backend?.records[0])
    let stale = records[Self.outage].reduce(0) { $0 + $1.staleAnswers }
    #expect(Int64(stale) >= arrivals(result, in: 1_212..<1_800) && Int64(stale) <= arrivals(result, in: Self.outage))
    #expect(records.reduce(0) { $0 + $1.staleAnswers } == stale)
    let short = try Self.sample("keys: 1, ttl: 10s, stale_if_error: 5min").replication()
    #expect(failures(short, in: 1_200..<1_500) == 0)
    #expect(failures(short, in: 1_512..<1_800) == arrivals(short, in: 1_512..<1_800))
  }

  /// An error is cached for a minute: all requests fail as before, and the origin gets one every 61 s.
  @Test func errorsAreRemembered() throws {
    let result = try Self.sample("keys: 1, ttl: 10s, error_ttl: 1min").replication()
    let stale = 1_212..<1_800
    #expect(failures(result, in: stale) == arrivals(result, in: stale))
    let records = try #require(result.backend?.records[0])
    #expect((9...10).contains(records[stale].reduce(0) { $0 + $1.origin }))
    let traffic = result.groups.flatMap { $0.traffic[0] }.reduce(into: Traffic()) { sum, part in sum += part }
    let (cached, outage) = (FailureReason.cachedError, FailureReason.outage)
    let all = traffic.failures[Int(cached.rawValue)] + traffic.failures[Int(outage.rawValue)]
    #expect(all == traffic.failedRequests && traffic.failures[Int(cached.rawValue)] > 9 * all / 10)
  }

  /// If half of a single key's fetches fail, so do half of the requests that find it stale, with or without collapsing.
  @Test(arguments: [true, false]) func aShareOfErrors(collapsing: Bool) throws {
    let result = try Self.sample("keys: 1, ttl: 10s, collapsing: \(collapsing)", errors: "50%").replication()
    let records = try #require(result.backend?.records[0])
    let conditions = try #require(result.backend?.conditions)
    let first = conditions.grid.step(containing: .start)
    let expected = Self.outage.reduce(0.0) { sum, step in
      sum + Double(records[step].arrivals) * conditions[0, first + step].misses.fraction / 2
    }
    let failed = Double(failures(result, in: Self.outage))
    #expect(expected > 40 && abs(failed - expected) < 4.5 * expected.squareRoot(), "\(failed) for \(expected)")
  }

  /// Six keys with Zipf popularity, each its own class: sum(lambda_k / (1 + lambda_k ttl)) origin requests per second.
  @Test(arguments: [1.0, 0.6]) func zipf(exponent: Double) throws {
    var sample = Self.sample("keys: 6, ttl: 20s, popularity: zipf \(exponent)", errors: "0%")
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 30min, duration: 6h, step: 500ms}"
    let result = try sample.replication()
    let origin = try #require(result.backend?.records[0]).reduce(0) { $0 + $1.origin }
    let weights = (1...6).map { 1 / SlowPower.of(Double($0), exponent) }
    // A run takes 0.1 s for the promotion and round trip.
    let rate = 60 / 30.1
    let rates = weights.map { rate * $0 / weights.reduce(0, +) }
    let cycles = rates.reduce(0) { $0 + 21_600 * $1 / (1 + 20 * $1) }
    // A fetch makes its key fresh from the end of its step, which adds at most half a step to each cycle.
    let late = rates.reduce(0) { $0 + 21_600 * $1 / (1 + 20.25 * $1) }
    let deviation = rates.reduce(0) { $0 + 21_600 * $1 / (1 + 20 * $1) / ((1 + 20 * $1) * (1 + 20 * $1)) }.squareRoot()
    #expect(
      origin <= cycles + 4.5 * deviation + 6 && origin >= late - 4.5 * deviation - 6, "\(origin): \(late)..\(cycles)")
  }
}
