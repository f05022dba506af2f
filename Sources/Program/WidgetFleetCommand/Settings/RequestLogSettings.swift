import FleetReports

/// The settings for the access log written by `run --requests`.
struct RequestLogSettings {
  /// The path of the log, or `-` for standard output.
  let path: String
  let format: RequestLogFormat
  /// Whether each request includes the cause of the run that sent it.
  let withProbe: Bool

  var isStandardOutput: Bool { path == "-" }

  /// The extensions of compressed formats, which are not supported for request logs.
  private static let compressed = [".gz", ".zst", ".zstd", ".bz2", ".xz"]

  /// Reads the settings; returns `nil` if `--requests` is not given.
  init?(_ values: ArgumentValues, _ command: Command, _ ranks: Ranks) throws(Failure) {
    format = values.last(.requestsAs).flatMap(RequestLogFormat.init) ?? .jsonl
    withProbe = values.has(.requestsProbe)
    guard let path = values.last(.requests) else {
      for option in [Option.requestsAs, .requestsProbe] where values.has(option) {
        throw .usage("\(option.spelling) needs --requests FILE, the file to write", command: command.name)
      }
      return nil
    }
    self.path = path
    try check(values, command)
    if ranks.isShared {
      throw .usage(
        "--requests cannot be used with MPI: it simulates the phones again in one process", command: command.name,
        hint: "run the scenario once more without mpirun, with --requests")
    }
  }

  private func check(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    if path.isEmpty { throw .usage("--requests needs a file name", command: command.name) }
    if let suffix = Self.compressed.first(where: { path.hasSuffix($0) }) {
      throw .usage(
        "--requests does not compress, so the name cannot end in \(suffix)", command: command.name,
        hint: "write --requests - and send standard output through gzip or zstd")
    }
    for option in [Option.device, .dryRun] where values.has(option) {
      throw .usage("--requests needs a simulated fleet: leave out \(option.spelling)", command: command.name)
    }
    if isStandardOutput, values.last(.format) == Settings.Format.json.rawValue {
      throw .usage("--requests - and --format json both need standard output", command: command.name)
    }
  }
}
