import Glibc

/// A single file to be written: whole or not at all, and a link in its place is replaced, not followed.
struct OutputFile {
  private let path: String

  init(_ path: String) { self.path = path }

  func replace(with bytes: [UInt8]) throws(Failure) {
    let (folderPath, name) = Self.split(path)
    guard let folder = Descriptor.folder(at: folderPath) else { throw .cannotWrite(path: folderPath, errno: errno) }
    defer { folder.close() }
    switch folder.kind(of: name) {
    case .folder: throw .notReplaced(path: path, reason: "it is a folder")
    case .unknown(let number): throw .cannotWrite(path: path, errno: number)
    case .nothing, .link, .other: break
    }
    let staged = ".widgetfleet-\(getpid()).html.partial"
    unlinkat(folder.number, staged, 0)
    let status = folder.write(bytes, to: staged)
    let renamed = status == 0 && renameat(folder.number, staged, folder.number, name) != 0 ? errno : 0
    guard status == 0, renamed == 0 else {
      unlinkat(folder.number, staged, 0)
      try Interruption.check()
      throw .cannotWrite(path: path, errno: status == 0 ? renamed : status)
    }
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
  }
}
