import FleetReports
import Scenario

/// The arguments of a command with their types, after environment and flags have had their say.
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
    case scenario, summary
  }

  var operands: [String]
  /// In rising precedence: environment, --set, --seed and -n.
  var assignments: [Assignment]
  /// A folder, of `report` a file; nil: Reports/<scenario name>, or report.html in the folder.
  var out: String?
  /// nil: as many as processors.
  var jobs: Int?
  var format: Format
  var progress: ProgressStyle
  var color: Color
  var isASCII: Bool
  var isQuiet: Bool
  var isVerbose: Bool
  /// Whether the scenario also runs under the presets prompt and lazy.
  var hasBracket: Bool
  /// Whether outages are left out on the same draws, and what findings advise is tried.
  var hasTrials: Bool
  var isStrict: Bool
  var exitsWithZero: Bool
  var savesConditions: Bool
  /// Whether the resolved scenario is printed, and nothing simulated.
  var isDryRun: Bool
  /// The files that the results folder gets.
  var files: [ReportFile]
  var junitPath: String?
  var schemaKind: SchemaKind
  /// The device whose day is printed; nil: the fleet is simulated.
  var device: Int?
  var conditionsPath: String?
  var study: StudySettings
  var bench: BenchSettings

  init(_ values: ArgumentValues, of command: Command, environment: Environment) throws(Failure) {
    operands = values.operands
    assignments = try Self.assignments(values, command, environment)
    out = values.last(.out) ?? ([.run, .sweep, .tune, .tradeoff].contains(command.action) ? environment.out : nil)
    let threads = try Self.number(values.last(.jobs), Option.jobs.spelling, command, 1...1_024)
    let ambientThreads = try Self.number(environment.jobs, "WIDGETFLEET_JOBS", command, 1...1_024)
    jobs = (threads ?? ambientThreads).map(Int.init)
    format = values.last(.format).flatMap(Format.init) ?? .human
    progress = values.last(.progress).flatMap(ProgressStyle.init) ?? .auto
    color = try Self.color(values.last(.color), environment, command)
    isASCII = values.has(.ascii)
    isQuiet = values.has(.quiet)
    isVerbose = values.has(.verbose) && !isQuiet
    hasBracket = !values.has(.noBracket)
    hasTrials = !values.has(.noTrials)
    isStrict = values.has(.strict)
    exitsWithZero = values.has(.exitZero)
    savesConditions = values.has(.saveConditions)
    isDryRun = values.has(.dryRun)
    files = try FileSelection.files(command.action == .run ? values.last(.only) : nil)
    junitPath = values.last(.junit)
    schemaKind = values.last(.kind).flatMap(SchemaKind.init) ?? .scenario
    device = try Self.number(values.last(.device), Option.device.spelling, command, 0...1_000_000_000).map { Int($0) }
    conditionsPath = values.last(.replayConditions)
    study = try StudySettings(values, command)
    bench = try BenchSettings(values, command)
    try check(command)
  }

  /// Whether anything is tried at all: only what some file shows.
  var makesTrials: Bool { hasTrials && files.contains { [.page, .echo, .trials].contains($0) } }

  var threads: Int { jobs ?? Processors.count }

  func folder(for scenario: Scenario) -> String { out ?? "Reports/" + scenario.name }

  /// Refuses options that do not go together, and empty names.
  private func check(_ command: Command) throws(Failure) {
    if conditionsPath != nil, device == nil {
      throw .usage("--replay-conditions needs --device N: whose day to print", command: command.name)
    }
    if out?.isEmpty == true {
      throw .usage("--out needs the name of a \(command.action == .report ? "file" : "folder")", command: command.name)
    }
    if junitPath?.isEmpty == true { throw .usage("--junit needs the name of a file", command: command.name) }
    if device != nil, junitPath != nil || isDryRun {
      throw .usage("--device goes with neither --junit nor --dry-run", command: command.name)
    }
    if isDryRun, junitPath != nil { throw .usage("--dry-run judges no goals: no --junit", command: command.name) }
  }

  private static func assignments(
    _ values: ArgumentValues, _ command: Command, _ environment: Environment
  ) throws(Failure) -> [Assignment] {
    let ambient = try number(environment.seed, "WIDGETFLEET_SEED", command, 0...UInt64.max)
    let seed = try number(values.last(.seed), Option.seed.spelling, command, 0...UInt64.max)
    let replications = try number(values.last(.replications), Option.replications.spelling, command, 1...1_000_000)
    return (ambient.map { [Assignment(text: "run.seed=\($0)", origin: "WIDGETFLEET_SEED")] } ?? [])
      + values.all(.set).map { Assignment(text: $0, origin: "--set") }
      + (seed.map { [Assignment(text: "run.seed=\($0)", origin: "--seed")] } ?? [])
      + (replications.map { [Assignment(text: "run.replications=\($0)", origin: "--replications")] } ?? [])
  }

  private static func color(_ flag: String?, _ environment: Environment, _ command: Command) throws(Failure) -> Color {
    if let flag = flag.flatMap(Color.init) { return flag }
    if let ambient = environment.color {
      guard let color = Color(rawValue: ambient) else {
        throw .usage(
          "WIDGETFLEET_COLOR is one of auto, always, never, not '\(ambient.printable)'", command: command.name)
      }
      if color != .auto { return color }
    }
    return environment.refusesColor || environment.isDumbTerminal ? .never : .auto
  }

  /// A whole number in decimal digits; nil when not given.
  static func number(
    _ text: String?, _ name: String, _ command: Command, _ range: ClosedRange<UInt64>
  ) throws(Failure) -> UInt64? {
    guard let text else { return nil }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isPlain, let value = UInt64(text), range.contains(value) else {
      let limits = "from \(range.lowerBound) to \(range.upperBound)"
      throw .usage("\(name) is a whole number \(limits), not '\(text.printable)'", command: command.name)
    }
    return value
  }
}
