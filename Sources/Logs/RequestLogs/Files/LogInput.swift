internal import Platform
package import Synchronization

/// A file of a log, or standard input.
package struct LogInput: Hashable, Sendable {
  /// `-`: standard input.
  package let path: String
  /// Bytes as they lie on the disk; nil: not known before they are read, since it is a pipe or standard input.
  package let size: Int?
  /// The folder below the one that was given; empty: none. Servers often have one each.
  let folder: String
  /// What the system knows the file by, however it is called.
  let identity: Identity?

  struct Identity: Hashable, Sendable {
    var device: UInt
    var number: UInt
  }

  /// What files there are: of a folder all regular ones below it, by name, but for hidden ones.
  ///
  /// - Parameter paths: files, folders, or `-`.
  /// - Returns: files in the order that was given, and paths that could not be looked at.
  package static func find(_ paths: [String]) -> (inputs: [LogInput], problems: [LogInputProblem]) {
    var search = Search()
    for path in paths {
      if path == "-" {
        search.inputs.append(LogInput(path: path, size: nil, folder: "", identity: nil))
      } else {
        search.take(path, folder: "", depth: 0)
      }
    }
    return (search.inputs, search.problems)
  }

  private struct Search {
    var inputs: [LogInput] = []
    var problems: [LogInputProblem] = []
    private static let deepest = 64

    mutating func take(_ path: String, folder: String, depth: Int) {
      var facts = stat()
      // Links below a folder may lead out of it; what the user names may be one.
      let status = depth == 0 ? stat(path, &facts) : lstat(path, &facts)
      guard status == 0 else { return problems.append(LogInputProblem(path: path, reason: .cannotOpen(errno))) }
      switch facts.st_mode & S_IFMT {
      case S_IFREG:
        let identity = Identity(device: UInt(truncatingIfNeeded: facts.st_dev), number: UInt(facts.st_ino))
        inputs.append(LogInput(path: path, size: Int(facts.st_size), folder: folder, identity: identity))
      case S_IFDIR: takeFolder(path, folder, depth)
      // What a shell puts for `<(zcat a.gz)`.
      case S_IFIFO where depth == 0: inputs.append(LogInput(path: path, size: nil, folder: "", identity: nil))
      default: if depth == 0 { problems.append(LogInputProblem(path: path, reason: .notAFile)) }
      }
    }

    private mutating func takeFolder(_ path: String, _ folder: String, _ depth: Int) {
      guard depth < Self.deepest, let stream = opendir(path) else {
        return problems.append(LogInputProblem(path: path, reason: .cannotOpen(errno)))
      }
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if !name.hasPrefix(".") { names.append(name) }
      }
      closedir(stream)
      let base = path.hasSuffix("/") ? path : path + "/"
      for name in names.sorted() {
        take(base + name, folder: depth == 0 ? "" : folder.isEmpty ? lastPart(path) : folder, depth: depth + 1)
      }
    }

    private func lastPart(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }
  }
}

/// A path that was given and cannot be read.
package struct LogInputProblem: Hashable, Sendable {
  package let path: String
  package let reason: LogProblem
}

/// Why a file could not be read, or not to its end.
package enum LogProblem: Error, Hashable, Sendable {
  /// With the system's number of the error.
  case cannotOpen(Int32)
  case cannotRead(Int32)
  /// A device or a socket.
  case notAFile
  /// Compressed data that no compressor has written.
  case damaged
  /// It grows beyond all measure: see `LogOptions.Limits`.
  case expandsTooFar
  /// A frame of zstd that asks for more memory than 128 MiB.
  case windowTooLarge
  /// UTF-16 or UTF-32.
  case wideCharacters
  /// With what its first line looks like, digits and letters masked.
  case unknownFormat(looksLike: String)
  /// A table whose columns nothing names.
  case noColumns
  case tooManyRows
  case noMemory
}

/// How a file's bytes are packed.
package enum Compression: String, Sendable {
  case none, gzip, zstd
}

/// What is known of a file's bytes when they have been read.
package struct StreamFacts: Hashable, Sendable {
  package var compression = Compression.none
  /// Members of gzip or frames of zstd.
  package var members = 0
  /// Whether the last of them ends before its end.
  package var isTorn = false
  /// Bytes behind the last of them that are neither one nor zeros.
  package var garbage = 0
}

/// What others may know and say while logs are read.
package final class LogProgress: Sendable {
  /// Bytes of the files as they lie on the disk.
  package let bytesRead = Atomic(0)
  /// Set from outside: reading ends soon, with what it has.
  package let isCancelled = Atomic(false)

  package init() {}

  func add(_ bytes: Int) { bytesRead.wrappingAdd(bytes, ordering: .relaxed) }
}
