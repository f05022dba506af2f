import Platform
import SimulationKernel

/// The identity of a file or folder, which consists of its device and inode and does not depend on its name.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  init(_ status: stat) { (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)) }

  /// Reads the identity of the file or folder at a path; returns `nil` if nothing exists there.
  init?(_ path: String, followsLinks: Bool = true) {
    var status = stat()
    guard fstatat(AT_FDCWD, path, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    self.init(status)
  }

  /// The files that this process has read.
  private static let inputs = Locked<Set<FileIdentity>>([])

  /// Whether this process has read the file, so that no output may replace it.
  var isInput: Bool { Self.inputs.withLock { $0.contains(self) } }

  func noteInput() { Self.inputs.withLock { _ = $0.insert(self) } }

  /// The names of the files written by this process, by folder.
  private static let outputs = Locked<[FileIdentity: Set<String>]>([:])

  /// Registers a file that this process writes to the folder.
  ///
  /// - Returns: whether the name is not used by any other output of this process.
  func noteOutput(_ name: String) -> Bool { Self.outputs.withLock { $0[self, default: []].insert(name).inserted } }

  /// Returns whether a path leads into a folder that this process has read, even if some folders on the path do not
  /// exist.
  static func isInsideInput(_ path: String) -> Bool {
    var place = path
    while let end = place.lastIndex(of: "/") {
      place = String(place[..<end])
      if let real = realpath(place + "/.", nil) {
        defer { free(real) }
        // A file cannot contain other entries.
        var status = stat()
        return stat(real, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && hasInput(String(cString: real))
      }
    }
    guard let real = realpath(".", nil) else { return false }
    defer { free(real) }
    return hasInput(String(cString: real))
  }

  /// Returns whether a folder, given by its real path, or any of its parent folders is an input.
  private static func hasInput(_ folder: String) -> Bool {
    let parts = folder.split(separator: "/")
    return (0...parts.count).contains { count in
      FileIdentity("/" + parts.prefix(count).joined(separator: "/"))?.isInput == true
    }
  }
}
