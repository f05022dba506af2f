/// A system thread, which must be joined by the code that started it.
package struct SystemThread {
  private let handle: pthread_t

  /// The argument passed to the thread's start routine.
  private final class Start: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    static func run(_ argument: UnsafeMutableRawPointer) {
      Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().work()
    }
  }

  /// Starts a thread; returns `nil` if the system cannot start it.
  package static func begin(_ work: @escaping @Sendable () -> Void) -> SystemThread? {
    let start = Unmanaged.passRetained(Start(work))
    guard let handle = create(start.toOpaque()) else {
      start.release()
      return nil
    }
    return SystemThread(handle: handle)
  }

  /// Waits until the thread has ended; must be called once per thread.
  package func join() { pthread_join(handle, nil) }

  /// Lowers the priority of the calling thread, and of threads that it starts, below that of all others.
  package static func lowerPriority() {
    #if canImport(Darwin)
      setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG)
    #else
      // On Linux, a priority belongs to a thread.
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 15)
    #endif
  }

  #if canImport(Darwin)
    /// The stack size of a thread; the macOS default is 512 KiB.
    private static let stackBytes = 8 << 20

    private static func create(_ argument: UnsafeMutableRawPointer) -> pthread_t? {
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      pthread_attr_setstacksize(&attributes, stackBytes)
      var thread: pthread_t?
      let status = pthread_create(
        &thread, &attributes,
        { argument in
          Start.run(argument)
          return nil
        }, argument)
      return status == 0 ? thread : nil
    }
  #else
    private static func create(_ argument: UnsafeMutableRawPointer) -> pthread_t? {
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Start.run(argument) }
          return nil
        }, argument)
      return status == 0 ? thread : nil
    }
  #endif
}
