import Platform

/// The folder for a command's unfinished work, which exists next to the results until they are complete.
///
/// The process locks the folder. If the process is killed, the system releases the lock, and the stored work remains.
final class UnfinishedFolder: Sendable {
  let output: OutputPath
  private let folder: Descriptor
  private let name: String
  private let token = "\(getpid())-\(Int(Progress.now() * 1_000))"

  /// The maximum number of attempts while another process makes or releases a claim, and the pause between attempts in
  /// microseconds.
  private static let (looks, pause) = (500, UInt32(10_000))

  /// Claims the name of a results folder for this process.
  ///
  /// - Parameter settings: the SHA-256 hash, in hexadecimal, of everything that determines the results.
  /// - Returns: the folder; `nil` if a process with different settings has claimed the name.
  /// - Throws: `Failure` if a process with the same settings has claimed the name, or if the hidden folder's name is
  ///   used by something else.
  init?(claiming output: OutputPath, for settings: String) throws(Failure) {
    let (name, parent) = (ResultsLayout.unfinishedName(output.name), output.parent)
    for look in 0..<Self.looks {
      if look > 0 { usleep(Self.pause) }
      try Interruption.check()
      let folder = try Self.opened(name, for: output)
      guard let folder else { continue }
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0 {
        guard folder.isStill(name, in: parent) else { continue }
        unlinkat(folder.number, ResultsLayout.claimName, 0)
        let status = folder.write(Array(settings.utf8), to: ResultsLayout.claimName)
        (self.output, self.folder, self.name) = (output, folder, name)
        EarlyWatch.claim.withLock { $0 = self }
        if status == 0 { return }
        release()
        try Interruption.check()
        throw .cannotWrite(path: path, errno: status)
      }
      let number = errno
      let held = Self.settings(in: folder)
      folder.close()
      guard [EWOULDBLOCK, EINTR].contains(number) else {
        unlinkat(parent.number, name, AT_REMOVEDIR)
        throw .cannotWrite(path: output.path, errno: number)
      }
      if held == settings { break }
      if held != nil { return nil }
    }
    throw .notReplaced(path: output.path, reason: "another process with the same settings is working on it")
  }

  /// Opens the hidden folder or creates it if it does not exist; returns `nil` if another process has just removed it.
  private static func opened(_ name: String, for output: OutputPath) throws(Failure) -> Descriptor? {
    let path = "\(output.folder)/\(name)"
    if mkdirat(output.parent.number, name, 0o777) != 0, errno != EEXIST { throw .cannotWrite(path: path, errno: errno) }
    if let folder = output.parent.folder(name) { return folder }
    let number = errno
    if number == ENOENT { return nil }
    if [ENOTDIR, ELOOP].contains(number) { throw .notReplaced(path: path, reason: "it is not a folder") }
    unlinkat(output.parent.number, name, AT_REMOVEDIR)
    throw .cannotWrite(path: path, errno: number)
  }

  /// Returns the settings hash in a claim; `nil` if it has not been written yet.
  private static func settings(in folder: Descriptor) -> String? {
    let file = openat(folder.number, ResultsLayout.claimName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard case .success(let bytes) = Descriptor(number: file).read(atMost: 64), bytes.count == 64 else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the settings hash of the unfinished work next to a results folder; `nil` if there is no such work.
  static func settings(beside results: String) -> String? {
    let end = results.lastIndex(of: "/").map { results.index(after: $0) } ?? results.startIndex
    let path = results[..<end] + ResultsLayout.unfinishedName(String(results[end...]))
    guard let folder = Descriptor.folder(at: String(path)) else { return nil }
    defer { folder.close() }
    return settings(in: folder)
  }

  var path: String { "\(output.folder)/\(name)" }

  /// The journal folder, which has the same path on all machines.
  var files: JournalFolder {
    let real = realpath(path, nil)
    defer { free(real) }
    return JournalFolder(folder, path: real.map { String(cString: $0) } ?? path, token: token)
  }

  /// The path of the store that contains the completed runs.
  var storePath: String { "\(path)/\(ResultsLayout.unfinishedFiles[0])" }

  var hasStore: Bool { folder.kind(of: ResultsLayout.unfinishedFiles[0]) == .other }

  /// Removes the contents of the folder.
  func clear() {
    for file in ResultsLayout.unfinishedFiles { unlinkat(folder.number, file, 0) }
  }

  /// Releases the claim by removing the folder, unless it contains work for `--resume`.
  ///
  /// - Returns: whether the folder no longer exists.
  @discardableResult func release() -> Bool {
    guard folder.isStill(name, in: output.parent) else { return true }
    return Leftovers.removeUnfinished(name, folder, from: output.parent)
  }
}
