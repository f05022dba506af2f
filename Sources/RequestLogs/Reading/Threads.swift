internal import Platform
import SimulationKernel

/// Plain threads that do the same work side by side.
enum Threads {
  private final class Job<Value: Sendable>: Sendable {
    let work: @Sendable () -> Value
    let result = Guarded<Value?>(nil)

    init(_ work: @escaping @Sendable () -> Value) { self.work = work }
  }

  /// - Parameter wanted: threads; the system may grant fewer, but always one.
  /// - Returns: what each has made.
  static func run<Value: Sendable>(_ wanted: Int, _ work: @escaping @Sendable () -> Value) -> [Value] {
    var jobs: [(thread: SystemThread, job: Job<Value>)] = []
    for _ in 1..<max(wanted, 1) {
      let job = Job(work)
      guard let thread = SystemThread.begin({ job.result.withLock { $0 = work() } }) else { break }
      jobs.append((thread, job))
    }
    let own = work()
    for job in jobs { job.thread.join() }
    return [own] + jobs.compactMap { $0.job.result.withLock { $0 } }
  }
}
