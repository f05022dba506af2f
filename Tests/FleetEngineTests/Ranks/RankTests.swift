import DeviceModel
import Scenario
import SimulationKernel
import Synchronization
import Testing

@testable import FleetEngine

/// Ranks that simulate one fleet together have the result of a single rank, and all end in the same way.
@Suite struct RankTests {
  /// Returns two cohorts with random draws and retries.
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
      let (answer, others) = ThreadedRank.led(ranks, threads: threads, engine: engine) { control in
        try? engine.run(threads: threads, control: control)
      }
      let result = try #require(answer ?? nil, "\(ranks) ranks on \(threads) threads")
      let isTheSame = result.replications == alone.replications
      #expect(isTheSame, "\(ranks) ranks on \(threads) threads")
      #expect(result.scenario == alone.scenario && result.eventSpans == alone.eventSpans)
      #expect(result.cohortSizes == alone.cohortSizes && result.devicesSimulated == alone.devicesSimulated)
      #expect(others == Array(repeating: nil, count: ranks - 1))
    }
  }

  /// Only rank 0 decides the number of replications and which one to simulate.
  @Test func rankZeroDecides() throws {
    let engine = try Self.sample(Self.calm, devices: 100).engine()
    let (count, _) = ThreadedRank.led(3, engine: engine) { control in
      (try? engine.run(threads: 1, control: control, atMost: 5) { $0.replications.count == 2 })?.replications.count
    }
    #expect(count == 2)
    let (single, _) = ThreadedRank.led(2, engine: engine) { control in
      try? engine.run(replication: 1, threads: 1, control: control)
    }
    let alone = try #require(try engine.run(replication: 1, threads: 2, control: RunControl()))
    #expect((single ?? nil)?.replications == alone.replications)
  }

  // MARK: Endings

  private typealias Ending = Result<Int?, SimulationError>

  /// Returns rank 0's number of replications or error, and how the others ended.
  private static func ending(
    _ ranks: Int, _ engine: Engine, threads: Int = 1, altering: @escaping Alteration = { $1 },
    control: @escaping @Sendable (ThreadedRank) -> RunControl = { RunControl(collective: $0) }
  ) -> (Ending?, [CollectiveError?]) {
    ThreadedRank.led(ranks, threads: threads, engine: engine, altering: altering, control: control) { control in
      Ending { () throws(SimulationError) in try engine.run(threads: threads, control: control)?.replications.count }
    }
  }

  /// One cancelled rank ends all, without a result.
  @Test(arguments: [calm, limited], [0, 2]) func cancelledRankStopsAll(endpoints: String, cancelled: Int) throws {
    let engine = try Self.sample(endpoints, devices: 300).engine()
    let (ending, others) = Self.ending(
      3, engine, threads: 2,
      control: { rank in
        let control = RunControl(collective: rank)
        control.isCancelled.store(rank.rank == cancelled, ordering: .relaxed)
        return control
      })
    #expect(ending == .success(nil) && others == [nil, nil])
  }

  /// Time stands still at devices from the first one of the second cohort on, which rank 0 names.
  @Test(.timeLimit(.minutes(60)), arguments: [(false, 1), (true, 1), (true, 2)])
  func failureAtOneRankFailsAllRanks(inSteps: Bool, threads: Int) throws {
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
    guard case .failure(.eventLivelock(let device, 1, _, _)) = alone else {
      Issue.record("\(alone)")
      return
    }
    #expect(device == 120)
    for ranks in [2, 3] {
      let (ending, others) = Self.ending(ranks, engine, threads: threads)
      #expect(ending == alone && others.allSatisfy { $0 == nil })
    }
  }

  /// Unreadable counts from one rank are an error; unreadable orders end all ranks.
  @Test(arguments: [calm, limited]) func unreadableBytesStopAllRanks(endpoints: String) throws {
    let engine = try Self.sample(endpoints, devices: 200).engine()
    let (cut, _) = Self.ending(3, engine, altering: { rank, bytes in rank == 2 ? Array(bytes.dropLast()) : bytes })
    #expect(cut == .failure(.parted(CollectiveError("the counts of rank 2 cannot be read"))))
    let (ending, others) = Self.ending(2, engine, altering: { rank, bytes in rank == 0 ? [1, 2, 3] : bytes })
    #expect(others == [CollectiveError("the order from rank 0 cannot be read")])
    #expect(ending == .failure(.parted(CollectiveError("a rank has ended all"))))
  }

  /// A rank that cannot prepare its order reports why, and the others do not wait for it.
  @Test func unpreparedRankIsReported() throws {
    let engine = try Self.sample(Self.limited, devices: 200).engine()
    let ends = ThreadedRank.run(3) { rank -> String in
      let control = RunControl(collective: rank)
      guard rank.rank == 0 else {
        let follower = Follower(
          threads: 1, control: control,
          prepare: { _, _ throws(PreparationError) in
            if rank.rank == 2 { throw PreparationError(message: "it has no zones") }
            return engine
          }, open: { _ in nil })
        return (try? follower.follow()).map { "told \($0)" } ?? "parted"
      }
      let ending = Ending { () throws(SimulationError) in
        try engine.run(threads: 1, control: control)?.replications.count
      }
      _ = try? rank.broadcast(RankOrder.end(4).bytes)
      if case .failure(.parted(let error)) = ending { return error.message }
      return "\(ending)"
    }
    #expect(ends == ["rank 2 cannot simulate: it has no zones", "told 4", "told 4"])
  }

  /// A rank that has left ends those waiting for it, both in a step and at the end.
  @Test(arguments: [calm, limited]) func departedRankStopsWaitingRanks(endpoints: String) throws {
    let engine = try Self.sample(endpoints, devices: 200).engine()
    let endings = ThreadedRank.run(3) { rank -> String in
      let control = RunControl(collective: rank)
      if rank.rank == 1 { return "gone" }
      if rank.rank == 0 {
        return
          "\(Ending { () throws(SimulationError) in try engine.run(threads: 2, control: control)?.replications.count })"
      }
      let follower = Follower(threads: 2, control: control, prepare: { _, _ in engine }, open: { _ in nil })
      do throws(CollectiveError) { return "\(try follower.follow())" } catch { return error.message }
    }
    let left = CollectiveError("a rank has left")
    #expect(endings == ["\(Ending.failure(.parted(left)))", "gone", left.message])
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

  /// When some shards are finished, each of the others belongs to one rank.
  @Test(arguments: [65, 1_000], [1, 2, 3]) func finishedShardsAreNotAssigned(devices: Int, ranks: Int) {
    var finished = ShardSet()
    for shard in [0, 3, 4, 15] where shard < DeviceShare.shards(of: devices) { finished.insert(shard) }
    let shares = (0..<ranks).map { rank in
      DeviceShare(ofDevices: devices, for: ThreadedRank.alone(rank: rank, size: ranks), without: finished)
    }
    let all = shares.flatMap { share in (0..<share.count).map(share.device) }
    #expect(all.sorted() == (0..<devices).filter { !finished.contains($0 / DeviceShare.shardSize) })
    for share in shares {
      #expect((0..<share.shards).flatMap { share.devices(ofShard: $0) } == (0..<share.count).map(share.device))
    }
  }

  @Test func rankOutcomesRoundTrip() throws {
    let engine = try Self.sample(Self.calm, devices: 10).engine()
    let blank = engine.blankPart
    let outcomes: [RankOutcome] = [
      .cancelled, .failed(.contradiction(replication: 2, ["one", "zwei: ü", ""])),
      .failed(.eventLivelock(device: 5, cohort: 1, instant: .start - .hours(1), events: ["planned start"])),
      .failed(.parted(CollectiveError("gone"))), .counted(blank),
      .failed(.notKept(JournalError("a full disk", isUnsuitable: false))),
    ]
    for outcome in outcomes {
      let bytes = outcome.bytes
      #expect(try RankOutcome(bytes, like: blank).bytes == bytes)
      // The encoded counts are long.
      let maximum = bytes.count > 1_000 ? 100 : 2_000
      for count in 0..<min(bytes.count, maximum) {
        #expect(throws: ByteError.self) { try RankOutcome(Array(bytes[..<count]), like: blank) }
      }
      for bit in 0..<min(bytes.count * 8, maximum) {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        if let read = try? RankOutcome(flipped, like: blank) { #expect(read.bytes != bytes) }
      }
    }
  }
}
