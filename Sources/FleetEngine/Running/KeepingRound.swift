import SimulationKernel
import Synchronization

/// Where threads meet that have handed in what they counted, so that all of it can be kept: between two shards, now and
/// then.
final class KeepingRound: Sendable {
  private let presence: Guarded<Presence>
  /// Rounds that are over.
  private let rounds = Atomic<Int>(0)
  private let awake = ConditionVariable()

  private struct Presence {
    /// Threads that have not left.
    var threads: Int
    var waiting = 0

    var isComplete: Bool { waiting == threads && waiting > 0 }
  }

  init(threads: Int) { presence = Guarded(Presence(threads: threads)) }

  /// Waits until all threads are here that have not left; one of them does the work that is done alone.
  func meet(_ alone: () -> Void) {
    let present = rounds.load(ordering: .relaxed)
    let isLast = presence.withLock { presence in
      presence.waiting += 1
      return presence.isComplete
    }
    if isLast { finish(alone) } else { awake.wait { self.rounds.load(ordering: .acquiring) != present } }
  }

  /// Comes no more; whoever leaves others that all wait does the work for them.
  func leave(_ alone: () -> Void) {
    let isLast = presence.withLock { presence in
      presence.threads -= 1
      return presence.isComplete
    }
    if isLast { finish(alone) }
  }

  private func finish(_ alone: () -> Void) {
    alone()
    presence.withLock { $0.waiting = 0 }
    rounds.add(1, ordering: .releasing)
    awake.broadcast()
  }
}
