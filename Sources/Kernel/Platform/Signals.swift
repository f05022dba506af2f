package enum Signals {
  /// Installs a handler that lets signals interrupt blocking system calls with EINTR.
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
    // Child processes started by Dispatch threads start with every signal blocked.
    pthread_sigmask(SIG_UNBLOCK, &heard, nil)
  }

  /// Ignores signals, so that calls that would have raised them return errors instead.
  package static func ignore(_ signals: [Int32]) {
    for number in signals { _ = signal(number, SIG_IGN) }
  }
}
