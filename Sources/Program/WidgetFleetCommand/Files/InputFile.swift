import FleetReports
import Platform
import ScenarioFiles

/// Functions that read input files as bytes, and reject endless and oversized files.
enum InputFile {
  /// The maximum size of a scenario in bytes.
  static let limit = 4_000_000

  /// The maximum size of a profile in bytes.
  static let profileLimit = 1_000_000

  /// Reads the content of a file.
  ///
  /// - Parameters:
  /// - path: the file path, or `-` for standard input.
  /// - head: the bytes that the file must start with. If it starts with different bytes, the rest is not read.
  static func read(
    _ path: String, limit: Int = limit, kind: String = "scenario", head: String = ""
  ) throws(Failure) -> [UInt8] {
    guard path != "-" else {
      var status = stat()
      if fstat(STDIN_FILENO, &status) == 0 { FileIdentity(status).noteInput() }
      return try bytes(of: Descriptor(number: STDIN_FILENO), path: "standard input", limit, kind)
    }
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      throw errno == ENXIO ? unsuitable(path, "is not a file") : .cannotRead(path: path, errno: errno)
    }
    defer { close(number) }
    try check(number, path, limit, kind)
    var beginning = Array(repeating: UInt8(0), count: head.utf8.count)
    let count = pread(number, &beginning, beginning.count, 0)
    // Any error that occurs here recurs below, where it is reported.
    if count >= 0, beginning[..<count] != Array(head.utf8)[...] { return Array(beginning[..<count]) }
    return try bytes(of: Descriptor(number: number), path: path, limit, kind)
  }

  /// Returns the name of a scenario file for use in messages.
  static func shownName(_ path: String) -> String { path == "-" ? "<stdin>" : path }

  /// Returns access to the files and providers that a scenario names. Paths are relative to the scenario's folder.
  ///
  /// - Parameter scenario: the path of the scenario. If it is `-`, paths are relative to the working directory.
  static func named(besides scenario: String) -> NamedFiles {
    let folder = scenario.lastIndex(of: "/").map { String(scenario[...$0]) } ?? ""
    return NamedFiles(providers: ProgramProviders.table) { path in
      let isRelative = !path.hasPrefix("/") && scenario != "-"
      do throws(Failure) {
        guard path != "-" else { throw unsuitable(path, "is standard input, not a profile") }
        return .success(try read(isRelative ? folder + path : path, limit: profileLimit, kind: "profile"))
      } catch { return .failure(NamedFiles.Refusal(reason: error.reason)) }
    }
  }

  /// Returns the SHA-256 hash of a file of any size, in hexadecimal.
  static func hash(_ path: String, kind: String) throws(Failure) -> String {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else { throw .cannotRead(path: path, errno: errno) }
    defer { close(number) }
    try check(number, path, Int.max, kind)
    var hash = SHA256()
    while true {
      try Interruption.check()
      switch Descriptor(number: number).read(atMost: 1 << 20) {
      case .success(let bytes):
        if bytes.isEmpty { return hash.hexadecimal }
        hash.add(bytes)
      case .failure(let error):
        try Interruption.check()
        throw .cannotRead(path: path, errno: error.number)
      }
    }
  }

  private static func check(_ number: Int32, _ path: String, _ limit: Int, _ kind: String) throws(Failure) {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .cannotRead(path: path, errno: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      if status.st_size > limit { throw tooLarge(path, limit, kind) }
      FileIdentity(status).noteInput()
    case S_IFDIR: throw unsuitable(path, "is a directory, not a \(kind)")
    case S_IFIFO: throw unsuitable(path, "is a pipe, not a \(kind); '-' reads standard input")
    default: throw unsuitable(path, "is not a file")
    }
  }

  private static func bytes(
    of file: Descriptor, path: String, _ limit: Int, _ kind: String
  ) throws(Failure) -> [UInt8] {
    switch file.read(atMost: limit + 1) {
    case .success(let bytes):
      if bytes.count > limit { throw tooLarge(path, limit, kind) }
      return bytes
    case .failure(let error):
      try Interruption.check()
      throw .cannotRead(path: path, errno: error.number)
    }
  }

  private static func tooLarge(_ path: String, _ limit: Int, _ kind: String) -> Failure {
    unsuitable(path, "is larger than \(limit / 1_000_000) MB, too large for a \(kind)")
  }

  private static func unsuitable(_ path: String, _ reason: String) -> Failure {
    .unsuitableInput(path: path, reason: reason)
  }
}
