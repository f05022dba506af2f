internal import Platform
import SimulationKernel
import Synchronization

/// Plain threads: no Dispatch, which dies without /proc and without file descriptors (RELIABILITY.md).
package enum Workers {
  /// Where new threads wait until it is known how many there are, and so what each does.
  private final class Gate: Sendable {
    private let isOpen = Atomic(false)
    private let work = Guarded<(@Sendable (Int) -> Void)?>(nil)

    func open(_ work: @escaping @Sendable (Int) -> Void) {
      self.work.withLock { $0 = work }
      isOpen.store(true, ordering: .releasing)
    }

    func pass(_ number: Int) {
      while !isOpen.load(ordering: .acquiring) { sched_yield() }
      work.withLock { $0 }?(number)
    }
  }

  /// Calls the work that is laid out for a number of threads on each of these, at the same time, with their numbers.
  ///
  /// - Parameters:
  ///   - wanted: threads; the system may grant fewer, but always one.
  ///   - layOut: says what so many threads do.
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

/// Where threads meet that have handed in what they counted, so that all of it can be kept: between two shards, now and
/// then.
final class KeepingRound: Sendable {
  private let presence: Guarded<Presence>
  /// Rounds that are over.
  private let rounds = Atomic<Int>(0)
  private let awake = ConditionVariable()

  private struct Presence {
    /// Threads that have not left.
    var threads: Int
    var waiting = 0

    var isComplete: Bool { waiting == threads && waiting > 0 }
  }

  init(threads: Int) { presence = Guarded(Presence(threads: threads)) }

  /// Waits until all threads are here that have not left; one of them does the work that is done alone.
  func meet(_ alone: () -> Void) {
    let present = rounds.load(ordering: .relaxed)
    let isLast = presence.withLock { presence in
      presence.waiting += 1
      return presence.isComplete
    }
    if isLast { finish(alone) } else { awake.wait { self.rounds.load(ordering: .acquiring) != present } }
  }

  /// Comes no more; whoever leaves others that all wait does the work for them.
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
