import Scenario

/// An option of a command as the parser, --help, completions and the manual page know it.
struct Option: Sendable {
  enum Value: Sendable {
    case none
    /// Any text, named so in the help.
    case text(String)
    /// A file's or a folder's name.
    case file(String)
    case choice([String])
  }

  /// Without the dashes.
  var name: String
  var letter: Character?
  var value: Value
  var isRepeatable = false
  var help: String

  /// How messages and the help show it.
  var spelling: String { "--" + name }

  /// The words that it takes; empty: not a choice.
  var choices: [String] {
    if case .choice(let choices) = value { return choices }
    return []
  }

  /// What follows it, as the help shows it; nil: nothing.
  var valueText: String? {
    switch value {
    case .none: nil
    case .text(let name), .file(let name): name
    case .choice(let choices): choices.joined(separator: "|")
    }
  }
}

extension Option {
  static let seed = Option(name: "seed", value: .text("N"), help: "seed of the random draws (run.seed)")
  static let replications = Option(
    name: "replications", letter: "n", value: .text("N"),
    help: "how often to simulate, each with other draws (run.replications)")
  static let set = Option(
    name: "set", value: .text("PATH=VALUE"), isRepeatable: true,
    help: "change a value of the scenario: --set kinds.weather.reload.after=30min")
  static let out = Option(
    name: "out", letter: "o", value: .file("DIR"), help: "folder of the results (Reports/<scenario name>)")
  static let only = Option(
    name: "only", value: .text("LIST"),
    help: "write only these files of the results and the manifest: --only summary.csv,report.html")
  static let junit = Option(name: "junit", value: .file("FILE"), help: "also write the goals as JUnit XML test cases")
  static let dryRun = Option(
    name: "dry-run", value: .none,
    help: "print the resolved scenario with the origin of each value, and simulate nothing")
  static let pageFile = Option(
    name: "out", letter: "o", value: .file("FILE"), help: "the page to write (DIR/report.html)")
  static let noBracket = Option(
    name: "no-bracket", value: .none, help: "leave out the runs under the presets prompt and lazy: faster")
  static let noTrials = Option(
    name: "no-trials", value: .none,
    help: "leave out the run without outages and those that try what the findings advise: faster")
  static let strict = Option(name: "strict", value: .none, help: "an inconclusive goal fails, too")
  static let exitZero = Option(name: "exit-zero", value: .none, help: "exit status 0 even if a goal fails")
  static let saveConditions = Option(
    name: "save-conditions", value: .none,
    help: "also write conditions.csv: what requests met, step by step (first replication)")
  static let replayConditions = Option(
    name: "replay-conditions", value: .file("FILE"),
    help: "with --device: the conditions.csv of a run with this scenario and seed")
  static let device = Option(
    name: "device", value: .text("N"), help: "print device N's day event by event, and write no results")
  static let kind = Option(name: "kind", value: .choice(["scenario", "summary"]), help: "which schema (scenario)")
  static let untilCI = Option(
    name: "until-ci", value: .text("SHARE"),
    help: "replicate until the interval of every goal's figure is within this share of it: 2%")
  static let maxReplications = Option(
    name: "max-replications", value: .text("N"), help: "with --until-ci: give up after so many (100)")
  static let failOn = Option(
    name: "fail-on", value: .text("CONDITION"), isRepeatable: true,
    help: "exit status 1 if a figure changed so: --fail-on 'peak_rps > +5%'")
  static let minEffect = Option(
    name: "min-effect", value: .text("SHARE"), help: "hide changes of less than this share of the base (1%)")
  static let comparisonFormat = Option(
    name: "format", value: .choice(["human", "markdown", "json"]), help: "of the result on stdout (human)")
  static let html = Option(
    name: "html", value: .file("FILE"), help: "also write a page with the loads drawn over each other")
  static let vary = Option(
    name: "vary", value: .text("PATH=V1,V2"), isRepeatable: true,
    help: "take these values of a key, or those of a range PATH=A..B, in place of the scenario's sweep")
  static let method = Option(
    name: "method", value: .choice(SweepMethod.allCases.map(\.rawValue)),
    help: "every value with every other, or the first ones together and so on, or points in ranges (grid)")
  static let points = Option(
    name: "points", value: .text("N"), help: "how many settings latin-hypercube and sobol make")
  static let resume = Option(
    name: "resume", value: .none, help: "go on with the runs of an interrupted sweep of the same scenario and settings")
  static let sweepFolder = Option(
    name: "out", letter: "o", value: .file("DIR"), help: "folder of the results (Reports/<scenario name>-sweep)")
  static let nominal = Option(
    name: "nominal", value: .none,
    help: "judge goals by the scenario alone, without the presets prompt and lazy: a run less for each, a risk more")
  static let maxRuns = Option(
    name: "max-runs", value: .text("N"),
    help: "simulate so many times at most; replications and presets count (120; 60 where no preset is simulated)")
  static let tuneFolder = Option(
    name: "out", letter: "o", value: .file("DIR"), help: "folder of the results (Reports/<scenario name>-tune)")
  static let tradeoffFolder = Option(
    name: "out", letter: "o", value: .file("DIR"), help: "folder of the results (Reports/<scenario name>-tradeoff)")
  static let workloads = Option(
    name: "only", value: .text("LIST"), help: "measure only these workloads: --only W,city (W,city,storm)")
  static let quick = Option(name: "quick", value: .none, help: "only the smallest fleets, each once")
  static let jobs = Option(
    name: "jobs", value: .text("N"), help: "threads (as many as processors); results do not depend on it")
  static let quiet = Option(name: "quiet", letter: "q", value: .none, help: "nothing on stderr but errors")
  static let verbose = Option(name: "verbose", letter: "v", value: .none, help: "more on stderr")
  static let color = Option(
    name: "color", value: .choice(["auto", "always", "never"]), help: "colours on stderr (auto)")
  static let progress = Option(
    name: "progress", value: .choice(["auto", "bar", "plain", "none"]), help: "how to show progress on stderr (auto)")
  static let ascii = Option(name: "ascii", value: .none, help: "nothing but ASCII on stdout and stderr")
  static let format = Option(
    name: "format", value: .choice(["human", "json"]), help: "of the result on stdout (human)")
  /// Format option of `validate`, in place of the other.
  static let problemFormat = Option(
    name: "format", value: .choice(["human", "json", "github"]),
    help: "of the problems (human, on stderr); json and github on stdout")
  static let help = Option(name: "help", letter: "h", value: .none, help: "this text")
  static let version = Option(name: "version", value: .none, help: "the version")

  /// The options that every command has.
  static let everywhere: [Option] = [.jobs, .progress, .color, .ascii, .quiet, .verbose, .help, .version]
}
