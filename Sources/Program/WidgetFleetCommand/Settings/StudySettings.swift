import Scenario
import ScenarioFiles
import Studies

/// The arguments of commands that simulate a scenario several times.
struct StudySettings {
  /// The changes to BASE given with `compare --with`, which produce NEW; empty if NEW is an operand.
  var with: [Assignment]
  /// The conditions given with `compare --fail-on`.
  var failOn: [String]
  /// The minimum relative change that `compare` reports; `nil` for the default.
  var minEffect: Double?
  /// The file written by `compare --html`.
  var page: String?
  /// The maximum interval half-width for `run --until-ci`, relative to the value; `nil` for a fixed number of
  /// replications.
  var precision: Double?
  /// The maximum number of replications for `--until-ci`.
  var maxReplications: Int
  /// The options for `sweep`.
  var sweep: SweepOptions
  /// The options for `tune`, which override those in the file.
  var tune: TuneOptions
  /// The maximum number of simulations for `tune`; `nil` for the default.
  var maxRuns: Int?
  /// The basis on which `sweep` and `tune` evaluate goals.
  var judging: Judging
  /// Whether `sweep` resumes an earlier sweep.
  var resumes: Bool
  /// The part of the settings to simulate with `sweep`; `nil` for all settings.
  var part: SweepPart?
  /// Whether `sweep` merges completed parts.
  var merges: Bool

  init(_ values: ArgumentValues, _ command: Command) throws(Failure) {
    with = values.all(.with).map { Assignment(text: $0, origin: Option.with.spelling) }
    failOn = values.all(.failOn)
    tune = TuneOptions(minimize: values.last(.minimize), search: values.all(.search))
    page = values.last(.html)
    if page?.isEmpty == true { throw .usage("--html needs a file name", command: command.name) }
    let points = try Settings.number(values.last(.points), Option.points.spelling, command, 1...10_000)
    sweep = SweepOptions(
      vary: values.all(.vary), method: values.last(.method).flatMap(SweepMethod.init), points: points.map { Int($0) })
    maxRuns = try Settings.number(values.last(.maxRuns), Option.maxRuns.spelling, command, 1...100_000).map { Int($0) }
    judging = values.has(.nominal) ? .nominal : .bracket
    resumes = values.has(.resume)
    // The option `--part` has a different meaning for `export`.
    part = try Self.part(command.action == .sweep ? values.last(.part) : nil, command)
    merges = values.has(.merge)
    precision = try Self.share(values.last(.untilCI), .untilCI, command)
    maxReplications =
      try Settings.number(values.last(.maxReplications), Option.maxReplications.spelling, command, 5...10_000)
      .map { Int($0) } ?? 100
    if precision == 0 { throw .usage("--until-ci needs a share above 0%", command: command.name) }
    if values.has(.maxReplications), precision == nil {
      throw .usage("--max-replications needs --until-ci", command: command.name)
    }
    minEffect = try Self.share(values.last(.minEffect), .minEffect, command)
    if command.action == .sweep { try checkParts(values.operands, command) }
    if command.action == .compare { try checkSides(values.operands, command) }
  }

  /// Rejects a comparison in which NEW is missing or specified twice.
  private func checkSides(_ operands: [String], _ command: Command) throws(Failure) {
    if with.isEmpty, operands.count < 2 {
      throw .usage(
        "NEW is missing", command: command.name,
        hint: "--with PATH=VALUE compares '\(operands[0].printable)' with a changed copy of itself")
    }
    if !with.isEmpty, operands.count > 1 {
      throw .usage(
        "--with makes NEW from BASE: it cannot be combined with '\(operands[1].printable)'", command: command.name,
        hint: "leave NEW out, or change the scenario files of both sides with --set")
    }
    if !with.isEmpty, operands == ["-"] {
      throw .usage("--with reads the scenario twice, but standard input can be read only once", command: command.name)
    }
  }

  /// Rejects options that cannot be combined with parts of a sweep.
  private func checkParts(_ operands: [String], _ command: Command) throws(Failure) {
    if merges, part != nil {
      throw .usage("--part simulates a part and --merge simulates nothing: use one of them", command: command.name)
    }
    if merges, resumes {
      throw .usage("--merge simulates nothing, so there is nothing to --resume", command: command.name)
    }
    if merges, operands.count < 2 {
      throw .usage(
        "--merge needs the folders of the parts after the scenario", command: command.name,
        hint: "write widgetfleet sweep SCENARIO --merge parts/*")
    }
    if !merges, operands.count > 1 {
      throw .usage(
        "unexpected argument '\(operands[1].printable)'", command: command.name,
        hint: "--merge makes a sweep from the folders of its parts")
    }
  }

  /// Parses a part of a sweep; returns `nil` if no text is given.
  private static func part(_ text: String?, _ command: Command) throws(Failure) -> SweepPart? {
    guard let text else { return nil }
    if let part = SweepPart(text) { return part }
    throw .usage(
      "\(Option.part.spelling) must be I/N with I from 1 to N and N up to \(SweepPart.maximum), as in 3/20, not "
        + "'\(text.printable)'", command: command.name)
  }

  /// Parses a percentage and returns it as a fraction; returns `nil` if no text is given.
  static func share(_ text: String?, _ option: Option, _ command: Command) throws(Failure) -> Double? {
    guard let text else { return nil }
    let digits = text.dropLast()
    let isPlain = digits.first?.isNumber == true && digits.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
    guard text.last == "%", isPlain, let percent = Double(digits), percent <= 100 else {
      throw .usage(
        "\(option.spelling) must be a percentage from 0% to 100%, not '\(text.printable)'", command: command.name,
        hint: text.last == "%" ? nil : "write \(option.spelling) 2%")
    }
    return percent / 100
  }
}
