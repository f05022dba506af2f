import Foundation
import Testing

/// The command as a child process, in a separate folder.
struct Child {
  /// A folder with `small.yaml`, `tune.yaml` and `access.log`, for a single test.
  let folder: URL

  struct Outcome {
    var status: Int32
    var output: String
    var error: String
  }

  init() throws {
    let name = "widgetfleet-tests-" + UUID().uuidString
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(Child.scenario(), to: "small.yaml")
    try write(Child.scenario(extra: Child.tune), to: "tune.yaml")
    try write(Child.log, to: "access.log")
  }

  /// A one-minute access log.
  static let log = (10..<60).map { second in
    "{\"arrival\":\"2027-01-18T00:00:\(second)Z\",\"path\":\"/api\",\"status\":200,\"duration\":0.06}\n"
  }.joined()

  /// The search for the longest wait that leaves 60 requests.
  static let tune = """
    goals: [{id: enough, assert: requests >= 60}]
    tune: {minimize: requests, search: {kinds.weather.reload.after: [15min, 30min, 2h]}}
    """

  func remove() { try? FileManager.default.removeItem(at: folder) }

  static var executable: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("widgetfleet")
  }

  /// Returns a one-hour scenario.
  static func scenario(name: String = "small", devices: Int = 40, extra: String = "") -> String {
    """
    schema: widgetfleet/v1
    name: \(name)
    clock: {start: 2027-01-18T00:00:00Z, warmup: 0s, duration: 1h}
    kinds:
      weather:
        reload: {after: 15min}
        requests: [{endpoint: api, up: 1kB, down: 20kB}]
    fleet:
      devices: \(devices)
      cohorts:
        - name: all
          zones: {Europe/Berlin: 100%}
          person: {unlocks_per_day: 0, glances_per_unlock: 0}
          network: wifi
          power: mains
          widgets: [{kind: weather}]
    os: {idle: {after: 2h, give_up: 0s}}
    \(extra)

    """
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path(name))) }

  func read(_ name: String) -> String { (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? "" }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

  func names(in name: String = ".") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }

  /// Runs the command until it ends.
  func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = "", output: String? = nil
  ) throws -> Outcome {
    let process = try start(arguments, environment: environment, input: input, output: output)
    process.waitUntilExit()
    return outcome(of: process)
  }

  /// Starts the command with its streams connected to files next to the scenario.
  func start(
    _ arguments: [String], environment: [String: String] = [:], input: String = "", output: String? = nil,
    executable: URL = Child.executable
  ) throws -> Process {
    try write(input, to: "stdin.txt")
    for name in ["stdout.txt", "stderr.txt"] { try write("", to: name) }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ["SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
    process.standardInput = FileHandle(forReadingAtPath: path("stdin.txt"))
    process.standardOutput = FileHandle(forWritingAtPath: output ?? path("stdout.txt"))
    process.standardError = FileHandle(forWritingAtPath: path("stderr.txt"))
    try process.run()
    return process
  }

  /// Waits until a condition is true or a process has ended, however slow the machine is.
  func wait(for process: Process, until isTrue: () -> Bool) {
    while process.isRunning, !isTrue() { usleep(2_000) }
  }

  /// Waits until a process handles signals.
  func waitUntilHearing(_ process: Process) {
    #if os(Linux)
      wait(for: process) {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let caught = line.flatMap { UInt64($0.dropFirst(7).drop { $0.isWhitespace }, radix: 16) } ?? 0
        return caught >> (UInt64(SIGTERM) - 1) & 1 == 1
      }
    #else
      sleep(1)
    #endif
  }

  /// Returns the processor seconds used by a running process; 0 if the system does not show them.
  func processorSeconds(of process: Process) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
    // The name, in parentheses, may contain blanks; after it, the times are fields 12 and 13, in hundredths of a
    // second.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? fields[11...12].reduce(0) { $0 + (Double($1) ?? 0) } / 100 : 0
  }

  /// Returns the names in a results folder after another run there, which removes the leftovers of earlier ones.
  func namesAfterAnotherRun() throws -> [String] {
    let outcome = try run(["run", "small.yaml", "-q", "--no-bracket", "--no-trials", "-o", "Reports/another"])
    return outcome.status == 0 ? names(in: "Reports").filter { $0 != "another" } : [outcome.error]
  }

  /// Returns the result of a process that has ended; a signal counts as 128 plus its number, as in shells.
  func outcome(of process: Process) -> Outcome {
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Outcome(status: status, output: read("stdout.txt"), error: read("stderr.txt"))
  }
}
