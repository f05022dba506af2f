/// A command as the parser and --help know it: one value, from which everything about its arguments comes.
struct Command: Sendable {
  enum Action: Sendable {
    case run, validate, report, compare
  }

  var name: String
  var action: Action
  var summary: String
  /// The arguments that are no options, as the help shows them.
  var operands: String
  var operandCount: ClosedRange<Int>
  /// Its own options; `Option.everywhere` come with every command.
  var ownOptions: [Option]
  /// Options of PRODUCT.md that a later version brings.
  var laterOptions: [String]
  var example: String

  /// An option of its own stands in place of one of the same name that every command has.
  var options: [Option] {
    ownOptions + Option.everywhere.filter { option in !ownOptions.contains { $0.name == option.name } }
  }

  static let all: [Command] = [
    Command(
      name: "run", action: .run, summary: "simulate a fleet and write its results folder", operands: "SCENARIO",
      operandCount: 1...1,
      ownOptions: [
        .seed, .replications, .untilCI, .maxReplications, .set, .out, .noBracket, .strict, .exitZero, .saveConditions,
        .replayConditions, .device,
      ],
      laterOptions: ["only", "dry-run", "ascii"],
      example: "widgetfleet run Scenarios/game-status.yaml -n 5 --set kinds.game-status.reload.after=30min"),
    Command(
      name: "validate", action: .validate, summary: "check scenario files and show every problem with its place",
      operands: "FILE...", operandCount: 1...Int.max, ownOptions: [], laterOptions: ["ascii"],
      example: "widgetfleet validate Scenarios/*.yaml"),
    Command(
      name: "report", action: .report, summary: "draw the page of a results folder again from its files",
      operands: "DIR", operandCount: 1...1, ownOptions: [.pageFile], laterOptions: [],
      example: "widgetfleet report Reports/weather-hourly -o weather.html"),
    Command(
      name: "compare", action: .compare, summary: "say what a change of the scenario does to the figures",
      operands: "BASE NEW...", operandCount: 2...Int.max,
      ownOptions: [
        .failOn, .minEffect, .seed, .replications, .set, .strict, .exitZero, .comparisonFormat,
      ], laterOptions: ["html"],
      example: "widgetfleet compare Reports/main Reports/branch --fail-on 'peak_rps{endpoint=api} > +5%'"),
  ]

  /// Commands of PRODUCT.md that a later version brings.
  static let later = [
    "sweep", "tune", "tradeoff", "bench", "calibrate", "init", "explain", "schema", "completions",
  ]
}
