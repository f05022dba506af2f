import Platform

/// A single output file, which is written next to its destination and then moved to it.
struct OutputFile {
  let path: String

  /// - Parameter isOwnPage: whether the file is the page of the results folder being read.
  /// - Throws: `Failure` if the path is an input or not a regular file, or if the location is not writable.
  init(_ path: String, isOwnPage: Bool = false) throws(Failure) {
    self.path = path
    var status = stat()
    if !isOwnPage, FileIdentity.isInsideInput(path) {
      throw .notReplaced(path: path, reason: "it is in a results folder that this command reads")
    }
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { throw .notReplaced(path: path, reason: "it is not a file") }
      if FileIdentity(status).isInput { throw .notReplaced(path: path, reason: "this command reads it") }
      try OutputPath(parentOf: path).checkLink()
    } else if errno != ENOENT {
      throw .cannotWrite(path: path, errno: errno)
    }
    // The location is checked early so that a missing write permission does not waste hours of work.
    let place = try OutputPath(parentOf: path)
    defer { place.parent.close() }
    var folder = stat()
    if fstat(place.parent.number, &folder) == 0, !FileIdentity(folder).noteOutput(place.name) {
      throw .notReplaced(path: path, reason: "this command writes something else there")
    }
    guard faccessat(place.parent.number, ".", W_OK, 0) == 0 else { throw .cannotWrite(path: path, errno: errno) }
  }

  /// Writes the file, replacing an existing file. A link at the path is replaced, not followed.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let staged = try StagedFile(for: path)
    try staged.append(bytes)
    try staged.commit()
  }
}
