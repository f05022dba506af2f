import Platform

/// Where a command keeps what it has done, beside the place of its results, until these are complete.
///
/// It is locked by the process that works on it; a killed process loses the lock, and what it has done stays.
final class UnfinishedFolder: Sendable {
  private let output: OutputPath
  private let folder: Descriptor
  private let name: String
  private let token = "\(getpid())-\(Int(Progress.now() * 1_000))"

  /// Opens the folder, and makes it where there is none.
  ///
  /// - Throws: `Failure` when something else stands under its name, or another process works on it.
  init(for output: OutputPath) throws(Failure) {
    self.output = output
    name = ResultsLayout.unfinishedName(output.name)
    let path = "\(output.folder)/\(name)"
    if mkdirat(output.parent.number, name, 0o777) != 0, errno != EEXIST { throw .cannotWrite(path: path, errno: errno) }
    guard let folder = output.parent.folder(name) else {
      throw .notReplaced(path: path, reason: "it is not a folder")
    }
    guard flock(folder.number, LOCK_EX | LOCK_NB) == 0, folder.isStill(name, in: output.parent) else {
      folder.close()
      throw .notReplaced(path: path, reason: "another process is working on it")
    }
    self.folder = folder
  }

  var path: String { "\(output.folder)/\(name)" }

  /// What a journal does with it, by a path that other machines have too.
  var files: JournalFolder {
    let real = realpath(path, nil)
    defer { free(real) }
    return JournalFolder(folder, path: real.map { String(cString: $0) } ?? path, token: token)
  }

  /// Where the runs are.
  var storePath: String { "\(path)/\(ResultsLayout.unfinishedFiles[0])" }

  var hasStore: Bool { folder.kind(of: ResultsLayout.unfinishedFiles[0]) != .nothing }

  /// Removes what lies in it.
  func clear() {
    for file in ResultsLayout.unfinishedFiles { unlinkat(folder.number, file, 0) }
  }

  /// Removes it with what lies in it; a folder that holds something foreign stays.
  func remove() {
    clear()
    unlinkat(output.parent.number, name, AT_REMOVEDIR)
  }
}
