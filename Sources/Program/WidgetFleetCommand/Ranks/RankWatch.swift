import MPIRanks
import Platform
import SimulationKernel
import Synchronization

/// A monitor for the waits of a rank that has no heartbeat, for example before all ranks have joined.
final class RankWatch: Sendable {
  /// The maximum duration of a single wait in seconds, after which this rank exits; 0 means no limit.
  private let watchdog: Double
  private let rank: Int
  private let state = Locked(State())

  private struct State {
    /// The MPI connection; `nil` until this rank has joined the other ranks.
    var mpi: MPICollective?
    /// The latest activity count, and the time at which it was read.
    var seen = [-1]
    var since = 0.0
  }

  init(rank: Int, watchdog: Double) { (self.rank, self.watchdog) = (rank, watchdog) }

  /// Runs `work` while monitoring how long this rank waits.
  func during<Value, Problem: Error>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
    try Monitor { if self.isOver(at: Progress.now()) { Heartbeat.leave(self.rank, after: self.watchdog) } }.during(work)
  }

  /// Records that this rank has joined the other ranks.
  func joined(_ mpi: MPICollective?) { state.withLock { $0.mpi = mpi } }

  /// Returns whether a wait has taken too long. Ranks that are working, have a heartbeat or are about to end are
  /// ignored.
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
