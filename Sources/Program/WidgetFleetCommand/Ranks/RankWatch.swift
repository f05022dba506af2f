import MPIRanks
import Platform
import SimulationKernel
import Synchronization

/// A watch over the waits of a rank for which there is no heartbeat, such as calls before the ranks have found each
/// other.
final class RankWatch: Sendable {
  /// The max duration in seconds of a single wait. If a wait takes longer, this rank exits; 0 means no limit.
  private let watchdog: Double
  private let rank: Int
  private let state = Locked(State())

  private struct State {
    /// The MPI connection; `nil` until this rank has joined the others.
    var mpi: MPICollective?
    /// The last movement that was detected, and the time at which it was detected.
    var seen = [-1]
    var since = 0.0
  }

  init(rank: Int, watchdog: Double) { (self.rank, self.watchdog) = (rank, watchdog) }

  /// Runs `work` while watching how long this rank waits.
  func during<Value, Problem: Error>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
    try Monitor { if self.isOver(at: Progress.now()) { Heartbeat.leave(self.rank, after: self.watchdog) } }.during(work)
  }

  /// Records that the rank has joined the others.
  func joined(_ mpi: MPICollective?) { state.withLock { $0.mpi = mpi } }

  /// Returns whether a wait has taken too long. Ranks that are working, that have a heartbeat or that are about to end
  /// are ignored.
  func isOver(at now: Double) -> Bool {
    guard watchdog > 0 else { return false }
    return state.withLock { state in
      let calls = state.mpi?.calls.load(ordering: .relaxed) ?? 0
      let isWaiting = state.mpi?.isWaiting.load(ordering: .relaxed) ?? true
      let seen = [calls, isWaiting ? 1 : 0, Heartbeat.looks.load(ordering: .relaxed)]
      if seen != state.seen { (state.seen, state.since) = (seen, now) }
      return isWaiting && !ExitTimeout.hasBegun.load(ordering: .relaxed) && now - state.since > watchdog
    }
  }
}
