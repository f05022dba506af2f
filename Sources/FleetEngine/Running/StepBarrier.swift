internal import Glibc
import Synchronization

/// Where threads wait for each other at the end of a step.
final class StepBarrier: Sendable {
  private let threads: Int
  private let arrived = Atomic<Int>(0)
  private let generation = Atomic<Int>(0)

  /// Looks at the others before a thread gives its processor away: a few microseconds.
  private static let patience = 4_000

  init(threads: Int) { self.threads = threads }

  /// Waits until all threads are here; the last one does the work that is done alone, then all go on.
  func wait(_ alone: () -> Void) {
    let present = generation.load(ordering: .relaxed)
    if arrived.add(1, ordering: .acquiringAndReleasing).newValue == threads {
      alone()
      arrived.store(0, ordering: .relaxed)
      generation.store(present + 1, ordering: .releasing)
      return
    }
    var looks = 0
    while generation.load(ordering: .acquiring) == present {
      looks += 1
      if looks > Self.patience { sched_yield() }
    }
  }
}
