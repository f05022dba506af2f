import Scenario
import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Devices simulated side by side in steps have the same lives as one after another (MODEL.md 6.7).
@Suite struct SteppedRunTests {
  /// Returns a fleet with taps, retries, caches, stacks, offline spells, pushes and an outage.
  private static func sample(seed: Int) -> FleetSample {
    var sample = FleetSample(devices: 40)
    sample.clock = "{start: 2027-03-27T12:00:00Z, settle: 0s, warmup: 2h, duration: 24h, step: 1s}"
    sample.run = "{seed: \(seed)}"
    sample.app = """
      {opens_per_day: 3, reloads: [{when: close, kinds: all}, {when: background-refresh, per_day: 4, kinds: [shared]}]}
      """
    sample.kinds = """
      {plain: {reload: {after: {exponential: 20min}}, attempts: {count: 4, backoff: 3s}, on_error: retry-after,
        requests: [{endpoint: api, count: 2}, {endpoint: images, count: 3}]},
       shared: {reload: at-end, cache: {ttl: 10min, single_flight: true}, requests: [{endpoint: api}],
        attempts: {count: 2}, taps: {per_day: 8, burst: 2}, crash: 2%},
       loaded: {reload: {after: 1h}, background_session: true, requests: [{endpoint: images}]}}
      """
    sample.cohorts = """
      [{name: all, zones: {Europe/Berlin: 50%, Asia/Kathmandu: 50%}, power: {overnight: 85%},
        network: {wifi: 60%, dwell: 1h, cellular: lte-2012, offline: {share: 10%, mean: 10min}},
        widgets: [{kind: plain}, {kind: shared, page: 2, share: 70%}, {kind: shared, place: lock-screen},
         {stack: [{kind: loaded}, {kind: plain}], share: 50%}]}]
      """
    sample.os = "{}"
    sample.endpoints = "{api: {latency: {p50: 300ms, p99: 40s}}, images: {latency: {p50: 45ms, p99: 400ms}}}"
    sample.events = """
      [{name: down, at: 2027-03-28T08:00:00Z, outage: {endpoint: images, for: 40min, errors: 60%}},
       {name: news, push: {type: silent, per_device_per_day: 5, kinds: all, clears_cache: true}},
       {name: look, at: "20:00", zone: local, gallery: {audience: 50%, over: 2h}},
       {name: all, at: 2027-03-28T06:00:00Z, push: {type: widget, over: 10min}}]
      """
    return sample
  }

  @Test(arguments: 1...2, [1, 2, 3])
  func bothPathsAgree(seed: Int, threads: Int) throws {
    var engine = try Self.sample(seed: seed).engine()
    let alone = try #require(try engine.run(threads: 1, control: RunControl())?.replications.first)
    engine.plan.hasFeedback = true
    let stepped = try #require(try engine.run(threads: threads, control: RunControl())?.replications.first)
    #expect(Self.differences(alone, stepped) == [])
    #expect(alone.requests > 5_000)
  }

  /// The interface changes every few seconds, even during promotions and answers.
  @Test func bothPathsAgreeOnRestlessNetworks() throws {
    var sample = Self.sample(seed: 5)
    sample.devices = 15
    sample.clock = "{start: 2027-03-28T00:00:00Z, settle: 0s, warmup: 1h, duration: 9h, step: 1s}"
    sample.cohorts = """
      [{name: all, zones: {UTC: 100%}, power: mains,
        network: {wifi: 50%, dwell: 1s, cellular: lte-2012, offline: {share: 10%, mean: 10s}},
        widgets: [{kind: plain}, {kind: shared}, {kind: shared, page: 2}, {kind: loaded}, {kind: plain, page: 3}]}]
      """
    var engine = try sample.engine()
    let alone = try #require(try engine.run(threads: 1, control: RunControl())?.replications.first)
    engine.plan.hasFeedback = true
    let stepped = try #require(try engine.run(threads: 1, control: RunControl())?.replications.first)
    #expect(Self.differences(alone, stepped) == [])
    #expect(alone.requests > 1_500)
  }

  /// Returns a fleet with all kinds of feedback: capacity, queue, base load, limit, autoscaling, CDN, outages.
  private static func limited(seed: Int) -> FleetSample {
    var sample = sample(seed: seed)
    sample.devices = 150
    sample.clock = "{start: 2027-03-28T06:30:00Z, settle: 0s, warmup: 1h, duration: 2h, step: 1s}"
    sample.kinds = """
      {plain: {reload: {after: {exponential: 20min}}, attempts: {count: 4, backoff: 3s}, on_error: retry-after,
        requests: [{endpoint: api, count: 2}, {endpoint: images, count: 3}]},
       shared: {reload: at-end, cache: {ttl: 10min, single_flight: true}, requests: [{endpoint: slow}],
        attempts: {count: 2}, taps: {per_day: 8, burst: 2}, crash: 2%},
       loaded: {reload: {after: 1h}, background_session: true, requests: [{endpoint: images}]}}
      """
    sample.endpoints = """
      {api: {capacity: 2/s, queue: 4, latency: {p50: 300ms, p99: 40s}, rate_limit: {rate: 3/s, retry_after: 3min},
        base_load: {rate: 1/s}},
       slow: {capacity: 30/min, queue: 60, latency: {p50: 45ms, p99: 400ms},
        autoscale: {target: 60%, delay: 1min, step: 20%, min: 3/min, max: 5/s}},
       images: {capacity: 2/s, queue: 20, cdn: {keys: 30, ttl: 2min, collapsing: true}}}
      """
    return sample
  }

  /// Lives, loads and conditions are the same with and without feedback, on one thread and on several.
  @Test(arguments: [(1, true), (3, false)]) func anyNumberOfThreads(seed: Int, feedback: Bool) throws {
    var sample = Self.limited(seed: seed)
    if !feedback { sample.endpoints = Self.sample(seed: seed).endpoints.replacingLast("}", by: ", slow: {}}") }
    let one = try #require(try sample.result(threads: 1).replications.first)
    #expect((one.backend?.records[0].contains { $0.backlog > 0 } ?? false) == feedback)
    let failures = one.devices.sum(.failures)
    #expect(failures > 100 && one.requests > 10 * 100, "seed \(seed): \(failures) of \(one.requests)")
    if feedback {
      let records = try #require(one.backend?.records)
      #expect(records.allSatisfy { $0.contains { $0.backlog > 0 } }, "seed \(seed)")
      #expect(records[0].contains { $0.limited > 0 } && records[0].contains { $0.refused > 0 })
      #expect(Set(records[1].map(\.capacity)).count > 1)
    }
    for threads in [2, 4] {
      let other = try sample.result(threads: threads).replications[0]
      #expect(Self.differences(one, other) == [], "seed \(seed), \(threads) threads")
      #expect(one == other, "seed \(seed), \(threads) threads")
    }
  }

  /// Threads take over each other's devices in every step, as they do in steps with many devices.
  @Test(arguments: [2, 3, 4]) func threadsSharingEveryStepAgree(threads: Int) throws {
    let sample = Self.limited(seed: 4)
    let control = RunControl()
    control.sharesAllSteps.store(true, ordering: .relaxed)
    let one = try #require(try sample.result(threads: 1).replications.first)
    let shared = try #require(try sample.engine().run(threads: threads, control: control)?.replications.first)
    #expect(Self.differences(one, shared) == [])
    #expect(one == shared && one.requests > 1_000)
  }

  /// An outage may give a capacity to an endpoint without one: at 0/s, all requests wait until it ends, but no longer.
  @Test func outageOfCapacityCreatesAQueue() throws {
    var sample = FleetSample(devices: 100)
    sample.clock = "{start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 1d}"
    sample.events =
      "[{name: o, at: \"12:00\", zone: UTC, outage: {endpoint: api, for: 5min, errors: 0%, capacity: 0/s}}]"
    let result = try #require(try sample.result(threads: 2).replications.first)
    let records = try #require(result.backend?.records.first)
    let outage = 43_200..<43_500
    let reached = records[outage].reduce(0) { $0 + $1.reached }
    #expect(reached > 0 && records[43_499].backlog == reached)
    #expect(records.indices.allSatisfy { records[$0].isOverloaded == (outage ~= $0 && records[$0].reached > 0) })
    #expect(records[43_500].backlog == 0)
    // No request is served; those of the last half minute time out after the outage.
    #expect(result.devices.sum(.failures) == Int64(reached))
  }

  /// Returns the names of fields that differ; event counts do, because in steps arrivals are events.
  private static func differences(_ one: ReplicationResult, _ other: ReplicationResult) -> [String] {
    var names: [String] = []
    for (endpoint, pair) in zip(one.load, other.load).enumerated() where pair.0 != pair.1 {
      let first = pair.0.arrivals.indices.first { pair.0.arrivals[$0] != pair.1.arrivals[$0] }
      names.append("load of endpoint \(endpoint) from step \(first ?? -1)")
    }
    for row in 0..<min(one.devices.rowCount, other.devices.rowCount) {
      let columns = DeviceTable.Column.allCases.filter { one.devices[row, $0] != other.devices[row, $0] }
      if !columns.isEmpty { names.append("device \(one.devices[row, .device]): \(columns)") }
    }
    if one.devices != other.devices { names.append("devices") }
    if one.causeMinutes != other.causeMinutes { names.append("minutes") }
    if one.groups != other.groups { names.append("groups") }
    for (first, second) in zip(one.groups, other.groups) where first.energy != second.energy {
      names.append("energy of kind \(first.kind): \(first.energy), \(second.energy)")
    }
    if one.batteries != other.batteries { names.append("batteries") }
    if one.energy != other.energy { names.append("energy of phones") }
    if one.runCount != other.runCount { names.append("runs") }
    return Array(names.prefix(8))
  }
}

extension String {
  /// Returns the text with a different ending.
  fileprivate func replacingLast(_ end: String, by other: String) -> String { String(dropLast(end.count)) + other }
}
