#if os(Linux)
  internal import CLinux
#endif

/// Operations on directory entries that complement `renameat`; like it, they return 0, or -1 with `errno` set.
package enum Names {
  /// Moves an entry to a name that must not exist yet.
  package static func move(_ from: String, in folder: Int32, to: String, in other: Int32) -> Int32 {
    #if os(Linux)
      renameat2(folder, from, other, to, UInt32(WF_RENAME_NOREPLACE))
    #else
      renameatx_np(folder, from, other, to, UInt32(RENAME_EXCL))
    #endif
  }

  /// Swaps the names of two entries atomically.
  package static func exchange(_ one: String, _ other: String, in folder: Int32) -> Int32 {
    #if os(Linux)
      renameat2(folder, one, folder, other, UInt32(WF_RENAME_EXCHANGE))
    #else
      renameatx_np(folder, one, folder, other, UInt32(RENAME_SWAP))
    #endif
  }

  /// Whether a symbolic link with this target refers to a stream of this process, as /dev/stdout does.
  package static func isStream(_ target: String) -> Bool {
    #if os(Linux)
      target.hasPrefix("/proc/") || target.hasPrefix("/dev/")
    #else
      target.hasPrefix("fd/") || target.hasPrefix("/dev/")
    #endif
  }
}

/// Hints and requests to the operating system about open files.
package enum OpenFiles {
  /// Hints that the file will be read from start to end.
  package static func willBeReadInOrder(_ file: Int32) {
    #if os(Linux)
      _ = posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL)
    #else
      _ = fcntl(file, F_RDAHEAD, 1)
    #endif
  }

  /// Whether reading would not block because data, the end of the file or an error is ready; `false` after the timeout
  /// or a signal.
  package static func isReadable(_ file: Int32, milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    let ready = poll(&waiting, 1, milliseconds)
    return ready > 0 || ready < 0 && errno != EINTR
  }

  /// Flushes the bytes of a file to the disk, including its length but no other metadata.
  ///
  /// - Returns: 0, or -1 with `errno` set.
  package static func syncData(_ file: Int32) -> Int32 {
    #if os(Linux)
      fdatasync(file)
    #else
      // On macOS, fsync leaves the data in the disk's own cache, but some file systems support only fsync.
      fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file)
    #endif
  }
}
