import FleetEngine
import MPIRanks
import Platform
import Scenario
import ScenarioFiles

/// The group of ranks to which this process belongs. Usually, this process is the only rank.
struct Ranks: Sendable {
  /// The MPI connection; `nil` if there is only one rank.
  let mpi: MPICollective?
  /// The number of ranks on this machine, all of which share its memory.
  let localSize: Int

  static let alone = Ranks(mpi: nil, localSize: 1)

  var collective: any Collective { mpi ?? SingleRank() }
  var size: Int { collective.size }
  var isShared: Bool { size > 1 }

  /// Joins the other ranks that the launcher has started.
  ///
  /// - Throws: `Failure` if this process would run as a single rank although the launcher has started several
  ///   processes.
  static func join(_ launch: Launch) throws(Failure) -> Ranks {
    guard launch.family != .unrelated else {
      throw .ranks(
        "Slurm has started \(launch.size) tasks that are not connected to each other",
        help: "srun --mpi=pmix for Open MPI, --mpi=pmi2 for MPICH; tasks of an array need no MPI: sweep --part")
    }
    // Ranks that wait yield the processor, which costs nothing unless another process needs it.
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

  /// Returns the control for a run on these ranks, with its journal.
  func control(journal: (any Journal)? = nil) -> RunControl {
    RunControl(collective: collective, ranksHere: localSize, journal: journal, text: { self.text(of: $0) })
  }

  /// Returns the reason why these ranks cannot work together, if any. All ranks must call this function before they
  /// start.
  ///
  /// - Parameter launch: the information that the launcher provides.
  func obstacle(_ arguments: [String], _ launch: Launch) throws(CollectiveError) -> Failure? {
    let own = RankIdentity(arguments, Environment())
    var found = crowd(launch).map { Failure.ranks($0.0, help: $0.1) }
    try collective.gather(own.bytes) { rank, bytes in
      guard found == nil, let difference = own.difference(from: bytes) else { return }
      found = .ranks("rank \(rank) has \(difference) than rank 0", help: "start all ranks with the same command")
    }
    return found
  }

  /// Returns a warning for MPICH, whose ranks wait by polling. If there are fewer processors than ranks, each step
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

  /// Shares the folder of the journal with the other ranks. For a single rank, it does nothing.
  ///
  /// - Parameter attempt: the number of the attempt, starting at 1. It is 0 if ranks only exchange heartbeats.
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

  /// Ends the other ranks.
  ///
  /// - Parameter patience: how many seconds to wait for ranks that may no longer exist; 0 means forever.
  func dismiss(_ status: Int32, patience: Double) {
    guard let mpi, mpi.rank == 0 else { return }
    ExitTimeout.begin(status, seconds: patience)
    do { _ = try mpi.broadcast(RankOrder.end(status).bytes) } catch { return mpi.abort() }
    mpi.leave()
  }
}

extension Ranks {
  /// Returns a scenario as text for the other ranks. It is empty if they would read a different scenario from this
  /// text.
  private func text(of scenario: Scenario) -> [UInt8] {
    let letter = ScenarioMessage(scenario)
    return !isShared || letter.isRead(as: scenario) ? letter.bytes : []
  }

  /// Prepares a scenario that this rank has received from rank 0.
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

  /// The memory in bytes that is available to each rank on this machine.
  var memoryLimit: Int { MachineMemory.limit / localSize }
}
