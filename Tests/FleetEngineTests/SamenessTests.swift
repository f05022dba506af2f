import Scenario
import ScenarioFiles
import SimulationKernel
import Testing

@testable import FleetEngine

@Suite struct SamenessTests {
  /// A fleet of two cohorts in several zones, with all kinds of draws.
  private static let varied: FleetSample = {
    var sample = FleetSample(devices: 150)
    sample.clock = "{start: 2027-03-27T00:00:00Z, settle: 0s, warmup: 6h, duration: 1d}"
    sample.run = "{seed: 7, replications: 2}"
    sample.app = "{reloads: [{when: background-refresh, per_day: 4, kinds: [a], clears_cache: true}]}"
    sample.kinds = """
      {a: {reload: {after: 20min}, jitter: {up_to: 5min}, cache: {ttl: 1h}, crash: 5%,
           requests: [{endpoint: api, count: 2, up: 1kB, down: 3kB}]},
       b: {reload: {after: {every: 1h}}, requests: [{endpoint: slow}], attempts: {count: 3}}}
      """
    sample.endpoints = "{api: {latency: {p50: 45ms, p99: 400ms}}, slow: {latency: {p50: 10s, p99: 60s}, timeout: 15s}}"
    sample.cohorts = """
      [{name: west, share: 60%, zones: {Europe/Berlin: 70%, America/New_York: 30%}, person: {unlocks_per_day: 0},
        network: wifi, widgets: [{kind: a}, {kind: b, share: 50%}]},
       {name: east, share: 40%, zones: {Asia/Tokyo: 100%}, person: {unlocks_per_day: 0}, network: lte-2021-vz,
        power: mains, os: lazy, widgets: [{kind: a, family: large}, {kind: a, share: 30%}]}]
      """
    sample.os = "{idle: {after: 2h, give_up: 10min}, budget: {capacity: 20/day..50/day}}"
    return sample
  }()

  @Test func anyNumberOfThreads() throws {
    let one = try Self.varied.result().replications
    for threads in [1, 2, 3, 8] { #expect(try Self.varied.result(threads: threads).replications == one, "\(threads)") }
    #expect(one[0] != one[1])
    #expect(one.allSatisfy { $0.requests > 0 && $0.runs > 0 })
  }

  /// Tables copied from a similar engine equal those that the scenario would build itself.
  @Test func copiedTablesEqualBuiltOnes() throws {
    let scenario = try Self.varied.engine().scenario
    var other = FleetSample(devices: 20)
    other.kinds = "{k: {reload: {after: {exponential: 20min}}, requests: [{endpoint: api}]}}"
    let zones = zoneTables(for: scenario)
    let relative = try Engine(preparing: try other.engine().scenario, zones: zoneTables(for: other.engine().scenario))
    let results = try [nil, relative].map { relative in
      try Engine(preparing: scenario, zones: zones, like: relative).run(threads: 1, control: RunControl())
    }
    #expect(results[0]?.replications == results[1]?.replications && results[0] != nil)
  }

  @Test func differentSeedsGiveDifferentResults() throws {
    var sample = FleetSample(devices: 2)
    let first = try sample.replication()
    sample.run = "{seed: 2}"
    #expect(try sample.replication() != first)
  }

  /// The simulated devices keep the cohorts' proportions.
  @Test func simulateKeepsShares() throws {
    var sample = Self.varied
    sample.devices = 1_000_000
    sample.run = "{seed: 7, simulate: 33}"
    let engine = try sample.engine()
    #expect(engine.cohortSizes == [20, 13])
    let result = try #require(try engine.run(threads: 1, control: RunControl()))
    #expect(result.devicesSimulated == 33)
    let table = result.replications[0].devices
    let cohorts = Dictionary(grouping: 0..<table.rowCount) { table[$0, .cohort] }
    #expect(cohorts.mapValues { Set($0.map { table[$0, .device] }).count } == [0: 20, 1: 13])
  }

  /// Policies do not affect people: with different jitter, the same devices have the same zones, phones and widgets.
  @Test func commonRandomNumbers() throws {
    let keys: [DeviceTable.Column] = [.device, .cohort, .kind, .zone, .phone, .instances]
    func traits(_ result: ReplicationResult) -> [[Int64]] {
      (0..<result.devices.rowCount).map { row in keys.map { result.devices[row, $0] } }
    }
    var sample = Self.varied
    let before = try sample.replication()
    sample.kinds = sample.kinds.replacingJitter
    let after = try sample.replication()
    #expect(traits(before) == traits(after))
    #expect(before != after)
    #expect(Set(traits(before).map { $0[3] }).count > 1)
  }

  /// Coalesced runs start earlier; without a window each waits for its own delay.
  @Test func coalescedRunsStartEarlier() throws {
    var sample = FleetSample(devices: 40)
    sample.kinds = "{k: {reload: {after: 20min}, cpu: 0s}, m: {reload: {after: 30min}, cpu: 0s}}"
    sample.widgets = "[{kind: k}, {kind: m}, {kind: k}, {kind: m}]"
    func lateness(_ window: String) throws -> [Double] {
      sample.os = "{idle: none, budget: {model: off}, coalescing_window: \(window)}"
      return try sample.replication().groups.map { try #require($0.lateness.meanSeconds) }
    }
    let (without, with) = (try lateness("0s"), try lateness("5min"))
    // U(0, 15 min) has mean 450 s, with about 4 200 and 3 100 runs; 25 s is more than 4.5 standard errors of a
    // difference.
    #expect(isWithin(without[0], of: 450, deviation: 260, count: 4_000))
    #expect(isWithin(without[1], of: 450, deviation: 260, count: 3_000))
    #expect(with[0] < without[0] - 25, "\(without), \(with)")
    #expect(with[1] < without[1] - 25, "\(without), \(with)")
  }

  /// A policy whose date is never in the future; files with such a policy are refused (WF315).
  private static let atOnce = ReloadPolicy.after(.constant(.zero))

  /// A scenario in which time stands still is stopped at the lowest device that fails.
  @Test(.timeLimit(.minutes(60)), arguments: [(1, false), (1, true), (3, true)])
  func endlessEventsAreStopped(threads: Int, inSteps: Bool) throws {
    var sample = FleetSample(devices: 2)
    sample.kinds = "{k: {reload: {after: 15min}, cpu: 0s}}"
    sample.os = "{idle: none, min_spacing: 0s, start_delay: {policy: 0s}, budget: {model: off}}"
    var engine = try sample.engine { $0.kinds[0].phases[0].reload = Self.atOnce }
    engine.plan.hasFeedback = inSteps
    let error = #expect(throws: SimulationError.self) { try engine.run(threads: threads, control: RunControl()) }
    guard case .eventLivelock(let device, _, _, let events) = error else {
      Issue.record("stopped for another reason: \(String(describing: error))")
      return
    }
    #expect(device == 0)
    #expect(Set(events) == ["planned start", "end of a run"])
  }

  /// Endless events in the middle of the day are stopped too: all devices fail in one step, at noon in Berlin.
  @Test(.timeLimit(.minutes(60)), arguments: [1, 3])
  func endlessEventsWithinAStepAreStopped(threads: Int) throws {
    var sample = FleetSample(devices: 2)
    sample.clock = "{start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 1d}"
    sample.kinds = """
      {k: {reload: {after: 10min}, requests: [{endpoint: api}]}, m: {reload: {after: 1h}, cpu: 0s,
      when: [{from: "12:00", to: "13:00", zone: local, reload: {after: 15min}}]}}
      """
    sample.widgets = "[{kind: k}, {kind: m}]"
    sample.os = "{idle: none, min_spacing: 0s, start_delay: {policy: 0s}, budget: {model: off}}"
    var engine = try sample.engine { $0.kinds[1].windows[0].reload = Self.atOnce }
    engine.plan.hasFeedback = true
    let error = #expect(throws: SimulationError.self) { try engine.run(threads: threads, control: RunControl()) }
    guard case .eventLivelock(let device, _, let instant, let events) = error else {
      Issue.record("stopped for another reason: \(String(describing: error))")
      return
    }
    #expect(device == 0 && instant == .start + .hours(11))
    #expect(Set(events) == ["planned start", "end of a run"])
  }
}

extension String {
  /// The text, with a longer jitter for its kinds.
  fileprivate var replacingJitter: String {
    split(separator: "up_to: 5min", omittingEmptySubsequences: false).joined(separator: "up_to: 15min")
  }
}
