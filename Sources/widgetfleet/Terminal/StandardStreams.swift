import Platform

/// Descriptors 0 to 2, which may have been closed when the program started.
enum StandardStreams {
  /// Opens closed descriptors in such a way that using them fails and no other file gets their numbers.
  static func occupy() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
