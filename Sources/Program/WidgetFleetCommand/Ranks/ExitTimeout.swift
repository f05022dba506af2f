import Platform
import Synchronization

/// A time limit for the shutdown of MPI, in which a rank that has finished its work waits for the others.
enum ExitTimeout {
  private static let status = Atomic<Int32>(0)
  static let hasBegun = Atomic<Bool>(false)

  /// Starts a timer that ends the process with its own exit status after a number of seconds; 0 means never.
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
