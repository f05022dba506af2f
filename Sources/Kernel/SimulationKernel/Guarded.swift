import Synchronization

/// A value that one thread at a time may look at.
///
/// A `Mutex`, and beside it an atomic for the thread sanitizer: on Linux a `Mutex` for which a thread had to wait is
/// handed over by the system's futex, which the sanitizer does not see, so that it took every wait for a race.
package struct Guarded<Value>: ~Copyable, Sendable {
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
