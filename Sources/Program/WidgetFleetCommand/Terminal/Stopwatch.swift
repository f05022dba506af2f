import Platform

/// A stopwatch that measures elapsed time and the processor time of all threads since its creation.
struct Stopwatch {
  private let wall = Stopwatch.reading(CLOCK_MONOTONIC)
  private let processor = Stopwatch.reading(CLOCK_PROCESS_CPUTIME_ID)

  var wallMilliseconds: Int { (Stopwatch.reading(CLOCK_MONOTONIC) - wall) / 1_000_000 }
  var processorMilliseconds: Int { (Stopwatch.reading(CLOCK_PROCESS_CPUTIME_ID) - processor) / 1_000_000 }
  var wallSeconds: Double { Double(Stopwatch.reading(CLOCK_MONOTONIC) - wall) / 1e9 }

  /// Returns the time of a clock in nanoseconds.
  private static func reading(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
