import FleetEngine
import Platform

/// The folder of the journal, which all ranks can access at the same path.
struct JournalFolder: Sendable {
  let path: String
  /// The token of the current attempt. It distinguishes this attempt from earlier ones whose processes may still be
  /// running after a network failure.
  let token: String
  private let folder: Descriptor

  /// The marker file that rank 0 creates for the other ranks.
  static let markFile = "mark"
  /// The maximum number of checks for the marker file, which may not be visible on other machines immediately.
  private static let looks = 50

  init(_ folder: Descriptor, path: String, token: String) {
    self.folder = folder
    self.path = path
    self.token = token
  }

  /// - Throws: `JournalError` if rank 0's marker file is not visible on this machine.
  init(at place: JournalLocation) throws(JournalError) {
    for look in 0..<Self.looks {
      if look > 0 { usleep(100_000) }
      guard let folder = Descriptor.folder(at: place.folder) else { continue }
      self.init(folder, path: place.folder, token: place.mark)
      if (try? read(Self.markFile, atMost: 1_000)) == Array(place.mark.utf8) { return }
      folder.close()
    }
    throw JournalError(
      "cannot see '\(place.folder.printable)', where rank 0 writes: --out must be on a file system shared by all ranks",
      isUnsuitable: false)
  }

  var names: [String] { folder.names }

  /// Returns the content of a file; `nil` if the file does not exist.
  func read(_ name: String, atMost limit: Int = .max) throws(JournalError) -> [UInt8]? {
    let number = openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("read", name, errno)
    }
    defer { close(number) }
    switch Descriptor(number: number).read(atMost: limit) {
    case .success(let bytes): return bytes
    case .failure(let error): throw failure("read", name, error.number)
    }
  }

  /// Writes a file under a temporary name, and then renames it.
  func replace(_ name: String, _ bytes: [UInt8]) throws(JournalError) { try replace(name) { $0.append(bytes) } }

  /// Writes a file in pieces under a temporary name, and then renames it.
  func replace(_ name: String, _ write: (FileInMaking) -> Void) throws(JournalError) {
    let fresh = name + ResultsLayout.freshSuffix
    unlinkat(folder.number, fresh, 0)
    switch folder.newFile(fresh) {
    case .failure(let error): throw failure("write", name, error.number)
    case .success(let descriptor):
      let file = FileInMaking(descriptor)
      write(file)
      let status = descriptor.finish(file.status)
      guard status == 0 else { throw failure("write", name, status) }
    }
    guard renameat(folder.number, fresh, folder.number, name) == 0 else { throw failure("write", name, errno) }
    // The caller may remove the files superseded by this one as soon as the folder is synced.
    fsync(folder.number)
  }

  /// Truncates a file to a given length and opens it for appending.
  func appending(_ name: String, length: Int) throws(JournalError) -> Descriptor {
    let number = openat(folder.number, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw failure("write", name, errno) }
    guard ftruncate(number, off_t(length)) == 0, lseek(number, 0, SEEK_END) >= 0 else {
      defer { close(number) }
      throw failure("write", name, errno)
    }
    return Descriptor(number: number)
  }

  /// Appends all bytes to an open file and syncs it to disk.
  func append(_ bytes: [UInt8], to file: Descriptor, _ name: String) throws(JournalError) {
    let status = file.write(bytes, ignoresSignals: true)
    guard status == 0 else { throw failure("write", name, status) }
    guard OpenFiles.syncData(file.number) == 0 else { throw failure("write", name, errno) }
  }

  /// Overwrites the start of a file with a line of fixed length. Errors are ignored because the line will soon be
  /// written again.
  ///
  /// - Parameter isNew: whether to create the file if it is missing. A rank does this only once, because another rank
  ///   may be cleaning up.
  func overwrite(_ name: String, _ bytes: [UInt8], isNew: Bool) {
    let number = openat(folder.number, name, O_WRONLY | (isNew ? O_CREAT : 0) | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard number >= 0 else { return }
    defer { close(number) }
    _ = bytes.withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, 0) }
  }

  func remove(_ name: String) { unlinkat(folder.number, name, 0) }

  private func failure(_ verb: String, _ name: String, _ number: Int32) -> JournalError {
    JournalError(
      "cannot \(verb) '\(path.printable)/\(name)': \(String(cString: strerror(number)))", isUnsuitable: false)
  }
}

/// A file that accepts data until a write fails.
final class FileInMaking {
  private let file: Descriptor
  /// The system's error number for the first failed write; 0 if no write has failed.
  private(set) var status: Int32 = 0

  init(_ file: Descriptor) { self.file = file }

  func append(_ piece: [UInt8]) { if status == 0 { status = file.write(piece, ignoresSignals: true) } }
}
