import Glibc
import Synchronization

/// SIGINT and SIGTERM as a flag; SIGPIPE and SIGXFSZ as errors of `write`.
enum Interruption {
  /// The first signal that came; 0: none.
  static let signal = Atomic<Int32>(0)

  /// Whether a signal asked the program to stop.
  static var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

  static func install() {
    // Touched once, so that the handler never is the first to do it.
    guard signal.load(ordering: .relaxed) == 0 else { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      _ = Interruption.signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }
    var heard = sigset_t()
    sigemptyset(&heard)
    for number in [SIGINT, SIGTERM] {
      sigaction(number, &action, nil)
      sigaddset(&heard, number)
    }
    // Children of Dispatch's threads begin with every signal blocked.
    pthread_sigmask(SIG_UNBLOCK, &heard, nil)
    var ignored = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    for number in [SIGPIPE, SIGXFSZ] { sigaction(number, &ignored, nil) }
  }

  /// Ends the command when a signal came.
  static func check() throws(Failure) {
    let number = signal.load(ordering: .relaxed)
    if number != 0 { throw .stopped(signal: number) }
  }
}
