/// What the process does when signals come.
package enum Signals {
  /// Calls a function, and lets calls of the system that wait end with EINTR.
  package static func handle(_ signals: [Int32], _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if os(Linux)
      action.__sigaction_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
    var heard = sigset_t()
    sigemptyset(&heard)
    for number in signals {
      sigaction(number, &action, nil)
      sigaddset(&heard, number)
    }
    // Children of Dispatch's threads begin with every signal blocked.
    pthread_sigmask(SIG_UNBLOCK, &heard, nil)
  }

  /// Makes signals errors of the calls that would have raised them.
  package static func ignore(_ signals: [Int32]) {
    for number in signals { _ = signal(number, SIG_IGN) }
  }
}
