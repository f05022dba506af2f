#if os(Linux)
  internal import CLinux

  /// A bell that wakes one waiting thread.
  package final class Bell: Sendable {
    /// The semaphore, which is `nonisolated(unsafe)` only because of the pointer. Semaphores are thread-safe, and this
    /// one is never moved.
    private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    package func ring() { sem_post(semaphore) }

    /// Waits until the bell rings, a signal arrives or the timeout expires.
    package func wait(milliseconds: Int) {
      var until = timespec()
      // The monotonic clock is unaffected by changes to the system time.
      clock_gettime(CLOCK_MONOTONIC, &until)
      until.tv_nsec += milliseconds * 1_000_000
      until.tv_sec += until.tv_nsec / 1_000_000_000
      until.tv_nsec %= 1_000_000_000
      _ = sem_clockwait(semaphore, CLOCK_MONOTONIC, &until)
    }
  }
#else
  /// A bell that wakes one waiting thread.
  ///
  /// This class is unchecked `Sendable` because the mutex and the condition are thread-safe and are never moved. A
  /// semaphore cannot be used instead, because macOS has no unnamed semaphores.
  package final class Bell: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var hasRung = false

    package init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    package func ring() {
      pthread_mutex_lock(mutex)
      hasRung = true
      pthread_mutex_unlock(mutex)
      pthread_cond_signal(condition)
    }

    /// Waits until the bell rings or the timeout expires; may occasionally return early.
    package func wait(milliseconds: Int) {
      var span = timespec(tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
      pthread_mutex_lock(mutex)
      if !hasRung { pthread_cond_timedwait_relative_np(condition, mutex, &span) }
      hasRung = false
      pthread_mutex_unlock(mutex)
    }
  }
#endif
