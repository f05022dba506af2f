import Platform

/// The folder for a command's unfinished work, beside the place of its results, until these are complete.
///
/// It is locked by its process; a killed process loses the lock, and its work stays.
final class UnfinishedFolder: Sendable {
  private let output: OutputPath
  private let folder: Descriptor
  private let name: String
  private let token = "\(getpid())-\(Int(Progress.now() * 1_000))"

  /// Opens the folder, and creates it where there is none.
  ///
  /// - Throws: `Failure` when a foreign entry has its name, or another process uses it.
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

  /// The folder for a journal, by a path that other machines have too.
  var files: JournalFolder {
    let real = realpath(path, nil)
    defer { free(real) }
    return JournalFolder(folder, path: real.map { String(cString: $0) } ?? path, token: token)
  }

  /// The path of the runs.
  var storePath: String { "\(path)/\(ResultsLayout.unfinishedFiles[0])" }

  var hasStore: Bool { folder.kind(of: ResultsLayout.unfinishedFiles[0]) != .nothing }

  /// Removes its content.
  func clear() {
    for file in ResultsLayout.unfinishedFiles { unlinkat(folder.number, file, 0) }
  }

  /// Removes it with its content; a folder with foreign files stays.
  func remove() {
    clear()
    unlinkat(output.parent.number, name, AT_REMOVEDIR)
  }
}
