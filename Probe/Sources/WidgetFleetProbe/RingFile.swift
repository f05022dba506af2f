import Foundation

/// The reason why something could not be recorded.
public enum ProbeProblem: Error, Hashable, Sendable {
  /// The probe has no place: `Probe.use` was not called, or the app group does not exist.
  case noPlace
  /// The file cannot be opened; the value is `errno`, as in the next two.
  case cannotOpen(Int32)
  case cannotRead(Int32)
  case cannotWrite(Int32)
  /// The file was locked by another process.
  case busy
  /// The file is of a later version of the probe, and is not changed.
  case newerVersion
}

/// A ring file that the app and its extensions write to.
///
/// It is open and locked only for one change, since the system ends a process that is suspended with a lock. All its
/// bytes are written when it is created, so that a disk that fills up later does not stop it.
struct RingFile: Sendable {
  let path: String
  /// The number of attempts to lock, with 50 microseconds between.
  var tries = 10
  /// The function that writes bytes at an offset, and returns their number; -1 for an error in `errno`.
  var write: @Sendable (Int32, UnsafeRawBufferPointer, Int) -> Int = { file, bytes, offset in
    pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
  }

  /// The file while it is locked.
  struct Session {
    fileprivate let file: Int32
    fileprivate let ring: RingFile

    /// Returns the whole content; it restarts with an empty ring if the file is damaged or not a ring.
    func content() throws(ProbeProblem) -> RingContent {
      let found = RingContent(try ring.read(file, 0..<RingContent.byteCount))
      switch found.state {
      case .ours: return found
      case .newer: throw .newerVersion
      case .other:
        let fresh = RingContent(salt: UInt64.random(in: .min ... .max))
        // The header comes last: with it the file is complete.
        try put(fresh.bytes[RingContent.headerCount...], at: RingContent.headerCount)
        try put(fresh.bytes[..<RingContent.headerCount], at: 0)
        return fresh
      }
    }

    /// Returns one record; `nil` if the slot has another.
    func record(_ number: UInt32) throws(ProbeProblem) -> ProbeRecord? {
      let offset = RingContent.offset(ofRecord: number)
      let bytes = try ring.read(file, offset..<offset + RecordBytes.count)
      return RecordBytes.decode(bytes[...]).flatMap { $0.number == number ? $0 : nil }
    }

    func put(_ record: ProbeRecord) throws(ProbeProblem) {
      try put(RecordBytes.encode(record)[...], at: RingContent.offset(ofRecord: record.number))
    }

    /// Writes bytes; a short write fails, and its rest has no valid checksum.
    func put(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(ProbeProblem) {
      let done = bytes.withUnsafeBytes { ring.write(file, $0, offset) }
      guard done == bytes.count else { throw .cannotWrite(done < 0 ? errno : ENOSPC) }
    }
  }

  /// Runs a function with exclusive access to the file.
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

  /// Reads bytes, fewer than requested if the file is shorter.
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
