import Platform

/// Descriptors 0 to 2, in case they were closed when the program started.
enum StandardStreams {
  /// Opens closed descriptors so that using them fails and other files cannot get their numbers.
  static func occupy() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
