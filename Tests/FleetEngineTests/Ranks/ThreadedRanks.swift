import Foundation
import SimulationKernel
import Testing

@testable import FleetEngine

/// Ranks that are threads of a single process.
struct ThreadedRank: Collective {
  let rank: Int
  let size: Int
  fileprivate let meeting: Meeting

  func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) throws(CollectiveError) {
    let own = numbers.map { $0 }
    let all = try meeting.exchange(.sum(own), from: rank)
    for case .sum(let other) in all.enumerated().filter({ $0.offset != rank }).map(\.element) {
      for index in numbers.indices { numbers[index] += other[index] }
    }
  }

  func gather(_ bytes: [UInt8], _ take: (_ rank: Int, _ bytes: [UInt8]) -> Void) throws(CollectiveError) {
    let all = try meeting.exchange(.gather(bytes), from: rank)
    guard rank == 0 else { return }
    for (other, contribution) in all.enumerated() where other > 0 {
      if case .gather(let bytes) = contribution { take(other, bytes) }
    }
  }

  func broadcast(_ bytes: [UInt8]) throws(CollectiveError) -> [UInt8] {
    guard case .broadcast(let first) = try meeting.exchange(.broadcast(bytes), from: rank)[0] else { return [] }
    return first
  }

  func abort() { meeting.end("a rank has ended all") }

  /// Returns rank 0's answer for an engine that all ranks have, while the others follow it.
  ///
  /// - Parameters:
  /// - control: the control of a rank; the engine is the only one for which they exchange a scenario.
  /// - lead: the work of rank 0.
  /// - Returns: rank 0's answer, and why the others stopped following; `nil` after an order to end.
  static func led<Answer: Sendable>(
    _ size: Int, threads: Int = 1, engine: Engine, altering: @escaping Alteration = { $1 },
    control: @escaping @Sendable (ThreadedRank) -> RunControl = { RunControl(collective: $0) },
    open: @escaping @Sendable (Int, JournalLocation) throws(JournalError) -> (any Journal)? = { _, _ in nil },
    _ lead: @escaping @Sendable (RunControl) -> Answer
  ) -> (answer: Answer?, others: [CollectiveError?]) {
    let ends = run(size, altering: altering) { rank -> (Answer?, CollectiveError?) in
      let control = control(rank)
      if rank.rank == 0 {
        let answer = lead(control)
        _ = try? rank.broadcast(RankOrder.end(0).bytes)
        return (answer, nil)
      }
      let follower = Follower(
        threads: threads, control: control, prepare: { _, _ in engine },
        open: { place throws(JournalError) in try open(rank.rank, place) })
      do throws(CollectiveError) {
        let status = try follower.follow()
        #expect(status == 0)
        return (nil, nil)
      } catch { return (nil, error) }
    }
    return (ends.first?.0, ends.dropFirst().map(\.1))
  }

  /// Runs the same code on every rank at once, and returns the answers by rank.
  static func run<Answer: Sendable>(
    _ size: Int, altering: @escaping Alteration = { $1 }, _ body: @escaping @Sendable (ThreadedRank) -> Answer
  ) -> [Answer] {
    let meeting = Meeting(size: size, altering: altering)
    let answers = Locked([Int: Answer]())
    let group = DispatchGroup()
    for rank in 0..<size {
      group.enter()
      Thread.detachNewThread {
        let answer = body(ThreadedRank(rank: rank, size: size, meeting: meeting))
        // A rank still waiting for this one would wait forever.
        meeting.leave()
        answers.withLock { $0[rank] = answer }
        group.leave()
      }
    }
    group.wait()
    return answers.withLock { answers in (0..<size).compactMap { answers[$0] } }
  }
}

/// A change of the bytes that a rank sends.
typealias Alteration = @Sendable (_ rank: Int, _ bytes: [UInt8]) -> [UInt8]

/// What a rank contributes to a call.
enum Contribution: Sendable {
  case sum([Int64])
  case gather([UInt8])
  case broadcast([UInt8])

  /// Returns whether another rank makes the same call.
  fileprivate func belongs(with other: Contribution) -> Bool {
    switch (self, other) {
    case (.sum(let numbers), .sum(let others)): numbers.count == others.count
    case (.gather, .gather), (.broadcast, .broadcast): true
    default: false
    }
  }
}

/// A barrier at which ranks wait until all have made the same call.
///
/// Unchecked: its state is used only while its condition is locked.
private final class Meeting: @unchecked Sendable {
  private let condition = NSCondition()
  private let size: Int
  private let altering: Alteration
  private var brought: [Int: Contribution] = [:]
  /// The contributions to the last call that all ranks made.
  private var last: [Contribution] = []
  private var calls = 0
  private var present: Int
  private var reason: String?

  init(size: Int, altering: @escaping Alteration) {
    self.size = size
    self.altering = altering
    present = size
  }

  /// Waits for all ranks' contributions.
  ///
  /// - Returns: the contributions by rank.
  func exchange(_ contribution: Contribution, from rank: Int) throws(CollectiveError) -> [Contribution] {
    condition.lock()
    defer { condition.unlock() }
    bring(contribution, from: rank)
    let call = calls
    if brought.count == size { finish() } else if present < size { end("a rank has left", isLocked: true) }
    while calls == call, reason == nil {
      if !condition.wait(until: Date(timeIntervalSinceNow: 3_600)) { end("a rank does not come", isLocked: true) }
    }
    guard calls > call else { throw CollectiveError(reason ?? "") }
    return last
  }

  private func bring(_ contribution: Contribution, from rank: Int) {
    if reason == nil, let other = brought.values.first, !contribution.belongs(with: other) {
      Issue.record("rank \(rank) makes another call than the others")
      end("ranks make different calls", isLocked: true)
    }
    brought[rank] =
      switch contribution {
      case .gather(let bytes): .gather(altering(rank, bytes))
      case .broadcast(let bytes): .broadcast(altering(rank, bytes))
      case .sum: contribution
      }
  }

  private func finish() {
    last = (0..<size).compactMap { brought[$0] }
    brought = [:]
    calls += 1
    condition.broadcast()
  }

  func leave() {
    condition.lock()
    defer { condition.unlock() }
    present -= 1
    if !brought.isEmpty { end("a rank has left", isLocked: true) }
  }

  func end(_ reason: String, isLocked: Bool = false) {
    if !isLocked { condition.lock() }
    defer { if !isLocked { condition.unlock() } }
    self.reason = self.reason ?? reason
    condition.broadcast()
  }
}

extension ThreadedRank {
  /// Returns a rank that calls no other.
  static func alone(rank: Int, size: Int) -> ThreadedRank {
    ThreadedRank(rank: rank, size: size, meeting: Meeting(size: size, altering: { $1 }))
  }
}
