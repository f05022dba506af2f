import Platform

/// The descriptors 0 to 2, if they were closed when the program started.
enum StandardStreams {
  /// Opens closed ones so that their use fails, and no other file gets their numbers.
  static func occupy() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
