import Platform

/// Measures elapsed time and the processor time of all threads since it was made.
struct Stopwatch {
  private let wall = Stopwatch.reading(CLOCK_MONOTONIC)
  private let processor = Stopwatch.reading(CLOCK_PROCESS_CPUTIME_ID)

  var wallMilliseconds: Int { (Stopwatch.reading(CLOCK_MONOTONIC) - wall) / 1_000_000 }
  var processorMilliseconds: Int { (Stopwatch.reading(CLOCK_PROCESS_CPUTIME_ID) - processor) / 1_000_000 }
  var wallSeconds: Double { Double(Stopwatch.reading(CLOCK_MONOTONIC) - wall) / 1e9 }

  /// Nanoseconds.
  private static func reading(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
