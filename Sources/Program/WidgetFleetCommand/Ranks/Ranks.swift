import FleetEngine
import MPIRanks
import Platform
import Scenario
import ScenarioFiles

/// The ranks that this process belongs to. Usually, this process is the only rank.
struct Ranks: Sendable {
  /// The MPI connection; `nil` if there is only one rank.
  let mpi: MPICollective?
  /// The number of ranks on this machine, which share its memory.
  let localSize: Int

  static let alone = Ranks(mpi: nil, localSize: 1)

  var collective: any Collective { mpi ?? SingleRank() }
  var size: Int { collective.size }
  var isShared: Bool { size > 1 }

  /// Joins the other ranks started by the launcher.
  ///
  /// - Throws: `Failure` if the launcher started several processes but this process would run as a single rank.
  static func join(_ launch: Launch) throws(Failure) -> Ranks {
    guard launch.family != .unrelated else {
      throw .ranks(
        "Slurm has started \(launch.size) tasks that are not connected to each other",
        help: "use srun --mpi=pmix for Open MPI or --mpi=pmi2 for MPICH; array tasks need no MPI: use sweep --part")
    }
    // Waiting ranks yield the processor, which has no cost unless another process needs it.
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0)
    let mpi: MPICollective
    do { mpi = try MPICollective(try MPILibrary(opening: launch.libraries)) } catch {
      throw .ranks(
        "\(launch.name) has started \(launch.size) ranks, but \(error.message)",
        help: "install the launcher's library, or name its file: WIDGETFLEET_MPI_LIB=/.../libmpi.so")
    }
    guard mpi.size == launch.size else {
      throw .ranks(
        "\(launch.name) has started \(launch.size) ranks, but the MPI library reports \(mpi.size)",
        help: "launcher and library (\(launch.libraries.joined(separator: ", "))) must match")
    }
    return Ranks(mpi: mpi, localSize: launch.localSize)
  }

  /// Returns the controller for a run on these ranks, including its journal.
  func control(journal: (any Journal)? = nil) -> RunControl {
    RunControl(collective: collective, ranksHere: localSize, journal: journal, text: { self.text(of: $0) })
  }

  /// Returns the reason why these ranks cannot work together; `nil` if they can. All ranks must call this function
  /// before they start.
  ///
  /// - Parameter launch: the information provided by the launcher.
  func obstacle(_ arguments: [String], _ launch: Launch) throws(CollectiveError) -> Failure? {
    let own = RankIdentity(arguments, Environment())
    var found = crowd(launch).map { Failure.ranks($0.0, help: $0.1) }
    try collective.gather(own.bytes) { rank, bytes in
      guard found == nil, let difference = own.difference(from: bytes) else { return }
      found = .ranks("rank \(rank) has \(difference) than rank 0", help: "start all ranks with the same command")
    }
    return found
  }

  /// Returns a warning for MPICH, whose ranks poll while they wait. With fewer processors than ranks, each step
  /// therefore takes a time slice.
  private func crowd(_ launch: Launch) -> (String, String)? {
    let processors = Machine.processors
    guard launch.family == .mpich, launch.localSize > processors else { return nil }
    return (
      "MPICH has started \(launch.localSize) ranks on a machine with \(processors) processors, where waiting ranks "
        + "take time from working ones",
      "start at most \(processors) per machine; each also uses threads (--jobs); Open MPI tolerates more"
    )
  }

  /// Shares the journal folder with the other ranks. This function does nothing for a single rank.
  ///
  /// - Parameter attempt: the number of the attempt, starting at 1, or 0 if ranks only exchange heartbeats.
  func share(_ folder: JournalFolder, attempt: Int) throws(Failure) {
    guard isShared else { return }
    do { try folder.replace(JournalFolder.markFile, Array(folder.token.utf8)) } catch { throw .notKept(error) }
    let order = RankOrder.keep(JournalLocation(folder: folder.path, mark: folder.token, attempt: attempt))
    let obstacles: [String]
    do {
      _ = try collective.broadcast(order.bytes)
      obstacles = try collective.obstacles(nil)
    } catch { throw .parted(error.message) }
    if !obstacles.isEmpty { throw .parted(obstacles.joined(separator: "; ")) }
  }

  /// Stops the other ranks.
  ///
  /// - Parameter patience: the number of seconds to wait for ranks that may no longer exist; 0 means forever.
  func dismiss(_ status: Int32, patience: Double) {
    guard let mpi, mpi.rank == 0 else { return }
    ExitTimeout.begin(status, seconds: patience)
    do { _ = try mpi.broadcast(RankOrder.end(status).bytes) } catch { return mpi.abort() }
    mpi.leave()
  }
}

extension Ranks {
  /// Returns the text of a scenario for the other ranks. The text is empty if it would be read as a different scenario.
  private func text(of scenario: Scenario) -> [UInt8] {
    let letter = ScenarioMessage(scenario)
    return !isShared || letter.isRead(as: scenario) ? letter.bytes : []
  }

  /// Prepares a scenario received from rank 0.
  func engine(of text: [UInt8], like last: Engine?, threads: Int) throws(PreparationError) -> Engine {
    guard let scenario = ScenarioMessage.scenario(text) else {
      throw PreparationError(message: "the scenario from rank 0 cannot be read")
    }
    guard ScenarioMessage(scenario).bytes == text else {
      throw PreparationError(message: "the time zone data (tzdata) on its machine differs from rank 0's")
    }
    let engine = try Engine(preparing: scenario, zones: zoneTables(for: scenario), like: last)
    let forecast = MemoryForecast(of: engine, threads: threads, ranks: size)
    guard forecast.peak <= memoryLimit else {
      throw PreparationError(
        message: "it needs about \(forecast.peak / 1_000_000) MB of memory, more than the "
          + "\(memoryLimit / 1_000_000) MB per rank there")
    }
    return engine
  }

  /// The memory available to each rank on this machine, in bytes.
  var memoryLimit: Int { MachineMemory.limit / localSize }
}
