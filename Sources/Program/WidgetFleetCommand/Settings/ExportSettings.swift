import FleetReports
import Studies

/// The settings for `export`.
struct ExportSettings {
  let target: ExportTarget
  /// The part of the measured period, as specified by the user; `nil` for the whole period.
  let part: String?
  /// The step, as specified by the user; `nil` for the default step.
  let step: String?
  let factor: LoadFactor
  /// Whether a load test reproduces the load at the servers, if it differs from the requests of the phones.
  let atServers: Bool
  /// Whether rates change linearly between steps.
  let isRamped: Bool
  /// The base URL for the requests, without a trailing slash.
  let base: String

  init?(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    guard command.action == .export else { return nil }
    guard let target = values.last(.exportTo).flatMap(ExportTarget.init) else {
      throw .usage(
        "--to is missing: the format to export", command: command.name,
        hint: "write --to \(ExportTarget.allCases.map(\.rawValue).joined(separator: ", --to "))")
    }
    self.target = target
    part = values.last(.exportPart)
    step = values.last(.exportStep)
    isRamped = values.has(.exportRamps)
    atServers = values.last(.exportAt) == "servers"
    factor = try Self.factor(values.last(.exportFactor), command)
    base = try Self.base(values.last(.exportURL), command)
    let ofLoadTests: [Option] = [.exportFactor, .exportAt, .exportRamps, .exportURL]
    if !target.isLoadTest, let option = ofLoadTests.first(where: { values.has($0) }) {
      throw .usage(
        "\(option.spelling) is for load tests: \(target.rawValue) contains the load as simulated",
        command: command.name, hint: "write --to k6 or --to locust, or leave it out")
    }
  }

  private static func factor(_ text: String?, _ command: Command) throws(Failure) -> LoadFactor {
    guard let text else { return .one }
    guard let factor = LoadFactor(text) else {
      throw .usage(
        "--factor must be a number from 0.000001 to 1000 with up to six decimals, not '\(text.printable)'",
        command: command.name, hint: "write --factor 0.1 for a tenth of the load")
    }
    return factor
  }

  /// Returns a base URL that needs no escaping in scripts.
  private static func base(_ text: String?, _ command: Command) throws(Failure) -> String {
    guard let text else { return "http://localhost:8080" }
    let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
    let rest = text.dropFirst(scheme?.count ?? 0)
    let isPlain = rest.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
        || "-._~:/%[]@".utf8.contains(byte)
    }
    guard scheme != nil, isPlain, let first = rest.first, first != "/", text.count <= 2_000 else {
      throw .usage(
        "--url must be a base URL such as http://localhost:8080, without a query, not '\(text.printable)'",
        command: command.name, hint: "write --url http://localhost:8080")
    }
    return text.last == "/" ? String(text.dropLast()) : text
  }
}

extension Option {
  static let exportTo = Option(
    "to", .choice(ExportTarget.allCases.map(\.rawValue)), "load test, or time series with a dashboard")
  static let exportPart = Option(
    "part", .text("FROM..TO"),
    "part of the measured period: 09:00..10:00 (UTC), 2h..3h (from its start), or instants (all of it)")
  static let exportStep = Option(
    "step", .text("SPAN"), "how often rates change (1min; longer for more than a day)")
  static let exportFactor = Option("factor", .text("NUMBER"), "multiply the load: --factor 0.1 (1)")
  static let exportAt = Option(
    "at", .choice(["phones", "servers"]),
    "load sent by phones, or load at the servers, after CDN and limits, including base_load (phones)")
  static let exportRamps = Option(
    "ramps", .none, "ramp rates linearly between steps")
  static let exportURL = Option(
    "url", .text("BASE"), "base URL for requests; the endpoint's name is the path (http://localhost:8080)")
  static let exportFile = Option("out", letter: "o", .file("FILE"), "file to write (stdout)")
}
