import Glibc

/// Folders of runs that were killed; only files with our names are ever removed.
enum Leftovers {
  /// Removes the folders in the making that no process holds a lock on.
  static func sweep(_ parent: Descriptor) {
    for name in parent.names where ResultsLayout.isStagingName(name) {
      guard parent.kind(of: name) == .folder, let folder = parent.folder(name) else { continue }
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0 { remove(name, from: parent) }
      folder.close()
    }
  }

  /// Removes a link, or a folder with our files in it; a folder that holds others stays.
  static func remove(_ name: String, from parent: Descriptor) {
    if parent.kind(of: name) == .link {
      unlinkat(parent.number, name, 0)
      return
    }
    guard let folder = parent.folder(name) else { return }
    for file in ResultsLayout.allNames { unlinkat(folder.number, file, 0) }
    folder.close()
    unlinkat(parent.number, name, AT_REMOVEDIR)
  }
}
