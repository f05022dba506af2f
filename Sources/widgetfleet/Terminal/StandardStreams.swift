import Platform

/// The descriptors 0 to 2, when whoever started the program closed them.
enum StandardStreams {
  /// Opens closed ones so that their use fails, and no file of ours ever gets their numbers.
  static func occupy() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
