internal import Platform
import Synchronization

/// Where threads wait for each other at the end of a step.
final class StepBarrier: Sendable {
  private let threads: Int
  private let arrived = Atomic<Int>(0)
  private let generation = Atomic<Int>(0)
  private let awake = ConditionVariable()

  /// How often a thread looks at the others before it goes to sleep: for a tenth of a millisecond or so, for waking takes
  /// longer than most waits; not at all where another thread needs its processor.
  private let patience: Int

  /// - Parameter ranks: on this machine, each with as many threads.
  init(threads: Int, ranks: Int = 1) {
    self.threads = threads
    patience = threads * ranks <= Machine.processors ? 100_000 : 0
  }

  /// Waits until all threads are here; the last one does the work that is done alone, then all go on.
  func wait(_ alone: () -> Void) {
    let present = generation.load(ordering: .relaxed)
    if arrived.add(1, ordering: .acquiringAndReleasing).newValue == threads {
      alone()
      arrived.store(0, ordering: .relaxed)
      generation.store(present + 1, ordering: .releasing)
      awake.broadcast()
      return
    }
    for _ in 0..<patience where generation.load(ordering: .acquiring) != present { return }
    awake.wait { generation.load(ordering: .acquiring) != present }
  }
}

/// Where threads sleep.
///
/// Unchecked: its memory is the system's own for this, and stays in place.
final class ConditionVariable: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Sleeps until it is done; whoever makes it so wakes all.
  func wait(until isDone: () -> Bool) {
    pthread_mutex_lock(mutex)
    while !isDone() { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  func broadcast() {
    // Whoever has just found it undone is asleep once the mutex is free.
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
    pthread_cond_broadcast(condition)
  }
}
