import CLinux
import Glibc
import SimulationKernel

/// A results folder in the making: written beside its final place under a lock, then exchanged for what is there.
///
/// A killed process loses the lock, so that the next run knows its folder for a leftover.
final class StagedFolder: Sendable {
  private let output: OutputPath
  private let name: String
  private let folder: Descriptor
  /// Whether nothing is left to take back; the watch may ask from its own thread.
  private let isSettled = Guarded(false)

  /// Sweeps leftovers, then makes an empty folder beside the final place.
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
      // Another run may take it for a leftover until it is locked.
      guard let folder = output.parent.folder(name) else { continue }
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0, folder.isStill(name, in: output.parent) { return (name, folder) }
      folder.close()
    }
    throw .cannotWrite(path: output.path, errno: EEXIST)
  }

  /// Adds a file.
  func write(_ bytes: [UInt8], to name: String) throws(Failure) {
    try check(folder.write(bytes, to: name), name)
  }

  /// Adds a file in pieces.
  ///
  /// - Parameter writeAll: calls what it is given with one piece after the other.
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

  /// - Parameter status: 0, or the system's error when the file of that name was written.
  private func check(_ status: Int32, _ name: String) throws(Failure) {
    try Interruption.check()
    if status != 0 { throw .cannotWrite(path: output.path + "/" + name, errno: status) }
  }

  /// Where a file is until the folder is in its place, for those who write it themselves.
  func path(of file: String) -> String { "\(output.folder)/\(name)/\(file)" }

  /// Puts the folder in its place and removes what was there.
  func commit() throws(Failure) {
    fsync(folder.number)
    try isSettled.withLock { isSettled throws(Failure) in
      try exchange()
      isSettled = true
    }
    fsync(output.parent.number)
  }

  /// Removes the folder unless it was committed.
  func abandon() {
    isSettled.withLock { isSettled in
      if !isSettled { Leftovers.remove(name, from: output.parent) }
      isSettled = true
    }
  }

  private func exchange() throws(Failure) {
    let parent = output.parent.number
    if renameat2(parent, name, parent, output.name, UInt32(WF_RENAME_NOREPLACE)) == 0 { return }
    guard errno == EEXIST || errno == EINVAL else { throw .cannotWrite(path: output.path, errno: errno) }
    try output.checkReplaceable()
    if renameat2(parent, name, parent, output.name, UInt32(WF_RENAME_EXCHANGE)) != 0 { try moveAside() }
    keepForeignFiles()
    Leftovers.remove(name, from: output.parent)
  }

  /// For file systems that cannot exchange: the old one goes aside first, then takes the staging name.
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

  /// Moves what a user put into the old folder over to the new one.
  private func keepForeignFiles() {
    guard let old = output.parent.folder(name) else { return }
    defer { old.close() }
    for foreign in old.names where !ResultsLayout.allNames.contains(foreign) {
      renameat2(old.number, foreign, folder.number, foreign, UInt32(WF_RENAME_NOREPLACE))
    }
  }
}
