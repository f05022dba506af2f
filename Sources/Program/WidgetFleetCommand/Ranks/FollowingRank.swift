import FleetEngine
import Platform

/// The program on every rank other than rank 0, which simulates the rank's share and prints nothing.
struct FollowingRank {
  let ranks: Ranks
  let arguments: [String]

  /// Runs the program on this rank.
  ///
  /// - Returns: the exit status for the process.
  func run() -> Int32 {
    guard let mpi = ranks.mpi else { return ExitCode.bug.rawValue }
    do {
      try mpi.gather(RankIdentity(arguments, Environment()).bytes) { _, _ in }
      let (status, patience) = try followed()
      ExitTimeout.begin(status, seconds: patience)
      mpi.leave()
      return status
    } catch {
      // This rank was ended either by rank 0 or by MPI, which prints the reason.
      return ExitCode.resumable.rawValue
    }
  }

  /// Returns the exit status of rank 0, and the number of seconds to wait for the other ranks.
  private func followed() throws(CollectiveError) -> (status: Int32, patience: Double) {
    // If the arguments are invalid, rank 0 reports the problem and stops all ranks.
    let settings = (try? ArgumentParser.settings(arguments, ranks)) ?? nil
    let threads = settings?.threads ?? 1
    let control = ranks.control()
    let patience = settings?.watchdog ?? Heartbeat.patience
    let pulse = Heartbeat(control, ranks, watchdog: patience)
    let watch = Watch(control, .none, pulse: pulse, abandon: {})
    let follower = Follower(
      threads: threads, control: control,
      prepare: { [ranks] text, last throws(PreparationError) in try ranks.engine(of: text, like: last, threads: threads)
      },
      open: { [rank = ranks.collective.rank] place throws(JournalError) in
        let folder = try JournalFolder(at: place)
        pulse.begin(in: folder)
        return place.attempt > 0 ? RunJournal(following: folder, attempt: place.attempt, rank: rank) : nil
      })
    var parted: CollectiveError?
    let status = watch.beside { () -> Int32 in
      do throws(CollectiveError) { return try follower.follow() } catch {
        parted = error
        return 0
      }
    }
    if let parted { throw parted }
    return (status, patience)
  }
}
