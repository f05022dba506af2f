import Platform
import Synchronization

/// A thread that accompanies a piece of work and checks at intervals until the work is over.
final class Companion: Sendable {
  private let isOver = Atomic<Bool>(false)
  /// A bell that rings when the work is over.
  private let bell = Bell()
  private let look: @Sendable () -> Void

  /// The pause between two checks.
  static let pauseMilliseconds = 50

  init(_ look: @escaping @Sendable () -> Void) { self.look = look }

  /// Runs `work` with the thread beside it; the thread has ended when this returns.
  func during<Value, Problem: Error>(_ work: () throws(Problem) -> Value) throws(Problem) -> Value {
    let thread = SystemThread.begin { self.accompany() }
    defer {
      isOver.store(true, ordering: .releasing)
      bell.ring()
      thread?.join()
    }
    return try work()
  }

  private func accompany() {
    while !isOver.load(ordering: .acquiring) {
      look()
      bell.wait(milliseconds: Self.pauseMilliseconds)
    }
  }
}
