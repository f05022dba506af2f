import Platform
import Synchronization

/// A time limit for the shutdown of MPI, during which a rank that has completed its work waits for the other ranks.
enum ExitTimeout {
  private static let status = Atomic<Int32>(0)
  static let hasBegun = Atomic<Bool>(false)

  /// Starts a timer that ends the process with the given exit status after a number of seconds, or never if the number
  /// is 0.
  static func begin(_ status: Int32, seconds: Double) {
    hasBegun.store(true, ordering: .relaxed)
    guard seconds > 0 else { return }
    self.status.store(status, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in _exit(ExitTimeout.status.load(ordering: .relaxed)) }
    sigaction(SIGALRM, &action, nil)
    alarm(UInt32(seconds.rounded(.up)))
  }
}
