import Glibc
import Synchronization

/// SIGINT and SIGTERM as a flag, and SIGPIPE as an error of `write`.
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
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    var ignored = sigaction()
    ignored.__sigaction_handler.sa_handler = SIG_IGN
    sigaction(SIGPIPE, &ignored, nil)
  }

  /// Ends the command when a signal came.
  static func check() throws(Failure) {
    let number = signal.load(ordering: .relaxed)
    if number != 0 { throw .stopped(signal: number) }
  }
}
