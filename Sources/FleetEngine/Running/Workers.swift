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
