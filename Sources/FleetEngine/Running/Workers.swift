internal import Glibc
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

  private final class Job: Sendable {
    let number: Int
    let gate: Gate

    init(number: Int, gate: Gate) {
      self.number = number
      self.gate = gate
    }
  }

  /// Calls the work that is laid out for a number of threads on each of these, at the same time, with their numbers.
  ///
  /// - Parameters:
  ///   - wanted: threads; the system may grant fewer, but always one.
  ///   - layOut: says what so many threads do.
  package static func run(atMost wanted: Int, _ layOut: (_ count: Int) -> @Sendable (Int) -> Void) {
    let gate = Gate()
    var threads: [pthread_t] = []
    for number in 1..<max(wanted, 1) {
      guard let thread = thread(Job(number: number, gate: gate)) else { break }
      threads.append(thread)
    }
    let work = layOut(threads.count + 1)
    gate.open(work)
    work(0)
    for thread in threads { pthread_join(thread, nil) }
  }

  /// nil where the system grants none.
  private static func thread(_ job: Job) -> pthread_t? {
    var thread = pthread_t()
    let retained = Unmanaged.passRetained(job)
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument {
          let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
          job.gate.pass(job.number)
        }
        return nil
      }, retained.toOpaque())
    guard status == 0 else {
      retained.release()
      return nil
    }
    return thread
  }
}
