#if os(Linux)
  internal import CLinux
#endif

/// What is done to names in open folders beyond `renameat`; as there 0, or -1 with `errno`.
package enum Names {
  /// Gives an entry a name that is not taken.
  package static func move(_ from: String, in folder: Int32, to: String, in other: Int32) -> Int32 {
    #if os(Linux)
      renameat2(folder, from, other, to, UInt32(WF_RENAME_NOREPLACE))
    #else
      renameatx_np(folder, from, other, to, UInt32(RENAME_EXCL))
    #endif
  }

  /// Each of two entries gets the name of the other, at once.
  package static func exchange(_ one: String, _ other: String, in folder: Int32) -> Int32 {
    #if os(Linux)
      renameat2(folder, one, folder, other, UInt32(WF_RENAME_EXCHANGE))
    #else
      renameatx_np(folder, one, folder, other, UInt32(RENAME_SWAP))
    #endif
  }

  /// Whether a link with this target is the system's way to a stream of the process, as /dev/stdout is.
  package static func isStream(_ target: String) -> Bool {
    #if os(Linux)
      target.hasPrefix("/proc/") || target.hasPrefix("/dev/")
    #else
      target.hasPrefix("fd/") || target.hasPrefix("/dev/")
    #endif
  }
}

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

  /// Waits for something to read, the end or an error; `false` if none comes in time, or a signal does.
  package static func isReadable(_ file: Int32, milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    let ready = poll(&waiting, 1, milliseconds)
    return ready > 0 || ready < 0 && errno != EINTR
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
