import Platform

/// An open file, represented by its descriptor number only, because standard files are never closed.
struct Descriptor: Sendable {
  let number: Int32

  /// The maximum number of bytes per system call, which is limited so that signals are noticed between calls.
  private static let chunk = 1 << 20

  /// Writes all bytes.
  ///
  /// - Returns: 0, or the system's error number, which is EINTR if a signal has requested a stop.
  ///
  /// - Parameter ignoresSignals: whether to continue writing after a signal has requested a stop.
  func write(_ bytes: [UInt8], stopsForSignals: Bool = false, ignoresSignals: Bool = false) -> Int32 {
    var done = 0
    while done < bytes.count {
      if stopsForSignals, Interruption.isRequested { return EINTR }
      let count = bytes[done...].withUnsafeBytes { Platform.write(number, $0.baseAddress, min($0.count, Self.chunk)) }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        waitUntilWritable()
      } else if errno != EINTR || Interruption.isRequested && !ignoresSignals {
        return errno
      }
    }
    return 0
  }

  /// Reads up to `limit` bytes.
  ///
  /// - Returns: the bytes, or the system's error, which is EINTR if a signal has requested a stop.
  func read(atMost limit: Int) -> Result<[UInt8], SystemError> {
    var bytes: [UInt8] = []
    var buffer = Array(repeating: UInt8(0), count: 1 << 16)
    while bytes.count < limit {
      // A signal that arrives between two system calls interrupts neither of them.
      while !OpenFiles.isReadable(number, milliseconds: 100) {
        if Interruption.isRequested { return .failure(SystemError(number: EINTR)) }
      }
      let wanted = min(buffer.count, limit - bytes.count)
      let count = buffer.withUnsafeMutableBytes { Platform.read(number, $0.baseAddress, wanted) }
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR || Interruption.isRequested {
        return .failure(SystemError(number: errno))
      }
    }
    return .success(bytes)
  }

  /// The number of free bytes on the file system; `nil` if unknown.
  var freeBytes: Int? {
    var facts = statvfs()
    guard fstatvfs(number, &facts) == 0 else { return nil }
    let (bytes, isTooMuch) = Int(clamping: facts.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: facts.f_frsize))
    return isTooMuch ? nil : bytes
  }

  private func waitUntilWritable() {
    var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    poll(&waiting, 1, 100)
  }
}

/// An error number returned by the operating system.
struct SystemError: Error {
  var number: Int32
}
