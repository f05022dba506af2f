internal import Glibc

/// Plain threads: no Dispatch, which dies without /proc and without file descriptors (RELIABILITY.md).
enum Workers {
  private final class Job: Sendable {
    let number: Int
    let work: @Sendable (Int) -> Void

    init(number: Int, work: @escaping @Sendable (Int) -> Void) {
      self.number = number
      self.work = work
    }
  }

  /// Calls `work` once for each number below `count`, at the same time as far as the system grants threads.
  static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    var left: [Int] = []
    for number in 1..<max(count, 1) {
      var thread = pthread_t()
      let job = Unmanaged.passRetained(Job(number: number, work: work))
      let status = pthread_create(
        &thread, nil,
        { argument in
          if let argument {
            let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
            job.work(job.number)
          }
          return nil
        }, job.toOpaque())
      if status == 0 {
        threads.append(thread)
      } else {
        job.release()
        left.append(number)
      }
    }
    work(0)
    // What got no thread is done here: the same result, later.
    for number in left { work(number) }
    for thread in threads { pthread_join(thread, nil) }
  }
}
