import Glibc

/// A single file of output: written beside its place, then put there as a whole.
struct OutputFile {
  let path: String

  /// - Throws: `Failure` when something stands under the name that is no file of anybody's, or nothing can be written there.
  init(_ path: String) throws(Failure) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .notReplaced(path: path, reason: "it is not a file") }
      try OutputPath(parentOf: path).checkLink()
    } else if errno != ENOENT {
      throw .cannotWrite(path: path, errno: errno)
    }
    // Hours of work must not end at a folder that takes no file.
    let place = try OutputPath(parentOf: path)
    defer { place.parent.close() }
    guard faccessat(place.parent.number, ".", W_OK, 0) == 0 else { throw .cannotWrite(path: path, errno: errno) }
  }

  /// Replaces what is there; a link is replaced, not followed.
  ///
  /// The file in the making is locked until it stands under its name: a killed process loses the lock, so that the next
  /// run knows its file for a leftover.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let place = try OutputPath(parentOf: path)
    defer { place.parent.close() }
    try place.checkLink()
    Leftovers.sweep(place.parent)
    let staged = ResultsLayout.stagedFileName(process: getpid())
    let file = try make(staged, in: place.parent)
    defer { file.close() }
    let status = file.writeThrough(bytes)
    let renamed = status == 0 && renameat(place.parent.number, staged, place.parent.number, place.name) != 0 ? errno : 0
    guard status == 0, renamed == 0 else {
      unlinkat(place.parent.number, staged, 0)
      try Interruption.check()
      throw .cannotWrite(path: path, errno: status != 0 ? status : renamed)
    }
    fsync(place.parent.number)
  }

  /// Makes the locked file in the making.
  private func make(_ name: String, in parent: Descriptor) throws(Failure) -> Descriptor {
    for _ in 0..<100 {
      let number = openat(parent.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard number >= 0 else {
        // Of an earlier process of this number, or in another's hands.
        if errno == EEXIST, unlinkat(parent.number, name, 0) == 0 { continue }
        throw .cannotWrite(path: path, errno: errno)
      }
      let file = Descriptor(number: number)
      // Another run may take it for a leftover until it is locked.
      if flock(number, LOCK_EX | LOCK_NB) == 0, file.isStill(name, in: parent) { return file }
      file.close()
    }
    throw .cannotWrite(path: path, errno: EEXIST)
  }
}
