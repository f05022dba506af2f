import Platform

/// Functions that remove files left behind by killed processes. Only files with names used by this program are removed.
enum Leftovers {
  /// Removes unfinished folders and files that no process has locked.
  static func sweep(_ parent: Descriptor) {
    for name in parent.names where ResultsLayout.isStagingName(name) || ResultsLayout.isUnfinishedName(name) {
      if ResultsLayout.isStagedFileName(name) { sweepFile(name, from: parent) }
      // This link has been replaced by results. The process that created it, if still running, also removes it.
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

  /// Removes a hidden folder next to results unless it contains work for `--resume`.
  ///
  /// - Returns: whether the folder no longer exists.
  @discardableResult
  static func removeUnfinished(_ name: String, _ folder: Descriptor, from parent: Descriptor) -> Bool {
    let names = folder.names
    guard !names.contains(where: ResultsLayout.isKept) else { return false }
    // The claim is listed explicitly because a process without free descriptors cannot list the names in a folder.
    for file in names + [ResultsLayout.claimName] where ResultsLayout.isPassing(file) {
      unlinkat(folder.number, file, 0)
    }
    return unlinkat(parent.number, name, AT_REMOVEDIR) == 0
  }

  /// Removes a single unfinished file; an entry that is not a regular file is kept.
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

  /// Removes a link or a folder that contains only files of this program. A folder with other files is removed only if
  /// each of these files has another hard link, so that nothing is lost.
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
