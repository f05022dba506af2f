package import Synchronization

/// What a running engine shows to others, and how they stop it.
package final class RunControl: Sendable {
  /// Devices finished over all replications.
  package let devicesDone = Atomic<Int>(0)
  /// Set to stop the engine at the next device.
  package let isCancelled = Atomic<Bool>(false)

  package init() {}
}
