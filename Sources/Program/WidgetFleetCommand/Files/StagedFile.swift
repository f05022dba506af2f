import Platform
import SimulationKernel

/// A single unfinished file, which is written in pieces next to its destination and then moved to it.
///
/// The file is locked until it has its final name. If the process is killed, the system releases the lock, and a later
/// run can recognize the file as a leftover.
final class StagedFile: Sendable {
  private let path: String
  private let place: OutputPath
  private let name: String
  private let file: Descriptor
  /// Whether the file has been committed or removed. The thread of `Watch` also reads it.
  private let isSettled = Locked(false)

  /// Removes leftovers of killed processes, and then creates an empty file next to the destination.
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

  /// Appends bytes to the file.
  func append(_ bytes: [UInt8]) throws(Failure) { try check(file.write(bytes, stopsForSignals: true)) }

  /// Moves the file to its destination. A link at the destination is replaced, not followed.
  ///
  /// - Parameter replaces: whether an existing file is replaced; otherwise, it is an error.
  func commit(replaces: Bool = true) throws(Failure) {
    try check(fsync(file.number) == 0 ? 0 : errno)
    let status = isSettled.withLock { isSettled in
      let folder = place.parent.number
      let moved =
        replaces ? renameat(folder, name, folder, place.name) : linkat(folder, name, folder, place.name, 0)
      let status = moved == 0 ? 0 : errno
      if moved == 0, !replaces { unlinkat(folder, name, 0) }
      isSettled = moved == 0
      return status
    }
    try check(status)
    fsync(place.parent.number)
  }

  /// Removes the unfinished file unless it has been committed.
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

  /// Removes the file and throws an error if the status indicates a failure.
  ///
  /// - Parameter status: 0 or the system's error number.
  private func check(_ status: Int32) throws(Failure) {
    guard status != 0 else { return }
    abandon()
    try Interruption.check()
    throw .cannotWrite(path: path, errno: status)
  }
}

extension Descriptor {
  /// Creates and locks a new file in this folder, with a name that is specific to this process.
  func lockedFile() -> Result<(Descriptor, name: String), SystemError> {
    for attempt in 0..<100 {
      let name = ResultsLayout.stagedFileName(attempt, process: getpid())
      let number = openat(self.number, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard number >= 0 else {
        // The name is used by another file of this process, or by a process with the same ID on another machine.
        if errno == EEXIST { continue }
        return .failure(SystemError(number: errno))
      }
      let file = Descriptor(number: number)
      // Until the file is locked, another run may mistake it for a leftover.
      if flock(number, LOCK_EX | LOCK_NB) == 0, file.isStill(name, in: self) { return .success((file, name)) }
      file.close()
    }
    return .failure(SystemError(number: EEXIST))
  }

  /// Creates an unnamed file in this folder, which disappears when its descriptor is closed.
  func namelessFile() -> Result<Descriptor, SystemError> {
    lockedFile().map { file, name in
      unlinkat(number, name, 0)
      return file
    }
  }
}
