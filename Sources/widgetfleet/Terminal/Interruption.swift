import Platform
import Synchronization

/// Signal handling, with SIGINT, SIGTERM and SIGUSR1 as a flag, and SIGPIPE and SIGXFSZ as errors of `write`.
enum Interruption {
  /// The first signal received; 0 if there is none.
  static let signal = Atomic<Int32>(0)

  /// Whether a signal requested a stop.
  static var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

  static func install() {
    // The flag is accessed once here, so that the handler is never the first to use it.
    guard signal.load(ordering: .relaxed) == 0 else { return }
    Signals.handle([SIGINT, SIGTERM, SIGUSR1]) { number in
      _ = Interruption.signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }
    Signals.ignore([SIGPIPE, SIGXFSZ])
  }

  /// Whether this process is one of several ranks, which can be restarted after any stop.
  static let isOfRanks = Atomic<Bool>(false)

  /// Returns whether the program ends with status 75 after a signal (0 if another rank received it). Batch systems send
  /// SIGUSR1 before a time limit expires.
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

  /// Ends the command if a signal was received.
  static func check() throws(Failure) {
    let number = signal.load(ordering: .relaxed)
    if number != 0 { throw .stopped(signal: number) }
  }
}
