import Foundation

/// Why something could not be recorded.
public enum ProbeProblem: Error, Hashable, Sendable {
  /// `Probe.use` was not called, or the app group does not exist.
  case noPlace
  /// The file cannot be opened; `errno`, as in the next two.
  case cannotOpen(Int32)
  case cannotRead(Int32)
  case cannotWrite(Int32)
  /// Another process kept the file locked.
  case busy
  /// The file is of a later version of the probe, which is left alone.
  case newerVersion
}

/// A ring file that the app and its extensions write to.
///
/// It is open and locked for the time of one change alone: the system ends a process that is suspended with a lock. All
/// its bytes are written when it is made, so that a disk that fills up later does not stop it.
struct RingFile: Sendable {
  let path: String
  /// How often a lock is tried for, with 50 microseconds between.
  var tries = 10
  /// Writes bytes at an offset, and says how many; -1: `errno` has the reason.
  var write: @Sendable (Int32, UnsafeRawBufferPointer, Int) -> Int = { file, bytes, offset in
    pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
  }

  /// The file while it is locked.
  struct Session {
    fileprivate let file: Int32
    fileprivate let ring: RingFile

    /// All of it; it is begun anew if it is none of ours or damaged.
    func content() throws(ProbeProblem) -> RingContent {
      let found = RingContent(try ring.read(file, 0..<RingContent.byteCount))
      switch found.state {
      case .ours: return found
      case .newer: throw .newerVersion
      case .other:
        let fresh = RingContent(salt: UInt64.random(in: .min ... .max))
        // The header comes last: with it the file is whole.
        try put(fresh.bytes[RingContent.headerCount...], at: RingContent.headerCount)
        try put(fresh.bytes[..<RingContent.headerCount], at: 0)
        return fresh
      }
    }

    /// One record; nil: the slot holds another.
    func record(_ number: UInt32) throws(ProbeProblem) -> ProbeRecord? {
      let offset = RingContent.offset(ofRecord: number)
      let bytes = try ring.read(file, offset..<offset + RecordBytes.count)
      return RecordBytes.decode(bytes[...]).flatMap { $0.number == number ? $0 : nil }
    }

    func put(_ record: ProbeRecord) throws(ProbeProblem) {
      try put(RecordBytes.encode(record)[...], at: RingContent.offset(ofRecord: record.number))
    }

    /// A write that stops short is a failed one: what it left behind has no valid checksum.
    func put(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(ProbeProblem) {
      let done = bytes.withUnsafeBytes { ring.write(file, $0, offset) }
      guard done == bytes.count else { throw .cannotWrite(done < 0 ? errno : ENOSPC) }
    }
  }

  /// Does something with the file while nobody else does.
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

  /// Fewer bytes than asked for where the file is shorter.
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
