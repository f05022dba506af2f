import Synchronization

/// A value that only one thread at a time may access.
///
/// The implementation combines a `Mutex` with an atomic for the thread sanitizer. On Linux, a contended `Mutex` is
/// handed over by the kernel's futex, which the sanitizer cannot observe. Without the atomic, the sanitizer would
/// report every wait as a race.
package struct Locked<Value>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let turn = Atomic(false)

  package init(_ value: sending Value) { mutex = Mutex(value) }

  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = turn.load(ordering: .acquiring)
      defer { turn.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
