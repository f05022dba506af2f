package import Synchronization

/// What a running engine shows to others, and how they stop it.
package final class RunControl: Sendable {
  /// Devices finished over all replications.
  package let devicesDone = Atomic<Int>(0)
  /// Set to stop the engine at the next device.
  package let isCancelled = Atomic<Bool>(false)
  /// Why the engine stopped itself, in words; nil while nothing is wrong.
  package let failure = Mutex<String?>(nil)

  package init() {}

  /// Stops the engine for a reason, of several the first.
  func stop(because reason: String) {
    failure.withLock { $0 = $0 ?? reason }
    isCancelled.store(true, ordering: .relaxed)
  }
}
