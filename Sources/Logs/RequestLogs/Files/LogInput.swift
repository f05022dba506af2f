internal import Platform
package import Synchronization

/// A log file, or standard input.
package struct LogInput: Hashable, Sendable {
  /// The path of the log file; `-` for standard input.
  package let path: String
  /// The size on disk in bytes; `nil` for a pipe or standard input, whose size is unknown.
  package let size: Int?
  /// The name of the subfolder that contains the file; empty if there is none. Often, each server has its own
  /// subfolder.
  let folder: String
  /// The file's identity in the file system, regardless of its name.
  let identity: Identity?

  struct Identity: Hashable, Sendable {
    var device: UInt
    var number: UInt
  }

  /// Finds files, including all regular, non-hidden files below a folder, sorted by name.
  ///
  /// - Parameter paths: files, folders, or `-`.
  /// - Returns: files in the given order, and paths that could not be examined.
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
      // Symbolic links given by the user are followed, but links inside a folder are not, because they may point
      // outside it.
      let status = depth == 0 ? stat(path, &facts) : lstat(path, &facts)
      guard status == 0 else { return problems.append(LogInputProblem(path: path, reason: .cannotOpen(errno))) }
      switch facts.st_mode & S_IFMT {
      case S_IFREG:
        let identity = Identity(device: UInt(truncatingIfNeeded: facts.st_dev), number: UInt(facts.st_ino))
        inputs.append(LogInput(path: path, size: Int(facts.st_size), folder: folder, identity: identity))
      case S_IFDIR: takeFolder(path, folder, depth)
      // The argument `<(zcat a.gz)` is replaced by the shell with the path of a pipe.
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

/// A path given by the user that cannot be read.
package struct LogInputProblem: Hashable, Sendable {
  package let path: String
  package let reason: LogProblem
}

/// The reason why a file could not be read completely.
package enum LogProblem: Error, Hashable, Sendable {
  /// An operating system error, given by its `errno` value.
  case cannotOpen(Int32)
  case cannotRead(Int32)
  /// The path is a device or a socket.
  case notAFile
  /// The compressed data is damaged.
  case damaged
  /// The data expands too much during decompression; see `LogOptions.Limits`.
  case expandsTooFar
  /// A zstd frame requires more than 128 MiB of memory.
  case windowTooLarge
  /// The text is encoded in UTF-16 or UTF-32.
  case wideCharacters
  /// The format is unknown; the first line is shown with letters and digits masked.
  ///
  /// - Parameters:
  ///   - tried: the format that the user specified; `nil` if all formats were tried.
  ///   - advice: the options with which the line could be read; `nil` if they are unknown.
  case unknownFormat(looksLike: String, tried: String?, advice: String?)
  /// A table in the W3C extended format lacks the `#Fields:` line with the names of its columns.
  case noFieldsLine(looksLike: String)
  /// The columns of a table have no names.
  case noColumns
  case tooManyRows
  case noMemory
}

/// The compression of a file.
package enum Compression: String, Sendable {
  case none, gzip, zstd
}

/// Facts about a file's bytes, available after the file has been read.
package struct StreamFacts: Hashable, Sendable {
  package var compression = Compression.none
  /// The number of gzip members or zstd frames.
  package var members = 0
  /// Whether the last member or frame is incomplete.
  package var isTorn = false
  /// The number of bytes at the end of the file that are neither zeros nor part of another member or frame.
  package var garbage = 0
}

/// The progress and cancellation state shared by all threads while logs are being read.
package final class LogProgress: Sendable {
  /// The number of bytes read from files on disk.
  package let bytesRead = Atomic(0)
  /// Whether reading has been cancelled. If so, reading soon ends and returns the results so far.
  package let isCancelled = Atomic(false)

  package init() {}

  func add(_ bytes: Int) { bytesRead.wrappingAdd(bytes, ordering: .relaxed) }
}
