import FleetReports
import Scenario
import ScenarioFiles

/// The arguments of a command as typed values, taking environment variables and flags into account.
struct Settings {
  enum Format: String {
    case human, markdown, json, github
  }

  enum ProgressStyle: String {
    case auto, bar, plain, none
  }

  enum Color: String {
    case auto, always, never
  }

  enum SchemaKind: String {
    case scenario, plan, summary
  }

  private let values: ArgumentValues
  /// The ranks that run the command.
  let ranks: Ranks
  /// The number of seconds without a heartbeat after which a rank exits; 0 means never.
  let watchdog: Double
  /// The values that override those in the file. They are given by environment variables, `--set`, `--seed` and `-n`,
  /// in increasing order of precedence.
  let assignments: [Assignment]
  /// The output path: a folder or, for `report`, a file. The value `nil` means Reports/<scenario name>, or report.html
  /// in the folder.
  let out: String?
  /// The number of threads; `nil` for one thread per processor.
  let jobs: Int?
  let color: Color
  /// The files to write to the results folder.
  let files: [ReportFile]
  /// The device whose day is printed; `nil` to simulate the whole fleet.
  let device: DeviceChoice?
  let study: StudySettings
  let logs: LogSettings
  /// The values from which `init` creates a scenario.
  let question: Question
  /// The access log settings; `nil` if no log is written.
  let requests: RequestLogSettings?
  /// The `export` settings; `nil` for other commands.
  let export: ExportSettings?
  /// The settings for a single figure of `report`; `nil` to create the whole page.
  let figure: FigureSettings?
  /// The port of `serve`; `nil` for the standard port.
  let port: UInt16?

  init(
    _ values: ArgumentValues, of command: Command, environment: Environment, ranks: Ranks = .alone
  ) throws(Failure) {
    self.values = values
    self.ranks = ranks
    watchdog = try Self.seconds(values.last(.watchdog), .watchdog, command) ?? Heartbeat.patience
    assignments = try Self.assignments(values, command, environment)
    out = values.last(.out) ?? ([.run, .sweep, .tune].contains(command.action) ? environment.out : nil)
    let threads = try Self.number(values.last(.jobs), Option.jobs.spelling, command, 1...1_024)
    let ambientThreads = try Self.number(environment.jobs, "WIDGETFLEET_JOBS", command, 1...1_024)
    jobs = (threads ?? ambientThreads).map(Int.init)
    color = try Self.color(values.last(.color), environment, command)
    files = try FileSelection.files(command.action == .run ? values.last(.only) : nil)
    device = try DeviceChoice.read(values.last(.device), command)
    study = try StudySettings(values, command)
    logs = try LogSettings(values, command)
    question = try Question(values, command)
    requests = try RequestLogSettings(values, command, ranks)
    export = try ExportSettings(values, command)
    figure = try FigureSettings(values, command)
    port = try Self.number(values.last(.port), Option.port.spelling, command, 0...65_535).map { UInt16($0) }
    try check(command)
  }

  var operands: [String] { values.operands }
  /// The path of the scenario in messages; the name of the command if it has none.
  var scenarioPath: String { operands.first ?? "init" }
  var format: Format { values.last(.format).flatMap(Format.init) ?? .human }
  var progress: ProgressStyle { values.last(.progress).flatMap(ProgressStyle.init) ?? .auto }
  var isASCII: Bool { values.has(.ascii) }
  var isQuiet: Bool { values.has(.quiet) }
  var isVerbose: Bool { values.has(.verbose) && !isQuiet }
  /// Whether the scenario is also simulated under the presets `prompt` and `lazy`.
  var hasBracket: Bool { !values.has(.noBracket) }
  var isStrict: Bool { values.has(.strict) }
  var exitsWithZero: Bool { values.has(.exitZero) }
  /// Whether load.csv and causes.csv also contain times in ISO 8601 format.
  var hasTimestamps: Bool { values.has(.timestamps) }
  var savesConditions: Bool { values.has(.saveConditions) }
  /// Whether to print the resolved scenario instead of simulating it.
  var opensBrowser: Bool { values.has(.openBrowser) }
  var isDryRun: Bool { values.has(.dryRun) }
  var junitPath: String? { values.last(.junit) }
  /// The path of the scenario whose key paths are listed; empty to list only paths without names.
  var pathsOf: String? { values.last(.paths) }
  var conditionsPath: String? { values.last(.replayConditions) }
  /// Whether the user requested a quick preview with few phones (`--quick`).
  var isFirstLook: Bool { values.has(.firstLook) }
  var schemaKind: SchemaKind { values.last(.kind).flatMap(SchemaKind.init) ?? .scenario }

  /// Returns whether to run trials: one without outages, and others that apply the advice in findings. Trials are
  /// omitted with `--quick`, or if no file that shows them is written.
  func makesTrials(of scenario: Scenario) -> Bool {
    scenario.run.simulate != .quick && !values.has(.firstLook) && !values.has(.noTrials)
      && files.contains { [.page, .run, .echo, .trials].contains($0) }
  }

  var threads: Int { jobs ?? Processors.count(forRanks: ranks.localSize) }

  /// Rejects empty names and conflicting options.
  private func check(_ command: Command) throws(Failure) {
    if conditionsPath != nil, device == nil {
      throw .usage("--replay-conditions needs --device N, the device to print", command: command.name)
    }
    if conditionsPath != nil, device == .worst || device == .median {
      throw .usage(
        "--device worst and median simulate the fleet themselves: leave out --replay-conditions", command: command.name)
    }
    if out?.isEmpty == true {
      let isFile = [.report, .export, .initialise].contains(command.action)
      throw .usage("--out needs a \(isFile ? "file" : "folder") name", command: command.name)
    }
    if junitPath?.isEmpty == true { throw .usage("--junit needs a file name", command: command.name) }
    if device != nil, junitPath != nil || isDryRun {
      throw .usage("--device cannot be combined with --junit or --dry-run", command: command.name)
    }
    if values.has(.full), values.has(.firstLook) {
      throw .usage("--full simulates all phones and --quick only a few: use one of them", command: command.name)
    }
    if isDryRun, junitPath != nil { throw .usage("--dry-run judges no goals: omit --junit", command: command.name) }
  }

  private static func assignments(
    _ values: ArgumentValues, _ command: Command, _ environment: Environment
  ) throws(Failure) -> [Assignment] {
    let ambient = try number(environment.seed, Environment.seedName, command, 0...UInt64.max)
    let seed = try number(values.last(.seed), Option.seed.spelling, command, 0...UInt64.max)
    let replications = try number(values.last(.replications), Option.replications.spelling, command, 1...1_000_000)
    return (ambient.map { [Assignment(text: "run.seed=\($0)", origin: Environment.seedName)] } ?? [])
      + values.all(.set).map { Assignment(text: $0, origin: "--set") }
      + (values.has(.full) ? [Assignment(text: "run.simulate=all", origin: Option.full.spelling)] : [])
      + (values.has(.firstLook)
        ? [Assignment(text: "run.simulate=quick", origin: Option.firstLook.spelling)] : [])
      + (seed.map { [Assignment(text: "run.seed=\($0)", origin: "--seed")] } ?? [])
      + (replications.map { [Assignment(text: "run.replications=\($0)", origin: "--replications")] } ?? [])
  }

  private static func color(_ flag: String?, _ environment: Environment, _ command: Command) throws(Failure) -> Color {
    if let flag = flag.flatMap(Color.init) { return flag }
    if let ambient = environment.color {
      guard let color = Color(rawValue: ambient) else {
        throw .usage(
          "WIDGETFLEET_COLOR must be one of auto, always, never, not '\(ambient.printable)'", command: command.name)
      }
      if color != .auto { return color }
    }
    return environment.refusesColor || environment.isDumbTerminal ? .never : .auto
  }

  /// Parses a duration and returns it in seconds; returns `nil` if no text is given.
  private static func seconds(_ text: String?, _ option: Option, _ command: Command) throws(Failure) -> Double? {
    guard let text else { return nil }
    let units = ["s": 1.0, "min": 60, "h": 3_600]
    let digits = text.prefix { $0.isNumber }
    guard let number = Double(digits), number <= 1e6, let unit = units[String(text.dropFirst(digits.count))] else {
      throw .usage(
        "\(option.spelling) must be a time such as 120s, 5min or 0s, not '\(text.printable)'", command: command.name)
    }
    return number * unit
  }

  /// Parses a whole number in decimal notation; returns `nil` if no text is given.
  static func number(
    _ text: String?, _ name: String, _ command: Command, _ range: ClosedRange<UInt64>
  ) throws(Failure) -> UInt64? {
    guard let text else { return nil }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isPlain, let value = UInt64(text), range.contains(value) else {
      let limits = "from \(range.lowerBound) to \(range.upperBound)"
      throw .usage("\(name) must be a whole number \(limits), not '\(text.printable)'", command: command.name)
    }
    return value
  }
}

/// A value for the scenario from the command line or the environment.
struct Assignment: Sendable {
  /// The assignment as PATH=VALUE.
  var text: String
  /// The option or variable that provides the value: `--set`, `--seed` or `WIDGETFLEET_SEED`.
  var origin: String

  /// The assignment in the form accepted by scenario readers.
  var argument: SetArgument { SetArgument(text, option: origin) }
}
