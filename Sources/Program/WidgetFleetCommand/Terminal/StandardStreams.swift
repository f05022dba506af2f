import Platform

/// The file descriptors 0 to 2, which may be closed when the program starts.
enum StandardStreams {
  /// Occupies descriptors that are closed, so that using them fails and no other file gets their numbers.
  static func occupy() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
