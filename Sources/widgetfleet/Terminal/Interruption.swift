import Platform
import Synchronization

/// SIGINT, SIGTERM and SIGUSR1 as a flag; SIGPIPE and SIGXFSZ as errors of `write`.
enum Interruption {
  /// The first signal that came; 0: none.
  static let signal = Atomic<Int32>(0)

  /// Whether a signal asked the program to stop.
  static var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

  static func install() {
    // Touched once, so that the handler never is the first to do it.
    guard signal.load(ordering: .relaxed) == 0 else { return }
    Signals.handle([SIGINT, SIGTERM, SIGUSR1]) { number in
      _ = Interruption.signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }
    Signals.ignore([SIGPIPE, SIGXFSZ])
  }

  /// Whether several ranks work together: whatever stops them, they can be started again.
  static let isOfRanks = Atomic<Bool>(false)

  /// Whether a signal, 0: one at another rank, ends the program with 75: batch systems send SIGUSR1 before a limit.
  static func isResumable(_ signal: Int32) -> Bool {
    isOfRanks.load(ordering: .relaxed) || signal == SIGUSR1 || signal == 0
  }

  static func name(of signal: Int32) -> String {
    switch signal {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGUSR1: "SIGUSR1"
    default: "a signal at another rank"
    }
  }

  /// Ends the command when a signal came.
  static func check() throws(Failure) {
    let number = signal.load(ordering: .relaxed)
    if number != 0 { throw .stopped(signal: number) }
  }
}
