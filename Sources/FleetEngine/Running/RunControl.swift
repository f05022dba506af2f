package import Synchronization

/// What a running engine shows to others, how they stop it, and with whom it computes.
package final class RunControl: Sendable {
  /// Devices finished over all replications; of several ranks those of this one.
  package let devicesDone = Atomic<Int>(0)
  /// Set to stop the engine at the next device.
  package let isCancelled = Atomic<Bool>(false)

  /// The ranks that simulate the fleet together.
  package let collective: any Collective

  package init(collective: any Collective = Alone()) { self.collective = collective }
}
