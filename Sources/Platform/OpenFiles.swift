/// What the system is told about open files.
package enum OpenFiles {
  /// The file will be read from its beginning to its end: a hint.
  package static func willBeReadInOrder(_ file: Int32) {
    #if os(Linux)
      _ = posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL)
    #else
      _ = fcntl(file, F_RDAHEAD, 1)
    #endif
  }

  /// Brings the bytes of a file to the disk, and of what is known about it only its length.
  ///
  /// - Returns: 0, or -1 with `errno`.
  package static func syncData(_ file: Int32) -> Int32 {
    #if os(Linux)
      fdatasync(file)
    #else
      // fsync of macOS leaves them in the disk's own memory; not every file system knows more.
      fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file)
    #endif
  }
}
