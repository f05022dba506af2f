import MPIRanks
import Platform
import SimulationKernel
import Synchronization

/// A watch over the waits of a rank from its first second on: in the calls before ranks have heard of each other, and in
/// those of a command without a pulse.
final class RankWatch: Sendable {
  /// Seconds of one wait after which this rank ends itself; 0: never.
  private let watchdog: Double
  private let rank: Int
  private let state = Guarded(State())

  private struct State {
    /// `nil`: it has not joined the others yet.
    var mpi: MPICollective?
    /// The last movement, and its time.
    var seen = [-1]
    var since = 0.0
  }

  init(rank: Int, watchdog: Double) { (self.rank, self.watchdog) = (rank, watchdog) }

  /// Does `work` with the watch beside it.
  func during<Value, Problem: Error>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
    try Companion { if self.isOver(at: Progress.now()) { Pulse.leave(self.rank, after: self.watchdog) } }.during(work)
  }

  /// The rank has joined the others.
  func joined(_ mpi: MPICollective?) { state.withLock { $0.mpi = mpi } }

  /// Whether one wait has taken too long; a rank that works, has a pulse, or is about to end is none of its business.
  func isOver(at now: Double) -> Bool {
    guard watchdog > 0 else { return false }
    return state.withLock { state in
      let calls = state.mpi?.calls.load(ordering: .relaxed) ?? 0
      let isWaiting = state.mpi?.isWaiting.load(ordering: .relaxed) ?? true
      let seen = [calls, isWaiting ? 1 : 0, Pulse.looks.load(ordering: .relaxed)]
      if seen != state.seen { (state.seen, state.since) = (seen, now) }
      return isWaiting && !LastWait.hasBegun.load(ordering: .relaxed) && now - state.since > watchdog
    }
  }
}
