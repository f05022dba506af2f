import Platform
import Synchronization

/// Signal handling: SIGINT, SIGTERM and SIGUSR1 set a flag, and SIGPIPE and SIGXFSZ become errors of `write`.
enum Interruption {
  /// The number of the first signal received; 0 if there was none.
  static let signal = Atomic<Int32>(0)

  /// Whether a signal has requested a stop.
  static var isRequested: Bool { signal.load(ordering: .relaxed) != 0 }

  static func install() {
    // The flag is accessed here once so that the signal handler never triggers its initialization.
    guard signal.load(ordering: .relaxed) == 0 else { return }
    Signals.handle([SIGINT, SIGTERM, SIGUSR1]) { number in
      _ = Interruption.signal.compareExchange(expected: 0, desired: number, ordering: .relaxed)
    }
    Signals.ignore([SIGPIPE, SIGXFSZ])
  }

  /// Whether this process is one of several ranks, which can be resumed after any stop.
  static let isOfRanks = Atomic<Bool>(false)

  /// Returns whether the program ends with status 75 after a signal; 0 represents a signal received by a different
  /// rank. Batch systems send SIGUSR1 shortly before a time limit expires.
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

  /// Ends the command if a signal has been received.
  static func check() throws(Failure) {
    let number = signal.load(ordering: .relaxed)
    if number != 0 { throw .stopped(signal: number) }
  }
}
