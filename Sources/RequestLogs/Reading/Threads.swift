internal import Glibc
import SimulationKernel

/// Plain threads that do the same work side by side.
enum Threads {
  private final class Job<Value: Sendable>: Sendable {
    let work: @Sendable () -> Value
    let result = Guarded<Value?>(nil)

    init(_ work: @escaping @Sendable () -> Value) { self.work = work }
  }

  /// What any job looks like to the function that a thread begins with.
  private final class Start: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// - Parameter wanted: threads; the system may grant fewer, but always one.
  /// - Returns: what each has made.
  static func run<Value: Sendable>(_ wanted: Int, _ work: @escaping @Sendable () -> Value) -> [Value] {
    var jobs: [(thread: pthread_t, job: Job<Value>)] = []
    for _ in 1..<max(wanted, 1) {
      let job = Job(work)
      guard let thread = begin({ job.result.withLock { $0 = work() } }) else { break }
      jobs.append((thread, job))
    }
    let own = work()
    for job in jobs { pthread_join(job.thread, nil) }
    return [own] + jobs.compactMap { $0.job.result.withLock { $0 } }
  }

  private static func begin(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
    let start = Unmanaged.passRetained(Start(run))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, start.toOpaque())
    guard status == 0 else {
      start.release()
      return nil
    }
    return thread
  }
}
