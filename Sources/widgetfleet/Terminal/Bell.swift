import CLinux
import Glibc

/// Wakes one thread that waits: whoever sleeps between two looks need not be waited for.
final class Bell: Sendable {
  // Unchecked: the system's own calls may use it from any thread; the memory stays where it is.
  /// Unsafe by its type alone: a semaphore is made for several threads, and stays in place until deinit.
  private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func ring() { sem_post(semaphore) }

  /// Returns when the bell rings, a signal comes, or the time is over.
  func wait(milliseconds: Int) {
    var until = timespec()
    // A clock that nobody sets.
    clock_gettime(CLOCK_MONOTONIC, &until)
    until.tv_nsec += milliseconds * 1_000_000
    until.tv_sec += until.tv_nsec / 1_000_000_000
    until.tv_nsec %= 1_000_000_000
    _ = sem_clockwait(semaphore, CLOCK_MONOTONIC, &until)
  }
}
