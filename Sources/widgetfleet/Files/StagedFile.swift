import Platform
import SimulationKernel

/// A single file in the making: written piece by piece beside its place, then put there as a whole.
///
/// It is locked until it stands under its name: a killed process loses the lock, so that the next run knows its file for
/// a leftover.
final class StagedFile: Sendable {
  private let path: String
  private let place: OutputPath
  private let name: String
  private let file: Descriptor
  /// Whether nothing is left to take back; the watch may ask from its own thread.
  private let isSettled = Guarded(false)

  /// Sweeps leftovers, then makes an empty file beside the final place.
  init(for path: String) throws(Failure) {
    self.path = path
    place = try OutputPath(parentOf: path)
    try place.checkLink()
    Leftovers.sweep(place.parent)
    switch place.parent.lockedFile() {
    case .success(let (file, name)): (self.file, self.name) = (file, name)
    case .failure(let error):
      place.parent.close()
      throw .cannotWrite(path: path, errno: error.number)
    }
  }

  /// Adds a piece.
  func append(_ bytes: [UInt8]) throws(Failure) { try check(file.write(bytes, stopsForSignals: true)) }

  /// Replaces what is there; a link is replaced, not followed.
  func commit() throws(Failure) {
    try check(fsync(file.number) == 0 ? 0 : errno)
    let status = isSettled.withLock { isSettled in
      let renamed = renameat(place.parent.number, name, place.parent.number, place.name)
      isSettled = renamed == 0
      return renamed == 0 ? 0 : errno
    }
    try check(status)
    fsync(place.parent.number)
  }

  /// Removes the file unless it was committed.
  func abandon() {
    isSettled.withLock { isSettled in
      if !isSettled { unlinkat(place.parent.number, name, 0) }
      isSettled = true
    }
  }

  deinit {
    abandon()
    file.close()
    place.parent.close()
  }

  /// - Parameter status: 0, or the system's error.
  private func check(_ status: Int32) throws(Failure) {
    guard status != 0 else { return }
    abandon()
    try Interruption.check()
    throw .cannotWrite(path: path, errno: status)
  }
}

extension Descriptor {
  /// Makes a new file in this folder under a name of this process, and locks it.
  func lockedFile() -> Result<(Descriptor, name: String), SystemError> {
    for attempt in 0..<100 {
      let name = ResultsLayout.stagedFileName(attempt, process: getpid())
      let number = openat(self.number, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard number >= 0 else {
        // Of another file of this process, or of a process of this number on another machine.
        if errno == EEXIST { continue }
        return .failure(SystemError(number: errno))
      }
      let file = Descriptor(number: number)
      // Another run may take it for a leftover until it is locked.
      if flock(number, LOCK_EX | LOCK_NB) == 0, file.isStill(name, in: self) { return .success((file, name)) }
      file.close()
    }
    return .failure(SystemError(number: EEXIST))
  }

  /// Makes a file in this folder that has no name and goes with its descriptor.
  func namelessFile() -> Result<Descriptor, SystemError> {
    lockedFile().map { file, name in
      unlinkat(number, name, 0)
      return file
    }
  }
}
