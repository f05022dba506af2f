import Platform

/// The kind of file system entry with a given name; links are not followed.
enum EntryKind: Equatable {
  case nothing, folder, link, other
  /// The kind could not be determined because of a system error.
  case unknown(Int32)
}

/// Operations on an open folder and its entries.
extension Descriptor {
  static func folder(at path: String) -> Descriptor? {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return number >= 0 ? Descriptor(number: number) : nil
  }

  /// Opens a subfolder; returns `nil` if the entry is not a folder. A link to a folder is not considered a folder.
  func folder(_ name: String) -> Descriptor? {
    let child = openat(number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return child >= 0 ? Descriptor(number: child) : nil
  }

  func close() { _ = Platform.close(number) }

  func kind(of name: String) -> EntryKind {
    var status = stat()
    guard fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return errno == ENOENT ? .nothing : .unknown(errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// Returns whether an entry is a link into /proc or /dev, such as /dev/stdout. Such links belong to the system and
  /// never contain results.
  func leadsToStream(_ name: String) -> Bool {
    var target = Array(repeating: CChar(0), count: 64)
    let count = readlinkat(number, name, &target, target.count)
    let text = String(decoding: target.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Names.isStream(text)
  }

  /// Returns whether a file in this folder starts with the given text.
  func begins(_ name: String, with text: String) -> Bool {
    let file = openat(number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { _ = Platform.close(file) }
    guard case .success(let bytes) = Descriptor(number: file).read(atMost: text.utf8.count) else { return false }
    return bytes == Array(text.utf8)
  }

  /// The names of this folder's entries; empty if the folder cannot be read.
  var names: [String] { (try? listed().get()) ?? [] }

  /// Returns the names of this folder's entries, or the system's error.
  func listed() -> Result<[String], SystemError> {
    let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return .failure(SystemError(number: errno)) }
    guard let stream = fdopendir(copy) else {
      let error = SystemError(number: errno)
      Descriptor(number: copy).close()
      return .failure(error)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    return errno == 0 ? .success(names) : .failure(SystemError(number: errno))
  }

  /// Returns whether this folder is still the entry with the given name in `parent`.
  func isStill(_ name: String, in parent: Descriptor) -> Bool {
    var own = stat()
    var named = stat()
    return fstat(number, &own) == 0 && fstatat(parent.number, name, &named, AT_SYMLINK_NOFOLLOW) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Returns whether an entry is a file with at least one other hard link. Symbolic links are not followed.
  func hasOtherName(_ name: String) -> Bool {
    var status = stat()
    return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT != S_IFDIR
      && status.st_nlink > 1
  }

  /// Syncs the folder's list of entries to disk.
  ///
  /// - Returns: 0 or the system's error number; also 0 if the file system cannot sync folders.
  func syncFolder() -> Int32 { fsync(number) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno }

  /// Writes a new file and syncs it to disk.
  ///
  /// - Returns: 0 or the system's error number.
  func write(_ bytes: [UInt8], to name: String) -> Int32 {
    switch newFile(name) {
    case .failure(let error): return error.number
    case .success(let file):
      let status = file.write(bytes, stopsForSignals: true)
      return file.finish(status)
    }
  }

  /// Creates a new file; fails if the file already exists.
  func newFile(_ name: String) -> Result<Descriptor, SystemError> {
    let file = openat(number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    return file >= 0 ? .success(Descriptor(number: file)) : .failure(SystemError(number: errno))
  }

  /// Closes a file after syncing it to disk; it is not synced if writing failed.
  ///
  /// - Parameter status: the result of writing: 0 or the system's error number.
  /// - Returns: 0, or the number of the first error.
  func finish(_ status: Int32) -> Int32 {
    let synced = status == 0 && fsync(number) != 0 ? errno : status
    let closed = Platform.close(number) != 0 ? errno : 0
    return synced != 0 ? synced : closed
  }
}
