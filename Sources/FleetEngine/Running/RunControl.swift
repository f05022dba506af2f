package import Scenario
import SimulationKernel
package import Synchronization

/// What a running engine shows to others, how they stop it, with whom it computes, and where it keeps what is done.
package final class RunControl: Sendable {
  /// Devices finished over all replications, by this rank; of a replication in steps a share of its devices.
  package let devicesDone = Atomic<Int>(0)
  /// Set to stop the engine at the next device.
  package let isCancelled = Atomic<Bool>(false)

  /// The ranks that simulate the fleet together.
  package let collective: any Collective
  /// How many of them are on this machine.
  let ranksHere: Int
  /// A scenario as a text from which another rank makes the same scenario.
  let text: @Sendable (Scenario) -> [UInt8]
  /// Whether threads share steps in which there is next to nothing to do, too: for tests.
  let sharesAllSteps = Atomic<Bool>(false)
  private let kept: Guarded<(any Journal)?>

  package init(
    collective: any Collective = Alone(), ranksHere: Int = 1, journal: (any Journal)? = nil,
    text: @escaping @Sendable (Scenario) -> [UInt8] = { _ in [] }
  ) {
    self.collective = collective
    self.ranksHere = ranksHere
    self.text = text
    kept = Guarded(journal)
  }

  /// Where what is done is kept; nil: nowhere.
  package var journal: (any Journal)? {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}
