import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine

/// Cases with a known answer (MODEL.md 9).
@Suite struct AnalyticTests {
  /// The policy after(15 min) with a start delay of U(0, 15 min) gives 86 400 / (900 + 450) runs a day.
  ///
  /// As a renewal process, a day's count has variance t s^2 / m^3 = 1 440 x 18.75 / 22.5^3; starting the count at a
  /// placement up to a day earlier shifts the mean by less than 0.01.
  @Test(arguments: [40, 300])
  func sixtyFourRunsADay(devices: Int) throws {
    let result = try FleetSample(devices: devices).replication()
    let mean = Double(result.runs) / Double(devices)
    #expect(abs(mean - 64) < 0.01 + 4.5 * 1.54 / Double(devices).squareRoot(), "\(mean)")
    #expect(result.runs(.policy) == result.runs)
  }

  /// A run takes time too: a minute of cpu gives 86 400 / (900 + 450 + 60).
  @Test func runTimeLowersTheRunRate() throws {
    var sample = FleetSample(devices: 100)
    sample.kinds = "{k: {reload: {after: 15min}, cpu: 1min}}"
    let mean = Double(try sample.replication().runs) / 100
    #expect(abs(mean - 1_440 / 23.5) < 0.01 + 4.5 * 1.45 / 10, "\(mean)")
  }

  /// Without delay and run time, every device runs 96 times, or 288 times if only the spacing limits it.
  @Test(arguments: [("15min", 96), ("5min", 288), ("1min", 288), ("0s", 288)] as [(String, Int64)])
  func exactPeriods(after: String, runs: Int64) throws {
    var sample = FleetSample(devices: 7)
    sample.kinds = "{k: {reload: {after: \(after)}, cpu: 0s}}"
    sample.os = "{idle: none, budget: {model: off}, start_delay: {policy: 0s}}"
    let result = try sample.replication()
    for row in 0..<7 { #expect(result.devices[row, runs: .policy] == runs) }
    #expect(result.groups[0].runsPerDay.counts == Array(repeating: 0, count: Int(runs)) + [7])
  }

  /// Returns the probability that U(0, delay) + U(0, jitter) is below `t`, by exact integration.
  private func share(below t: Double, delay: Double, jitter: Double) -> Double {
    func squared(_ x: Double) -> Double { x > 0 ? x * x : 0 }
    guard jitter > 0 else { return min(max(t / delay, 0), 1) }
    return (squared(t) - squared(t - delay) - squared(t - jitter) + squared(t - delay - jitter)) / (2 * delay * jitter)
  }

  /// All runs are due on Monday at 09:30 in New York: a plateau of N / 900 s or, with jitter, a trapezoid.
  @Test(arguments: [(200, 0), (4_000, 0), (4_000, 10), (4_000, 15), (500, 40)])
  func burstSpreadsLikeItsDelays(devices: Int, jitter: Int) throws {
    var sample = FleetSample(devices: devices)
    sample.clock = "{start: 2027-01-18T14:00:00Z, settle: 0s, warmup: 2h, duration: 2h}"
    sample.kinds = """
      {k: {reload: {after: {at: "09:30", zone: America/New_York, days: mon-fri}}, cpu: 0s,
       jitter: {up_to: \(jitter)min}, requests: [{endpoint: api}]}}
      """
    let minutes = try sample.replication().requestsPerMinute
    #expect(minutes.reduce(0, +) == devices)
    for (minute, count) in minutes.enumerated() {
      // Requests arrive half a round trip after their start: 15 ms on Wi-Fi.
      let ends = [0, 1].map {
        share(below: Double(minute + $0 - 30) - 0.000_25, delay: 15, jitter: Double(jitter))
      }
      let expected = max(ends[1] - ends[0], 0) * Double(devices)
      let deviation = (expected * (1 - expected / Double(devices))).squareRoot()
      #expect(abs(Double(count) - expected) <= 4.5 * deviation + 1e-9, "minute \(minute)")
    }
  }

  /// Over D days there are at most the initial balance + D C + 2 charged runs; in the long run, C a day.
  @Test(arguments: ["bucket, accrual: awake", "bucket, accrual: even", "fixed"])
  func budgets(model: String) throws {
    var sample = FleetSample(devices: 40)
    sample.power = "{overnight: 85%, low_power_mode: 0%}"
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 4d, duration: 4d}"
    sample.os = "{idle: none, budget: {model: \(model), capacity: 30/day, carry_over: 1.5}}"
    let result = try sample.replication()
    for row in 0..<40 { #expect(result.devices[row, .charged] <= 45 + 4 * 30 + 2) }
    let mean = Double(result.devices.sum(.charged)) / 160
    // The last of four warm-up days leaves some with a part of U(0, 30): at most a quarter of 15 over four days.
    #expect(mean > 29 && mean < 31, "\(mean)")
    #expect(result.groups[0].waits[Int(WaitReason.budget.rawValue)].count > 0)
  }

  /// Users whose hours 9 to 16 are empty sleep then: a bucket of 64 a day gives a run in each quarter hour outside of
  /// them; a fixed one of 6 a day and the one that the charger adds are spent within the hour, 5 minutes apart.
  @Test(arguments: ["bucket, capacity: 64/day", "fixed, capacity: 6/day"])
  func budgetFollowsTheNightOfTheUsers(model: String) throws {
    var sample = FleetSample(devices: 30)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 1d, warmup: 2d, duration: 1d}"
    sample.kinds = "{k: {reload: {after: 5min}, cpu: 0s, requests: [{endpoint: api}]}}"
    sample.os = "{idle: none, min_spacing: 5min, start_delay: {policy: 0s}, budget: {model: \(model)}}"
    let weights = (0..<24).map { (9..<17).contains($0) ? "0" : "1" }.joined(separator: ", ")
    sample.cohorts = """
      [{name: all, zones: {UTC: 100%}, person: {unlocks_per_day: 0, hours: [\(weights)]}, network: wifi, power: mains,
        widgets: [{kind: k}]}]
      """
    let minutes = try sample.replication().requestsPerMinute
    let isFixed = model.hasPrefix("fixed")
    #expect(minutes.reduce(0, +) == 30 * (isFixed ? 7 : 64))
    for (minute, count) in minutes.enumerated() where count > 0 {
      let sinceNight = (minute - 9 * 60 + 1_440) % 1_440
      #expect(isFixed ? sinceNight < 60 : sinceNight >= 8 * 60, "minute \(minute)")
    }
  }

  /// A cache whose lifetime equals the period never hits; one that never expires misses once per device and kind.
  @Test func cacheCases() throws {
    var sample = FleetSample(devices: 30)
    func kinds(_ ttl: String) -> String {
      "{k: {reload: {after: 15min}, cache: {ttl: \(ttl), single_flight: true}, requests: [{endpoint: api}]}}"
    }
    sample.kinds = kinds("15min")
    let short = try sample.replication()
    // A run at the very end may have a request pending, and one before the start may have a request arrive after it.
    #expect(abs(short.requests - short.runs) <= 1)
    #expect(short.groups[0].cacheHits == 0)
    sample.clock = "{start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 1d}"
    sample.kinds = kinds("never-expires")
    sample.widgets = "[{kind: k}, {kind: k, family: large}]"
    let long = try sample.replication()
    #expect(long.requests == 30)
    // A device's runs all hit except its two placements, one of which sends for both.
    #expect(long.groups[0].cacheHits == long.runs - 60)
  }

  /// The load factor is (1 - p^m) / (1 - p): half of a lognormal latency, or 1 %, exceeds the timeout.
  @Test(arguments: [("10s", 0.5, 1), ("10s", 0.5, 4), ("60s", 0.01, 3)] as [(String, Double, Int)])
  func retries(timeout: String, failing: Double, attempts: Int) throws {
    var sample = FleetSample(devices: 60)
    sample.endpoints = "{api: {latency: {p50: 10s, p99: 60s}, timeout: \(timeout)}}"
    sample.kinds = """
      {k: {reload: {after: 15min}, on_error: {after: 15min}, attempts: {count: \(attempts), backoff: 1s},
       requests: [{endpoint: api}]}}
      """
    let result = try sample.replication()
    // A run has at most m attempts; each after the first follows a failed one.
    let chances = (0..<attempts).map { Self.power(failing, $0) }
    let mean = chances.reduce(0, +)
    let square = chances.enumerated().reduce(0) { $0 + Double(2 * $1.offset + 1) * $1.element }
    let deviation = (square - mean * mean).squareRoot()
    let factor = Double(result.requests) / Double(result.runs)
    #expect(
      isWithin(factor, of: mean, deviation: deviation + 1e-3, count: Int(result.runs)), "\(factor) for \(mean)")
    // Every run has one first attempt; at either end of the period, a device may have part of a run.
    let retries = result.causeMinutes.reduce(0) { $0 + $1.traffic.retries }
    #expect(abs(result.requests - retries - result.runs) <= 2 * 60)
    let failures = Double(result.devices.sum(.failures)) / Double(result.requests)
    let spread = (failing * (1 - failing)).squareRoot()
    #expect(isWithin(failures, of: failing, deviation: spread, count: Int(result.requests)), "\(failures)")
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }

  @Test func noWidgetsNoRequests() throws {
    var sample = FleetSample(devices: 50)
    sample.widgets = "[]"
    let result = try sample.replication()
    #expect(result.requests == 0)
    #expect(result.groups.isEmpty)
    #expect(result.devices.rowCount == 0)
    // The warm-up ends here.
    #expect(result.eventCount <= 50)
    #expect(result.energy.integral > 0)
    #expect(result.energy.person + result.energy.system == result.energy.integral)
  }

  /// A refresh by the app requests runs of its kinds in the background, at the times of a Poisson process.
  @Test func backgroundRefreshes() throws {
    var sample = FleetSample(devices: 200)
    sample.app = "{reloads: [{when: background-refresh, per_day: 20, kinds: all}]}"
    sample.kinds = "{k: {reload: never, cpu: 0s}}"
    sample.os = "{idle: none, min_spacing: 0s, budget: {model: off}, start_delay: {background: 0s}}"
    let result = try sample.replication()
    #expect(result.runs(.background) == result.runs)
    #expect(isWithin(Double(result.runs) / 200, of: 20, deviation: 4.48, count: 200))
  }
}
