import DeviceModel
import Scenario
import SimulationKernel
import Synchronization
import Testing

@testable import FleetEngine

/// Ranks that simulate one fleet together: the same result as one rank alone, and the same end for all.
@Suite struct RankTests {
  /// Two cohorts with what draws and tries again.
  private static func sample(_ endpoints: String, devices: Int = 300, run: String = "{seed: 3}") -> FleetSample {
    var sample = FleetSample(devices: devices)
    sample.clock = "{start: 2027-03-27T06:00:00Z, settle: 0s, warmup: 1h, duration: 3h, step: 10s}"
    sample.run = run
    sample.kinds = """
      {a: {reload: {after: {exponential: 20min}}, attempts: {count: 3, backoff: 3s},
           requests: [{endpoint: api, count: 2}, {endpoint: images}], taps: {per_day: 8, burst: 2}},
       b: {reload: {after: {every: 30min}}, cache: {ttl: 10min}, requests: [{endpoint: api}]}}
      """
    sample.cohorts = """
      [{name: west, share: 60%, zones: {Europe/Berlin: 70%, America/New_York: 30%}, network: wifi,
        power: {overnight: 85%}, widgets: [{kind: a}, {kind: b, share: 50%}]},
       {name: east, share: 40%, zones: {Asia/Tokyo: 100%}, person: {unlocks_per_day: 0}, network: lte-2021-vz,
        power: mains, widgets: [{kind: b, family: large}, {kind: a, share: 30%}]}]
      """
    sample.os = "{}"
    sample.endpoints = endpoints
    return sample
  }

  private static let calm = "{api: {latency: {p50: 300ms, p99: 40s}}, images: {}}"
  private static let limited = """
    {api: {capacity: 3/s, queue: 30, latency: {p50: 300ms, p99: 40s}, rate_limit: {rate: 4/s, retry_after: 3min}},
     images: {capacity: 2/s, queue: 20, cdn: {keys: 30, ttl: 2min, collapsing: true}}}
    """

  static let samples: [String: FleetSample] = [
    "no feedback": sample(calm),
    "no feedback, several replications": sample(calm, devices: 200, run: "{seed: 4, replications: 3}"),
    "no feedback, a part of the fleet": sample(calm, devices: 10_000, run: "{seed: 5, simulate: 300}"),
    "no feedback, fewer shards than ranks": sample(calm, devices: 70),
    "no feedback, rows of a sample": sample(calm, run: "{seed: 8, device_rows: 60}"),
    "feedback": sample(limited),
    "feedback, several replications": sample(limited, devices: 200, run: "{seed: 6, replications: 2}"),
    "feedback, a part of the fleet": sample(limited, devices: 2_000, run: "{seed: 7, simulate: 300}"),
    "feedback, rows of a sample": sample(limited, run: "{seed: 8, device_rows: 60}"),
    "feedback, fewer shards than ranks": sample(limited, devices: 70),
  ]

  @Test(arguments: samples.keys.sorted()) func anyNumberOfRanks(name: String) throws {
    let engine = try #require(try Self.samples[name]?.engine())
    #expect(engine.plan.hasFeedback == name.hasPrefix("feedback"))
    let alone = try #require(try engine.run(threads: 1, control: RunControl()))
    #expect(alone.replications.allSatisfy { $0.requests > 50 && $0.devices.rowCount > 50 })
    for (ranks, threads) in [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
      let results = ThreadedRank.run(ranks) { rank in
        try? engine.run(threads: threads, control: RunControl(collective: rank))
      }
      for (rank, result) in results.enumerated() {
        let result = try #require(result, "\(rank) of \(ranks)")
        var expected = alone.replications
        if rank > 0 { for index in expected.indices { expected[index].devices.rows = [] } }
        let isTheSame = result.replications == expected
        #expect(isTheSame, "rank \(rank) of \(ranks) on \(threads) threads")
        #expect(result.scenario == alone.scenario && result.eventSpans == alone.eventSpans)
        #expect(result.cohortSizes == alone.cohortSizes && result.devicesSimulated == alone.devicesSimulated)
      }
    }
  }

  /// Rank 0 says when there are enough replications.
  @Test func allRanksStopAfterTheSameReplication() throws {
    let engine = try Self.sample(Self.calm, devices: 100).engine()
    let counts = ThreadedRank.run(3) { rank in
      (try? engine.run(threads: 1, control: RunControl(collective: rank), atMost: 5) { run in
        rank.rank > 0 || run.replications.count == 2
      })?.replications.count
    }
    #expect(counts == [2, 2, 2])
    let single = ThreadedRank.run(2) { rank in
      try? engine.run(replication: 1, threads: 1, control: RunControl(collective: rank))
    }
    let alone = try #require(try engine.run(replication: 1, threads: 2, control: RunControl()))
    #expect(single[0]?.replications == alone.replications && single[1]?.replications.count == 1)
  }

  // MARK: Ends

  private typealias Ending = Result<Int?, SimulationError>

  /// How many replications each rank has, or its error.
  private static func endings(
    _ ranks: Int, _ engine: Engine, threads: Int = 1, altering: @escaping Alteration = { $1 },
    control: @escaping @Sendable (ThreadedRank) -> RunControl = { RunControl(collective: $0) }
  ) -> [Ending] {
    ThreadedRank.run(ranks, altering: altering) { rank in
      Ending { () throws(SimulationError) in
        try engine.run(threads: threads, control: control(rank))?.replications.count
      }
    }
  }

  /// One rank that is cancelled ends all, without a result.
  @Test(arguments: [calm, limited], [0, 2]) func oneCancelledRankEndsAll(endpoints: String, cancelled: Int) throws {
    let engine = try Self.sample(endpoints, devices: 300).engine()
    let control = { @Sendable (rank: ThreadedRank) in
      let control = RunControl(collective: rank)
      control.isCancelled.store(rank.rank == cancelled, ordering: .relaxed)
      return control
    }
    let endings = Self.endings(3, engine, threads: 2, control: control)
    #expect(endings == Array(repeating: .success(nil), count: 3))
  }

  /// Devices at which time does not pass, from the first one of the second cohort on: every rank names that one.
  @Test(.timeLimit(.minutes(60)), arguments: [(false, 1), (true, 1), (true, 2)])
  func aFailureAtOneRankIsThatOfAll(inSteps: Bool, threads: Int) throws {
    var sample = FleetSample(devices: 200)
    sample.clock = "{start: 2027-01-18T00:00:00Z, settle: 0s, warmup: 1h, duration: 1h}"
    sample.kinds = "{k: {reload: {after: 15min}, cpu: 0s}, m: {reload: {after: 15min}, cpu: 0s}}"
    sample.cohorts = """
      [{name: calm, share: 60%, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, power: mains,
        widgets: [{kind: k}]},
       {name: endless, share: 40%, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, power: mains,
        widgets: [{kind: m}]}]
      """
    sample.os = "{idle: none, min_spacing: 0s, start_delay: {policy: 0s}, budget: {model: off}}"
    var engine = try sample.engine { $0.kinds[1].phases[0].reload = .after(.constant(.zero)) }
    engine.plan.hasFeedback = inSteps
    let alone = Ending { [engine] () throws(SimulationError) in
      try engine.run(threads: 1, control: RunControl())?.replications.count
    }
    guard case .failure(.endlessInstant(let device, 1, _, _)) = alone else {
      Issue.record("\(alone)")
      return
    }
    #expect(device == 120)
    for ranks in [2, 3] {
      #expect(Self.endings(ranks, engine, threads: threads) == Array(repeating: alone, count: ranks))
    }
  }

  /// Counts of one rank that cannot be read are an error of all; so are those that rank 0 adds up.
  @Test(arguments: [calm, limited]) func unreadableCountsEndAll(endpoints: String) throws {
    let engine = try Self.sample(endpoints, devices: 200).engine()
    let cut = Self.endings(3, engine, altering: { rank, bytes in rank == 2 ? Array(bytes.dropLast()) : bytes })
    #expect(
      cut == Array(repeating: .failure(.parted(CollectiveError("what rank 2 counted cannot be read"))), count: 3))
    // Rank 0's own bytes are the verdict alone.
    let unheard = Self.endings(2, engine, altering: { rank, bytes in rank == 0 ? [1, 2, 3] : bytes })
    #expect(unheard[1] == .failure(.parted(CollectiveError("what rank 0 added up cannot be read"))))
  }

  /// Rank 0 finds what contradicts itself in the sums, and every rank says so.
  @Test func contradictionsAreThoseOfAll() throws {
    let engine = try Self.sample(Self.calm, devices: 200).engine()
    var part = engine.blankPart
    part.result.groups[0].instances = 1
    part.result.groups[0].staleViews = 1
    let endings = ThreadedRank.run(2) { [part] rank in
      Ending { () throws(SimulationError) in
        try ReplicationEnd(engine: engine, replication: 0, collective: rank).result(.counted(part), backend: nil)
          .map { $0.groups.count }
      }
    }
    guard case .failure(.contradiction(0, let sentences)) = endings[0] else {
      Issue.record("\(endings)")
      return
    }
    #expect(endings[1] == endings[0] && sentences.contains { $0.contains("stale views among the views") })
  }

  /// A rank that has gone ends those that wait for it, in a step as at the end.
  @Test(arguments: [calm, limited]) func aRankThatLeavesEndsAll(endpoints: String) throws {
    let engine = try Self.sample(endpoints, devices: 200).engine()
    let endings = ThreadedRank.run(3) { rank in
      Ending { () throws(SimulationError) in
        rank.rank == 1
          ? nil : try engine.run(threads: 2, control: RunControl(collective: rank))?.replications.count
      }
    }
    let left = Ending.failure(.parted(CollectiveError("a rank has left")))
    #expect(endings == [left, .success(nil), left])
  }

  // MARK: Parts

  @Test(arguments: [0, 1, 63, 64, 65, 1_000], [1, 2, 3, 20])
  func everyDeviceBelongsToOneRank(devices: Int, ranks: Int) {
    let shares = (0..<ranks).map { rank in
      DeviceShare(ofDevices: devices, for: ThreadedRank.alone(rank: rank, size: ranks))
    }
    let all = shares.map { share in (0..<share.count).map(share.device) }
    #expect(all.joined().sorted() == Array(0..<devices))
    for (share, own) in zip(shares, all) {
      #expect((0..<share.shards).flatMap { share.devices(ofShard: $0) } == own)
    }
  }

  @Test func outcomesAreReadAgain() throws {
    let engine = try Self.sample(Self.calm, devices: 10).engine()
    let blank = engine.blankPart
    let outcomes: [RankOutcome] = [
      .cancelled, .failed(.contradiction(replication: 2, ["one", "zwei: ü", ""])),
      .failed(.endlessInstant(device: 5, cohort: 1, instant: .start - .hours(1), events: ["planned start"])),
      .failed(.parted(CollectiveError("gone"))), .counted(blank),
    ]
    for outcome in outcomes {
      let bytes = outcome.bytes
      #expect(try RankOutcome(bytes, like: blank).bytes == bytes)
      // Those of counts are long.
      let most = bytes.count > 1_000 ? 100 : 2_000
      for count in 0..<min(bytes.count, most) {
        #expect(throws: ByteError.self) { try RankOutcome(Array(bytes[..<count]), like: blank) }
      }
      for bit in 0..<min(bytes.count * 8, most) {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        if let read = try? RankOutcome(flipped, like: blank) { #expect(read.bytes != bytes) }
      }
    }
  }
}
