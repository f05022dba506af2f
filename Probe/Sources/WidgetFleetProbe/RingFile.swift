import Foundation

/// The reason why an event could not be recorded.
public enum ProbeProblem: Error, Hashable, Sendable {
  /// The probe has no storage location: `Probe.use` was not called, or the app group does not exist.
  case noPlace
  /// The file cannot be opened; the value is `errno`, as in the next two cases.
  case cannotOpen(Int32)
  case cannotRead(Int32)
  case cannotWrite(Int32)
  /// The file was locked by another process.
  case busy
  /// The file was written by a later version of the probe, and is left unchanged.
  case newerVersion
}

/// A ring file that the app and its extensions write to.
///
/// It is opened and locked only for one change at a time, because the system terminates a process that is suspended
/// while holding a lock. All of its bytes are written when it is created, so that a disk that fills up later does not
/// stop the probe.
struct RingFile: Sendable {
  let path: String
  /// The number of attempts to acquire the lock, 50 microseconds apart.
  var tries = 10
  /// A function that writes bytes at an offset and returns their number; -1 for an error in `errno`.
  var write: @Sendable (Int32, UnsafeRawBufferPointer, Int) -> Int = { file, bytes, offset in
    pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
  }

  /// An open file while it is locked.
  struct Session {
    fileprivate let file: Int32
    fileprivate let ring: RingFile

    /// Returns the whole content, starting over with an empty ring if the file is damaged or not a ring.
    func content() throws(ProbeProblem) -> RingContent {
      let found = RingContent(try ring.read(file, 0..<RingContent.byteCount))
      switch found.state {
      case .ours: return found
      case .newer: throw .newerVersion
      case .other:
        let fresh = RingContent(salt: UInt64.random(in: .min ... .max))
        // Write the header last, because it marks the file as complete.
        try put(fresh.bytes[RingContent.headerCount...], at: RingContent.headerCount)
        try put(fresh.bytes[..<RingContent.headerCount], at: 0)
        return fresh
      }
    }

    /// Returns one record; `nil` if its slot contains a different one.
    func record(_ number: UInt32) throws(ProbeProblem) -> ProbeRecord? {
      let offset = RingContent.offset(ofRecord: number)
      let bytes = try ring.read(file, offset..<offset + RecordBytes.count)
      return RecordBytes.decode(bytes[...]).flatMap { $0.number == number ? $0 : nil }
    }

    func put(_ record: ProbeRecord) throws(ProbeProblem) {
      try put(RecordBytes.encode(record)[...], at: RingContent.offset(ofRecord: record.number))
    }

    /// Writes bytes; a short write throws an error and leaves no valid checksum.
    func put(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(ProbeProblem) {
      let done = bytes.withUnsafeBytes { ring.write(file, $0, offset) }
      guard done == bytes.count else { throw .cannotWrite(done < 0 ? errno : ENOSPC) }
    }
  }

  /// Calls a function with exclusive access to the file.
  func locked<Result>(_ body: (Session) throws(ProbeProblem) -> Result) throws(ProbeProblem) -> Result {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .cannotOpen(errno) }
    defer { close(file) }
    try lock(file)
    defer { flock(file, LOCK_UN) }
    return try body(Session(file: file, ring: self))
  }

  private func lock(_ file: Int32) throws(ProbeProblem) {
    for attempt in 1...max(tries, 1) {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else { throw .cannotOpen(errno) }
      if attempt < tries { usleep(50) }
    }
    throw .busy
  }

  /// Reads bytes; fewer than requested if the file is shorter.
  private func read(_ file: Int32, _ range: Range<Int>) throws(ProbeProblem) -> [UInt8] {
    var problem: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      let read = pread(file, buffer.baseAddress, range.count, off_t(range.lowerBound))
      if read < 0 { problem = errno }
      count = max(read, 0)
    }
    if let problem { throw .cannotRead(problem) }
    return bytes
  }
}
