import Platform
import SimulationKernel

/// An unfinished results folder, which is written next to its destination and then swapped with any existing folder.
/// The unfinished folder is locked.
///
/// If the process is killed, the system releases the lock, and a later run can recognize the folder as a leftover.
final class StagedFolder: Sendable {
  private let output: OutputPath
  private let name: String
  private let folder: Descriptor
  /// Whether the folder has been committed or removed. The thread of `Watch` also reads it.
  private let isSettled = Locked(false)

  /// Removes leftovers of killed processes, and then creates an empty folder next to the destination.
  init(for output: OutputPath) throws(Failure) {
    self.output = output
    Leftovers.sweep(output.parent)
    (name, folder) = try StagedFolder.make(for: output)
  }

  private static func make(for output: OutputPath) throws(Failure) -> (String, Descriptor) {
    for attempt in 0..<100 {
      let name = ResultsLayout.stagingName(attempt, process: getpid())
      guard mkdirat(output.parent.number, name, 0o777) == 0 else {
        if errno == EEXIST { continue }
        throw .cannotWrite(path: output.path, errno: errno)
      }
      // Until the folder is locked, another run may mistake it for a leftover.
      guard let folder = output.parent.folder(name) else {
        if errno == ENOENT { continue }
        let number = errno
        unlinkat(output.parent.number, name, AT_REMOVEDIR)
        throw .cannotWrite(path: output.path, errno: number)
      }
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0, folder.isStill(name, in: output.parent) { return (name, folder) }
      folder.close()
    }
    throw .cannotWrite(path: output.path, errno: EEXIST)
  }

  /// Adds a file to the folder.
  func write(_ bytes: [UInt8], to name: String) throws(Failure) {
    try check(folder.write(bytes, to: name), name)
  }

  /// Adds a file to the folder piece by piece.
  ///
  /// - Parameter writeAll: a function that calls its argument once per piece.
  func write(
    to name: String, _ writeAll: (_ append: ([UInt8]) throws(Failure) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    let file: Descriptor
    switch folder.newFile(name) {
    case .failure(let error): return try check(error.number, name)
    case .success(let made): file = made
    }
    do {
      try writeAll { piece throws(Failure) in try check(file.write(piece, stopsForSignals: true), name) }
    } catch {
      file.close()
      throw error
    }
    try check(file.finish(0), name)
  }

  /// Throws an error if the status indicates a failure.
  ///
  /// - Parameter status: the result of writing the file with this name: 0 or the system's error number.
  private func check(_ status: Int32, _ name: String) throws(Failure) {
    try Interruption.check()
    if status != 0 { throw .cannotWrite(path: output.path + "/" + name, errno: status) }
  }

  /// Returns the path of a file before the folder is moved to its destination, for code that writes files itself.
  func path(of file: String) -> String { "\(output.folder)/\(name)/\(file)" }

  /// Removes a file from the folder if it exists.
  func remove(_ name: String) throws(Failure) {
    let status = unlinkat(folder.number, name, 0) == 0 || errno == ENOENT ? 0 : errno
    try check(status, name)
  }

  /// Moves the folder to its destination, and removes the folder that it replaces.
  func commit() throws(Failure) {
    try adoptForeignFiles()
    let status = folder.syncFolder()
    if status != 0 { throw .cannotWrite(path: output.path, errno: status) }
    let hasOld = try isSettled.withLock { isSettled throws(Failure) in
      let hasOld = try exchange()
      isSettled = true
      return hasOld
    }
    fsync(output.parent.number)
    if hasOld { try removeOld() }
  }

  /// Removes the unfinished folder unless it has been committed.
  func abandon() {
    isSettled.withLock { isSettled in
      if !isSettled { Leftovers.remove(name, folder, from: output.parent) }
      isSettled = true
    }
  }

  /// Swaps this folder with any existing folder at the destination.
  ///
  /// - Returns: whether there was an existing folder, which now has the previous name of this folder.
  private func exchange() throws(Failure) -> Bool {
    let parent = output.parent.number
    if Names.move(name, in: parent, to: output.name, in: parent) == 0 { return false }
    guard errno == EEXIST || errno == EINVAL else { throw .cannotWrite(path: output.path, errno: errno) }
    try output.checkReplaceable()
    if Names.exchange(name, output.name, in: parent) != 0 { try moveAside() }
    return true
  }

  /// Moves the old folder aside and then gives it the staging name, for file systems that cannot swap folders.
  private func moveAside() throws(Failure) {
    guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == ENOENT else {
      throw .cannotWrite(path: output.path, errno: errno)
    }
    let parent = output.parent.number
    let aside = ResultsLayout.stagingName(100, process: getpid())
    let hasOld = renameat(parent, output.name, parent, aside) == 0
    guard renameat(parent, name, parent, output.name) == 0 else {
      let number = errno
      if hasOld { renameat(parent, aside, parent, output.name) }
      throw .cannotWrite(path: output.path, errno: number)
    }
    if hasOld { renameat(parent, aside, parent, name) }
  }

  /// Creates hard links in this folder to users' files in the old folder, so that these files cannot be lost.
  private func adoptForeignFiles() throws(Failure) {
    guard output.parent.kind(of: output.name) == .folder else { return }
    try output.checkReplaceable()
    guard let old = output.parent.folder(output.name) else { throw .cannotWrite(path: output.path, errno: errno) }
    defer { old.close() }
    for foreign in try foreignNames(in: old) {
      guard linkat(old.number, foreign, folder.number, foreign, 0) != 0 else { continue }
      // Folders are moved later, as are files on file systems without hard links.
      guard [EPERM, EMLINK, ENOTSUP, ENOSYS, EEXIST, ENOENT].contains(errno) else {
        throw .cannotWrite(path: "\(output.path)/\(foreign)", errno: errno)
      }
    }
  }

  private func foreignNames(in old: Descriptor) throws(Failure) -> [String] {
    switch old.listed() {
    case .success(let names): return names.filter { !ResultsLayout.allNames.contains($0) }
    case .failure(let error): throw .cannotRead(path: output.path, errno: error.number)
    }
  }

  /// Moves users' files and folders that could not be linked out of the old folder, and then removes the old folder.
  private func removeOld() throws(Failure) {
    guard let old = output.parent.folder(name) else { return Leftovers.remove(name, from: output.parent) }
    defer { old.close() }
    var stuck: Failure?
    for foreign in try foreignNames(in: old) where !old.hasOtherName(foreign) {
      if Names.move(foreign, in: old.number, to: foreign, in: folder.number) != 0 {
        stuck = stuck ?? .leftBehind(path: "\(output.folder)/\(name)/\(foreign)", errno: errno)
      }
    }
    Leftovers.remove(name, from: output.parent)
    if let stuck { throw stuck }
  }
}
