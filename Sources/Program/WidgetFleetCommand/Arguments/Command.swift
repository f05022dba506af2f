import Studies

/// A command of the program. The parser, the help text, the shell completions and the manual page are derived from it.
struct Command: Sendable {
  enum Action: Sendable {
    case run, validate, report, serve, compare, sweep, tune, capacity, plan, logs, calibrate, backtest
    case export, initialise, explain, schema, completions
  }

  /// The kind of operands that a command accepts; operands are the arguments that are not options.
  enum Operand: Sendable {
    case scenarioFiles
    /// Results folders or scenario files.
    case results
    case folder
    /// Access logs, or folders of access logs.
    case logs
    /// One of the given words.
    case word([String])
    /// A topic that `explain` can explain.
    case topic
    case nothing
  }

  var name: String
  var action: Action
  var summary: String
  /// The operands as shown in the help text.
  var operands: String
  var operand: Operand
  var operandCount: ClosedRange<Int>
  /// The options of this command, without `Option.everywhere`, the options shared by all commands.
  var ownOptions: [Option]
  var example: String

  /// Returns the required operands that are missing. Operands in brackets are optional.
  ///
  /// - Parameter given: the number of operands that were given.
  func requiredOperands(besides given: Int) -> String {
    operands.split(separator: " ").filter { !$0.hasPrefix("[") }.dropFirst(given).joined(separator: " ")
  }

  var options: [Option] { ownOptions + Option.everywhere }

  /// Whether the command can run on several ranks.
  var isShared: Bool { ownOptions.contains { $0.name == Option.watchdog.name } }

  /// The words accepted as the operand; empty for other kinds of operands.
  var words: [String] {
    if case .word(let words) = operand { return words }
    return []
  }

  static let all: [Command] = [
    run, validate, report, serve, export, compare, sweep, tune, capacity, plan, logs, calibrate, backtest,
    initialise, explain, schema, completions,
  ]
}

extension Command {
  private static let run = Command(
    name: "run", action: .run, summary: "simulate a fleet and write its results folder", operands: "SCENARIO",
    operand: .scenarioFiles, operandCount: 1...1,
    ownOptions: [
      .seed, .replications, .untilCI, .maxReplications, .set, .full, .firstLook, .out, .only, .junit, .dryRun,
      .noBracket, .noTrials,
      .strict, .exitZero, .timestamps, .saveConditions, .requests, .requestsAs, .requestsProbe, .replayConditions,
      .device, .resumeRun, .watchdog, .format,
    ],
    example: "widgetfleet run Scenarios/game-status.yaml -n 5 --seed 7")

  private static let validate = Command(
    name: "validate", action: .validate, summary: "check scenario files and show every problem with its location",
    operands: "FILE...", operand: .scenarioFiles, operandCount: 1...Int.max, ownOptions: [.set, .problemFormat],
    example: "widgetfleet validate Scenarios/*.yaml")

  private static let report = Command(
    name: "report", action: .report, summary: "redraw the page of a results folder from its run.bin",
    operands: "DIR", operand: .folder, operandCount: 1...1, ownOptions: [.pageFile, .figure, .pictureFormat],
    example: "widgetfleet report Reports/weather-hourly -o weather.html")

  private static let serve = Command(
    name: "serve", action: .serve, summary: "serve a local page with levers that change the answer at once",
    operands: "SCENARIO", operand: .scenarioFiles, operandCount: 1...1,
    ownOptions: [.port, .openBrowser, .seed, .replications, .set, .full, .firstLook],
    example: "widgetfleet serve Scenarios/weather-launch.yaml --open")

  private static let export = Command(
    name: "export", action: .export, summary: "turn a results folder into a load test or dashboard series",
    operands: "DIR", operand: .folder, operandCount: 1...1,
    ownOptions: [
      .exportTo, .exportPart, .exportStep, .exportFactor, .exportAt, .exportRamps, .exportURL, .exportFile,
    ],
    example: "widgetfleet export Reports/weather-hourly --to k6 --part 09:00..10:00 --factor 0.1 -o load.js")

  private static let compare = Command(
    name: "compare", action: .compare, summary: "show how a change to the scenario affects the figures",
    operands: "BASE [NEW...]", operand: .results, operandCount: 1...Int.max,
    ownOptions: [
      .with, .failOn, .minEffect, .seed, .replications, .set, .full, .fewPhones, .html, .strict, .exitZero, .watchdog,
      .comparisonFormat,
    ],
    example: "widgetfleet compare Reports/main Reports/new --fail-on 'peak_rps > +5%'")

  private static let sweep = Command(
    name: "sweep", action: .sweep, summary: "simulate a scenario with many settings and the same random draws",
    operands: "SCENARIO [DIR...]", operand: .scenarioFiles, operandCount: 1...Int.max,
    ownOptions: [
      .vary, .method, .points, .nominal, .resume, .part, .merge, .seed, .replications, .set, .full, .fewPhones,
      .sweepFolder, .exitZero, .watchdog, .format,
    ],
    example: "widgetfleet sweep weather.yaml --vary kinds.weather.jitter.up_to=0s,5min,10min")

  private static let tune = Command(
    name: "tune", action: .tune, summary: "find the cheapest setting that meets the goals",
    operands: "SCENARIO", operand: .scenarioFiles, operandCount: 1...1,
    ownOptions: [
      .minimize, .search, .maxRuns, .nominal, .seed, .replications, .set, .full, .fewPhones, .tuneFolder, .watchdog,
      .format,
    ],
    example: "widgetfleet tune Scenarios/weather-tune.yaml --max-runs 60")

  private static let capacity = Command(
    name: "capacity", action: .capacity, summary: "find how many phones the goals allow, and what capacity they need",
    operands: "SCENARIO", operand: .scenarioFiles, operandCount: 1...1,
    ownOptions: [.nominal, .seed, .replicationsOfCapacity, .set, .full, .fewPhones, .format],
    example: "widgetfleet capacity Scenarios/market-open-overload.yaml")

  private static let plan = Command(
    name: "plan", action: .plan, summary: "find when a growing fleet runs out of capacity, and what it costs",
    operands: "PLAN", operand: .scenarioFiles, operandCount: 1...1,
    ownOptions: [
      .varyOfPlan, .nominal, .seed, .replications, .set, .fewPhones, .planFolder, .exitZero, .format,
    ],
    example: "widgetfleet plan Scenarios/plans/news-year.yaml")

  /// The options for reading logs, which mean the same in every command.
  static let reading: [Option] = [
    .logsAs, .pattern, .id, .widget, .endpoint, .map, .stamp, .stamps, .damaged, .yesIP, .showRare, .keyFile,
  ]

  private static let logs = Command(
    name: "logs", action: .logs, summary: "summarize access logs and list their defects",
    operands: "FILE...", operand: .logs, operandCount: 1...Int.max,
    ownOptions: reading + [.format],
    example: "widgetfleet logs access.log.*.gz --id query.install")

  private static let calibrate = Command(
    name: "calibrate", action: .calibrate, summary: "compare a scenario with access logs and write the estimates",
    operands: "SCENARIO", operand: .scenarioFiles, operandCount: 1...1,
    ownOptions: [.log, .telemetry] + reading + [
      .days, .sampled, .fit, .maxMinutes, .fix, .forecast, .noSimulation, .force, .seed, .set, .calibrationFolder,
      .format,
    ],
    example: "widgetfleet calibrate weather.yaml --log access.log.gz --id query.install")

  private static let backtest = Command(
    name: "backtest", action: .backtest,
    summary: "forecast days of access logs from earlier days, and score the forecast",
    operands: "SCENARIO", operand: .scenarioFiles, operandCount: 1...1,
    ownOptions: [.log, .train, .test, .change] + reading + [
      .sampled, .fit, .maxMinutes, .fix, .seed, .set, .backtestFolder, .format,
    ],
    example: "widgetfleet backtest weather.yaml --log access.log.gz --id query.install --train 1-7")

  private static let initialise = Command(
    name: "init", action: .initialise,
    summary: "write a commented scenario: a starter, or one built from the options or from access logs",
    operands: "[" + Starter.words.joined(separator: "|") + "]",
    operand: .word(Starter.words), operandCount: 0...1,
    ownOptions: Question.Part.allCases.map(\.option) + [.fromLog] + reading + [.starterFile],
    example: "widgetfleet init --devices 3M --after 30min --capacity 2500/s -o news.yaml")

  private static let explain = Command(
    name: "explain", action: .explain,
    summary: "explain a name, or the causes of a report's figure and what lowers it",
    operands: "NAME|DIR [\(FigureQuestion.allCases.map(\.rawValue).joined(separator: "|"))]",
    operand: .topic, operandCount: 1...2, ownOptions: [.format],
    example: "widgetfleet explain Reports/weather-hourly peak")

  private static let schema = Command(
    name: "schema", action: .schema, summary: "write a JSON Schema (draft-07) to stdout, for editors", operands: "",
    operand: .nothing, operandCount: 0...0, ownOptions: [.kind],
    example: "widgetfleet schema > widgetfleet.schema.json")

  private static let completions = Command(
    name: "completions", action: .completions, summary: "write shell completions to stdout",
    operands: Shell.allCases.map(\.rawValue).joined(separator: "|"),
    operand: .word(Shell.allCases.map(\.rawValue)), operandCount: 1...1, ownOptions: [.paths],
    example: "source <(widgetfleet completions bash)")
}
