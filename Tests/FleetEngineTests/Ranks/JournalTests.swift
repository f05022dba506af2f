import SimulationKernel
import Synchronization
import Testing

@testable import FleetEngine

/// A run that is interrupted and resumed has the same result, whatever work was stored and with any number of ranks.
@Suite struct JournalTests {
  /// A journal in memory shared by all ranks, which stops the run once enough is stored.
  private final class MemoryJournal: Journal {
    struct Kept {
      var arrivals: [Int64] = []
      var parts: [Int: SavedPart] = [:]
      var earlier: [SavedPart] = []
      var whole: SavedPart?
      var steps = 0
    }

    let kept: Locked<Kept>
    private let rank: Int
    /// The number of stored steps or parts after which the run stops.
    private let limit: Int
    private let stop: @Sendable () -> Void
    private let shared: MemoryJournal?

    init(_ kept: Kept, limit: Int = .max, stop: @escaping @Sendable () -> Void = {}) {
      self.kept = Locked(kept)
      (self.rank, self.limit, self.stop, shared) = (0, limit, stop, nil)
    }

    /// Creates the journal of another rank.
    init(of journal: MemoryJournal, rank: Int, stop: @escaping @Sendable () -> Void) {
      kept = Locked(Kept())
      (self.rank, limit, self.stop, shared) = (rank, journal.limit, stop, journal)
    }

    private func change(_ body: (inout Kept) -> Void) {
      guard let shared else { return kept.withLock { body(&$0) } }
      shared.change(body)
    }

    func past(of replication: ReplicationName) -> Past {
      var past = Past()
      change { kept in
        past.arrivals = kept.arrivals
        past.parts = kept.earlier
        past.whole = kept.whole
      }
      return past
    }

    func begin(_ replication: ReplicationName) {}

    func keep(step arrivals: UnsafeBufferPointer<Int64>) {
      change { kept in
        kept.arrivals += arrivals
        kept.steps += 1
        if kept.steps == limit { stop() }
      }
    }

    var isDue: Bool { true }

    func keep(_ part: SavedPart) {
      change { kept in
        kept.parts[rank] = part
        if kept.parts.values.reduce(0, { $0 + $1.shards.count }) >= limit { stop() }
      }
    }

    func finish(bytes: Int, _ whole: () -> SavedPart) {
      let whole = whole()
      change { $0.whole = whole }
    }

    var failure: JournalError? { nil }

    /// Returns the journal for the next attempt: bytes that were written and read back.
    func left() throws -> Kept {
      var left = kept.withLock { $0 }
      left.earlier = try (left.earlier + left.parts.values).map { part in
        var bytes: [UInt8] = []
        part.write { bytes += $0 }
        return try SavedPart(bytes)
      }
      (left.parts, left.steps) = ([:], 0)
      return left
    }
  }

  /// Makes one attempt on a number of ranks.
  private static func attempt(
    _ engine: Engine, ranks: Int, threads: Int, from kept: MemoryJournal.Kept, limit: Int
  ) throws -> (RunResult?, MemoryJournal.Kept) {
    let controls = Locked([RunControl]())
    let stopAll: @Sendable () -> Void = {
      controls.withLock { for control in $0 { control.isCancelled.store(true, ordering: .relaxed) } }
    }
    let journal = MemoryJournal(kept, limit: limit, stop: stopAll)
    let control: @Sendable (ThreadedRank) -> RunControl = { rank in
      let own = rank.rank == 0 ? journal : MemoryJournal(of: journal, rank: rank.rank, stop: stopAll)
      let control = RunControl(collective: rank, journal: own)
      controls.withLock { $0.append(control) }
      return control
    }
    let (answer, _) = ThreadedRank.led(ranks, threads: threads, engine: engine, control: control) { control in
      try? engine.run(threads: threads, control: control)
    }
    return (answer ?? nil, try journal.left())
  }

  @Test(arguments: ["no feedback", "feedback"], [(1, 1), (1, 2), (2, 1), (3, 2)])
  func resumedRunEqualsAnUninterruptedRun(name: String, ranks: (count: Int, threads: Int)) throws {
    let engine = try #require(try RankTests.samples[name]?.engine())
    let alone = try #require(try engine.run(threads: 1, control: RunControl()))
    var kept = MemoryJournal.Kept()
    var tries = 0
    var result: RunResult?
    // The fleet of five shards is stopped after two of them, then, with other ranks, after four; a day has many steps.
    for (limit, count) in [(2, ranks.count), (4, 4 - ranks.count), (.max, 2)] where result == nil {
      let steps = limit == .max ? .max : limit * 150
      (result, kept) = try Self.attempt(
        engine, ranks: count, threads: ranks.threads, from: kept,
        limit: engine.plan.hasFeedback ? steps : limit)
      tries += 1
      #expect(result != nil || !kept.arrivals.isEmpty || !kept.earlier.isEmpty)
    }
    let isTheSame = result?.replications == alone.replications
    #expect(isTheSame, "after \(tries) tries")
    #expect(tries > 1)
    // A complete replication is not simulated again.
    let (again, _) = try Self.attempt(engine, ranks: 1, threads: 1, from: kept, limit: .max)
    let isStillTheSame = again?.replications == alone.replications
    #expect(isStillTheSame)
  }

  @Test func keptPartsRoundTrip() throws {
    let engine = try #require(try RankTests.samples["no feedback"]?.engine())
    let (_, kept) = try Self.attempt(engine, ranks: 2, threads: 1, from: MemoryJournal.Kept(), limit: 2)
    let part = try #require(kept.earlier.first)
    var bytes: [UInt8] = []
    part.write { bytes += $0 }
    for length in stride(from: 0, to: bytes.count, by: 101) {
      #expect(throws: ByteError.self) { try SavedPart(Array(bytes[..<length])) }
    }
    #expect(throws: ByteError.self) { try SavedPart(bytes + [0]) }
  }

  @Test func shardSetsBehaveLikeSets() throws {
    var (left, right) = (ShardSet(), ShardSet())
    for shard in [0, 5, 64, 700] { left.insert(shard) }
    for shard in [1, 63, 5_000] { right.insert(shard) }
    #expect(left.count == 4 && left.contains(700) && !left.contains(701) && !left.contains(9_000))
    #expect(left.isDisjoint(with: right) && !left.isDisjoint(with: left))
    var union = right
    union.formUnion(left)
    #expect(union.count == 7 && union.last == 5_000)
    var bytes = ByteWriter()
    union.write(to: &bytes)
    var reader = ByteReader(bytes.finished())
    #expect(ShardSet(from: &reader) == union)
    try reader.end()
  }

  /// A row has no padding between its fields, so its bytes are its content.
  @Test func rowsHaveNoPadding() {
    var fields = ByteWriter()
    DeviceTable.Row().write(to: &fields)
    #expect(fields.finished().count - 8 == MemoryLayout<DeviceTable.Row>.stride)
  }

  @Test func rankOrdersRoundTrip() throws {
    var finished = ShardSet()
    finished.insert(70)
    let orders: [RankOrder] = [
      .end(75), .keep(JournalLocation(folder: "/a/ü", mark: "1-2", attempt: 3)),
      .live(ReplicationOrder(scenario: [1, 2, 3], replication: 4)),
      .live(
        ReplicationOrder(
          scenario: [], replication: 0, keepsRows: false, arrivals: [1, -2, .max], finished: finished)),
    ]
    for order in orders {
      #expect(try RankOrder(order.bytes) == order)
      for length in 0..<order.bytes.count {
        #expect(throws: ByteError.self) { try RankOrder(Array(order.bytes[..<length])) }
      }
    }
  }
}
