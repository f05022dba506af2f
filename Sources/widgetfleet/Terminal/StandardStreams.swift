import Platform

/// Descriptors 0 to 2, in case they were closed when the program started.
enum StandardStreams {
  /// Opens closed descriptors in a way that makes their use fail and prevents other files from getting their numbers.
  static func occupy() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
