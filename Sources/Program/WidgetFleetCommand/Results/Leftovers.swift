import Platform

/// Functions that remove files left behind by killed processes. Only files whose names are used by this program are
/// ever removed.
enum Leftovers {
  /// Removes unfinished folders and files that are not locked by any process.
  static func sweep(_ parent: Descriptor) {
    for name in parent.names where ResultsLayout.isStagingName(name) || ResultsLayout.isUnfinishedName(name) {
      if ResultsLayout.isStagedFileName(name) { sweepFile(name, from: parent) }
      // This link has been replaced by results. If the process that created it is still running, that process removes
      // the link as well.
      if ResultsLayout.isStagingName(name), parent.kind(of: name) == .link { remove(name, from: parent) }
      guard parent.kind(of: name) == .folder, let folder = parent.folder(name) else { continue }
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0, folder.isStill(name, in: parent) {
        if ResultsLayout.isStagingName(name) {
          remove(name, folder, from: parent)
        } else {
          removeUnfinished(name, folder, from: parent)
        }
      }
      folder.close()
    }
  }

  /// Removes a hidden folder next to results, unless it contains work for `--resume`.
  ///
  /// - Returns: whether the folder no longer exists.
  @discardableResult
  static func removeUnfinished(_ name: String, _ folder: Descriptor, from parent: Descriptor) -> Bool {
    let names = folder.names
    guard !names.contains(where: ResultsLayout.isKept) else { return false }
    // The claim is listed explicitly, because a process that has no descriptors left cannot list the names in a folder.
    for file in names + [ResultsLayout.claimName] where ResultsLayout.isPassing(file) {
      unlinkat(folder.number, file, 0)
    }
    return unlinkat(parent.number, name, AT_REMOVEDIR) == 0
  }

  /// Removes a single unfinished file. If its name belongs to something other than a regular file, that is kept.
  private static func sweepFile(_ name: String, from parent: Descriptor) {
    let number = openat(parent.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return }
    let file = Descriptor(number: number)
    defer { file.close() }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, flock(number, LOCK_EX | LOCK_NB) == 0,
      file.isStill(name, in: parent)
    else { return }
    unlinkat(parent.number, name, 0)
  }

  /// Removes a link, or a folder with files of the program. A folder with other files is kept unless each of these
  /// files has another name, so that nothing is lost.
  static func remove(_ name: String, from parent: Descriptor) {
    if parent.kind(of: name) == .link {
      unlinkat(parent.number, name, 0)
      return
    }
    guard let folder = parent.folder(name) else { return }
    remove(name, folder, from: parent)
    folder.close()
  }

  static func remove(_ name: String, _ folder: Descriptor, from parent: Descriptor) {
    for file in ResultsLayout.allNames { unlinkat(folder.number, file, 0) }
    for foreign in folder.names where folder.hasOtherName(foreign) { unlinkat(folder.number, foreign, 0) }
    unlinkat(parent.number, name, AT_REMOVEDIR)
  }
}
