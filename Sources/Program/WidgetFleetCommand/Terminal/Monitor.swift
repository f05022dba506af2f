import Platform
import Synchronization

/// A thread that performs periodic checks while some work is running.
final class Monitor: Sendable {
  private let isOver = Atomic<Bool>(false)
  /// The bell that wakes the thread when the work is complete.
  private let bell = Bell()
  private let look: @Sendable () -> Void

  /// The pause between checks, in milliseconds.
  static let pauseMilliseconds = 50

  init(_ look: @escaping @Sendable () -> Void) { self.look = look }

  /// Runs `work` while the thread performs its checks. The thread ends before this function returns.
  func during<Value, Problem: Error>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
    let thread = SystemThread.begin { self.runChecks() }
    defer {
      isOver.store(true, ordering: .releasing)
      bell.ring()
      thread?.join()
    }
    return try work()
  }

  private func runChecks() {
    while !isOver.load(ordering: .acquiring) {
      look()
      bell.wait(milliseconds: Self.pauseMilliseconds)
    }
  }
}
