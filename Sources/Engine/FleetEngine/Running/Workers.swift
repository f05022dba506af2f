internal import Platform
import SimulationKernel
import Synchronization

/// Plain system threads, used because Dispatch aborts if /proc or file descriptors are unavailable (RELIABILITY.md).
package enum Workers {
  /// A gate at which new threads wait until the number of threads is known, because their work depends on it.
  private final class Gate: Sendable {
    private let isOpen = Atomic(false)
    private let work = Locked<(@Sendable (Int) -> Void)?>(nil)

    func open(_ work: @escaping @Sendable (Int) -> Void) {
      self.work.withLock { $0 = work }
      isOpen.store(true, ordering: .releasing)
    }

    func pass(_ number: Int) {
      while !isOpen.load(ordering: .acquiring) { sched_yield() }
      work.withLock { $0 }?(number)
    }
  }

  /// Runs work concurrently on several threads, passing each thread its number.
  ///
  /// - Parameters:
  ///   - wanted: the requested number of threads; the system may provide fewer, but provides at least one.
  ///   - layOut: returns the work to run, given the number of threads.
  package static func run(atMost wanted: Int, _ layOut: (_ count: Int) -> @Sendable (Int) -> Void) {
    let gate = Gate()
    var threads: [SystemThread] = []
    for number in 1..<max(wanted, 1) {
      guard let thread = SystemThread.begin({ gate.pass(number) }) else { break }
      threads.append(thread)
    }
    let work = layOut(threads.count + 1)
    gate.open(work)
    work(0)
    for thread in threads { thread.join() }
  }
}

/// The number of small runs that are simulated concurrently. Results do not depend on this number.
package enum RunsAtOnce {
  /// The maximum number of devices for which a run is simulated concurrently with other runs and without a journal.
  private static let small = 100_000
  /// The maximum number of cohorts in a small run. With more cohorts, the histograms would need too much memory.
  private static let few = 16
  /// The maximum number of concurrent runs, which is limited because each run has its own counts in memory.
  private static let maximum = 4

  /// The memory that a run needs in addition to its counts, for its thread's arena and its metrics, in bytes.
  static let overhead = 10_000_000

  package static func count(devices: Int, cohorts: Int, threads: Int) -> Int {
    devices > small || cohorts > few ? 1 : max(1, min(threads, maximum))
  }
}

/// A condition variable on which threads sleep.
///
/// `@unchecked` is safe because the mutex and the condition variable are thread-safe and never move in memory.
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

  /// Sleeps until the condition is true. The thread that makes it true wakes all sleeping threads.
  func wait(until isDone: () -> Bool) {
    pthread_mutex_lock(mutex)
    while !isDone() { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  func broadcast() {
    // A thread that has found the condition to be false is asleep by the time the mutex becomes available.
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
    pthread_cond_broadcast(condition)
  }
}

/// A synchronization point at which no thread has uncollected counts, so that the counts can be stored.
///
/// Threads synchronize only occasionally, after they complete a shard.
final class CheckpointBarrier: Sendable {
  private let presence: Locked<Presence>
  /// The number of completed rounds of synchronization.
  private let rounds = Atomic<Int>(0)
  private let awake = ConditionVariable()

  private struct Presence {
    /// The number of threads that still take part in the synchronization.
    var threads: Int
    var waiting = 0

    var isComplete: Bool { waiting == threads && waiting > 0 }
  }

  init(threads: Int) { presence = Locked(Presence(threads: threads)) }

  /// Waits until all participating threads have arrived. One thread then does the single-threaded work.
  func waitForAll(_ alone: () -> Void) {
    let present = rounds.load(ordering: .relaxed)
    let isLast = presence.withLock { presence in
      presence.waiting += 1
      return presence.isComplete
    }
    if isLast { finish(alone) } else { awake.wait { self.rounds.load(ordering: .acquiring) != present } }
  }

  /// Leaves the barrier permanently. If all other threads are already waiting, the calling thread does the
  /// single-threaded work.
  func leave(_ alone: () -> Void) {
    let isLast = presence.withLock { presence in
      presence.threads -= 1
      return presence.isComplete
    }
    if isLast { finish(alone) }
  }

  private func finish(_ alone: () -> Void) {
    alone()
    presence.withLock { $0.waiting = 0 }
    rounds.add(1, ordering: .releasing)
    awake.broadcast()
  }
}
