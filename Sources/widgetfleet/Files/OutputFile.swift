import Platform

/// A single output file: written beside its place, then moved there as a whole.
struct OutputFile {
  let path: String

  /// - Throws: `Failure` when the name belongs to something other than a file, or nothing can be written there.
  init(_ path: String) throws(Failure) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .notReplaced(path: path, reason: "it is not a file") }
      try OutputPath(parentOf: path).checkLink()
    } else if errno != ENOENT {
      throw .cannotWrite(path: path, errno: errno)
    }
    // Hours of work must not end at a folder without write permission.
    let place = try OutputPath(parentOf: path)
    defer { place.parent.close() }
    guard faccessat(place.parent.number, ".", W_OK, 0) == 0 else { throw .cannotWrite(path: path, errno: errno) }
  }

  /// Replaces an existing file; a link is replaced, not followed.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let staged = try StagedFile(for: path)
    try staged.append(bytes)
    try staged.commit()
  }
}
