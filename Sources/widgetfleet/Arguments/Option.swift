import FleetReports
import Scenario

/// An option of a command, for the parser, --help, completions and the manual page.
struct Option: Sendable {
  enum Value: Sendable {
    case none
    /// Any text; the associated value is its name in the help.
    case text(String)
    /// The name of a file or folder.
    case file(String)
    case choice([String])
  }

  /// The name, without the dashes.
  var name: String
  var letter: Character?
  var value: Value
  var isRepeatable: Bool
  var help: String

  init(
    _ name: String, letter: Character? = nil, _ value: Value, isRepeatable: Bool = false, _ help: String
  ) {
    (self.name, self.letter, self.value, self.isRepeatable, self.help) = (name, letter, value, isRepeatable, help)
  }

  /// The spelling used in messages and help.
  var spelling: String { "--" + name }

  /// The words that its value can be; empty for other values.
  var choices: [String] {
    if case .choice(let choices) = value { return choices }
    return []
  }

  /// The value as shown in the help; `nil` for an option without a value.
  var valueText: String? {
    switch value {
    case .none: nil
    case .text(let name), .file(let name): name
    case .choice(let choices): choices.joined(separator: "|")
    }
  }
}

extension Option {
  static let seed = Option("seed", .text("N"), "seed of the random draws (run.seed)")
  static let replications = Option(
    "replications", letter: "n", .text("N"), "how often to simulate, each with other draws (run.replications)")
  static let replicationsOfCapacity = Option(
    "replications", letter: "n", .text("N"), "how often to simulate, with other draws (run.replications, else 1 or 5)")
  static let set = Option(
    "set", .text("PATH=VALUE"), isRepeatable: true,
    "change a value of the scenario: --set kinds.weather.reload.after=30min")
  static let full = Option("full", .none, "simulate all phones, however long that takes (run.simulate=all)")
  static let firstLook = Option(
    "quick", .none, "a first look: few phones, and no trials of what the findings advise (run.simulate=quick)")
  static let fewPhones = Option("quick", .none, "a first look: few phones of each setting (run.simulate=quick)")
  static let out = Option(
    "out", letter: "o", .file("DIR"),
    "folder of the results (Reports/<scenario name>, with a number where results of other settings are there)")
  static let only = Option(
    "only", .text("LIST"), "write only these files of the results and the manifest: --only summary.csv,report.html")
  static let junit = Option("junit", .file("FILE"), "also write the goals as JUnit XML test cases")
  static let dryRun = Option(
    "dry-run", .none, "print the resolved scenario with the origin of each value, and simulate nothing")
  static let pageFile = Option(
    "out", letter: "o", .file("FILE"), "the page to write (DIR/report.html), or with --figure the picture (stdout)")
  static let timestamps = Option(
    "timestamps", .none, "load.csv and causes.csv also have the time as ISO 8601, in the column time")
  static let noBracket = Option("no-bracket", .none, "leave out the runs under the presets prompt and lazy: faster")
  static let noTrials = Option(
    "no-trials", .none, "leave out the run without outages and those that try what the findings advise: faster")
  static let strict = Option("strict", .none, "an inconclusive goal fails, too")
  static let exitZero = Option("exit-zero", .none, "exit status 0 even if a goal fails")
  static let saveConditions = Option(
    "save-conditions", .none, "also write conditions.csv: what requests met, step by step (first replication)")
  static let requests = Option(
    "requests", .file("FILE"),
    "also write the requests of the simulated phones as an access log, - for stdout (first replication); "
      + "base_load, which other clients send, is not in it")
  static let requestsAs = Option(
    "requests-as", .choice(RequestLogFormat.allCases.map(\.rawValue)), "the format of --requests (jsonl)")
  static let requestsProbe = Option(
    "requests-probe", .none,
    "with --requests: a parameter w=KIND.WIDGET.RUN.DUE.WHY on each request, as a widget can report its run")
  static let replayConditions = Option(
    "replay-conditions", .file("FILE"), "with --device: the conditions.csv of a run with this scenario and seed")
  static let device = Option(
    "device", .text("N|worst|median"),
    "print a device's day, a line for each reload, and write no results; worst: the most stale views, then the fewest "
      + "reloads per widget; median: the middle one of this order (first replication)")
  static let kind = Option("kind", .choice(["scenario", "summary"]), "which schema (scenario)")
  static let untilCI = Option(
    "until-ci", .text("SHARE"), "replicate until the interval of every goal's figure is within this share of it: 2%")
  static let maxReplications = Option("max-replications", .text("N"), "with --until-ci: give up after so many (100)")
  static let failOn = Option(
    "fail-on", .text("CONDITION"), isRepeatable: true,
    "exit status 1 if a figure changed so: --fail-on 'peak_rps > +5%'")
  static let with = Option(
    "with", .text("PATH=VALUE"), isRepeatable: true,
    "in place of NEW: BASE with these values changed, all together: --with kinds.weather.jitter.up_to=20min")
  static let minEffect = Option("min-effect", .text("SHARE"), "hide changes of less than this share of the base (1%)")
  static let comparisonFormat = Option(
    "format", .choice(["human", "markdown", "json"]), "of the result on stdout (human)")
  static let html = Option(
    "html", .file("FILE"), "also write a page: what changed that matters, and the loads over each other")
  static let vary = Option(
    "vary", .text("PATH=V1,V2"), isRepeatable: true,
    "take these values of a key, or those of a range PATH=A..B, in place of the scenario's sweep")
  static let method = Option(
    "method", .choice(SweepMethod.allCases.map(\.rawValue)),
    "every value with every other, or the first ones together and so on, or points in ranges (grid)")
  static let points = Option("points", .text("N"), "how many settings sobol makes")
  static let resume = Option(
    "resume", .none, "resume an interrupted sweep of the same scenario and settings")
  static let resumeRun = Option(
    "resume", .none, "resume an unfinished run of the same scenario and seed, on any number of ranks")
  static let watchdog = Option(
    "watchdog", .text("TIME"), "under MPI: end with 75 when no rank has moved for so long (120s; 0s: never)")
  static let part = Option(
    "part", .text("I/N"), "simulate the settings of part I of N alone, for one of N jobs: --part 3/20")
  static let merge = Option(
    "merge", .none, "simulate nothing: make the sweep from the folders of all its parts, named after the scenario")
  static let sweepFolder = Option(
    "out", letter: "o", .file("DIR"),
    "folder of the results (Reports/<scenario name>-sweep; of a part -sweep-part-I-of-N)")
  static let nominal = Option(
    "nominal", .none,
    "judge goals by the scenario alone, without the presets prompt and lazy: a run less for each, a risk more")
  static let minimize = Option(
    "minimize", .text("FIGURE|PATH"),
    "what to make small, in place of the scenario's: a figure as in goals, or a searched key (the least that holds)")
  static let search = Option(
    "search", .text("PATH=A..B"), isRepeatable: true,
    "search a key in a range, or among values PATH=V1,V2, in place of the scenario's search")
  static let maxRuns = Option(
    "max-runs", .text("N"),
    "simulate so many times at most; replications and presets count (120; 60 where no preset is simulated)")
  static let tuneFolder = Option(
    "out", letter: "o", .file("DIR"), "folder of the results (Reports/<scenario name>-tune)")
  static let logsAs = Option(
    "as", .choice(LogFormatName.allCases.map(\.rawValue)), "format of the logs (auto: as their first lines look)")
  static let logFormat = Option(
    "format", .choice(LogFormatName.allCases.map(\.rawValue)), "of the logs (auto: as their first lines look)")
  static let log = Option(
    "log", .file("FILE"), isRepeatable: true, "an access log, a folder of them, or - for standard input")
  static let telemetry = Option(
    "telemetry", .file("FILE"), isRepeatable: true,
    "records of testers' phones (WidgetFleetProbe), with or without --log")
  static let pattern = Option("log-format", .text("TEXT"), "nginx's log_format or Apache's LogFormat, if not combined")
  static let id = Option("id", .text("FIELD"), "the field that identifies phones: --id query.install")
  static let widget = Option(
    "widget", .text("RULE"), "which requests are the widget's: --widget 'ua ~ ^WeatherWidget/'")
  static let endpoint = Option(
    "endpoint", .text("NAME=REGEX"), isRepeatable: true, "endpoints by their paths: --endpoint 'api=^/v2/forecast'")
  static let map = Option(
    "map", .text("KEY=FIELD"), isRepeatable: true, "where the log has something: --map duration=took:ms")
  static let stamp = Option(
    "stamp", .choice(["begin", "end"]),
    "what a stamp is of a span: of a table's step its begin or end (begin), of an answer that has a duration (as the format has it)"
  )
  static let showRare = Option(
    "show-rare", .none, "show words of paths and User-Agents that fewer than 20 senders share")
  static let yesIP = Option("yes-ip", .none, "take addresses for phones although they are none")
  static let keyFile = Option(
    "key-file", .file("FILE"), "hash ids with this key (16 bytes), so that several readings give the same")
  static let days = Option("days", .text("A-B"), "days of the log to use, counted from its first: --days 1-7")
  static let sampled = Option(
    "sampled", .text("PERCENT"), "share of the requests that a sampled log holds: --sampled 10%")
  static let damaged = Option(
    "damaged", .choice(["refuse", "accept"]), "what to do with a log that cannot be read to its end (refuse)")
  static let fit = Option(
    "fit", .text("PATH[=A..B]"), isRepeatable: true,
    "a key to find by simulation: --fit os.idle.after=30min..4h; some have a range of their own")
  static let maxMinutes = Option(
    "max-minutes", .text("N"), "when a fit by simulation ends with what it has (10)")
  static let fix = Option("fix", .text("PATH"), isRepeatable: true, "a key to leave as the file has it")
  static let noSimulation = Option(
    "no-simulation", .none, "leave out the scenario's load beside the measured one: faster")
  static let force = Option(
    "force", .none, "write calibrated.yaml even where its busiest hour is more than 25 % off the log's (WF640)")
  static let calibrationFolder = Option(
    "out", letter: "o", .file("DIR"), "folder of the results (Reports/<scenario name>-calibrate)")
  static let train = Option(
    "train", .text("A-B"), "days of the log to fit the scenario on, counted from its first in UTC: --train 1-7")
  static let test = Option("test", .text("A-B"), "days to forecast (all after the training days): --test 8-9")
  static let change = Option(
    "change", .text("DATE: PATH=VALUE"), isRepeatable: true,
    "what the app or the backend did otherwise from a date on: --change '2027-01-25: kinds.weather.reload.after=1h'")
  static let backtestFolder = Option(
    "out", letter: "o", .file("DIR"), "folder of the results (Reports/<scenario name>-backtest)")
  static let starterFile = Option(
    "out", letter: "o", .file("FILE"), "the scenario to write (stdout); a file that is there stays as it is")
  static let scenarioName = Option(
    "name", .text("NAME"), "of the scenario: names the folder under Reports/ (my-widget)")
  static let devices = Option(
    "devices", .text("N"), "phones that have the widget: --devices 3M (10k); limits of a starter grow along")
  static let zones = Option(
    "zones", .text("ZONE=SHARE,..."), "their zones: --zones Europe/Berlin=60%,America/New_York=40% (Europe/Berlin)")
  static let after = Option("after", .text("TIME"), "how long until the timeline asks for the next refresh: 30min (1h)")
  static let at = Option("at", .text("HH:MM"), "in place of --after: once a day at this time of each phone's clock")
  static let jitter = Option("jitter", .text("TIME"), "a random delay by which the app spreads refreshes (none)")
  static let cache = Option("cache", .text("TIME"), "for how long refreshes use the last answer (none)")
  static let widgets = Option("widgets", .text("N"), "widgets on each phone (1)")
  static let capacity = Option(
    "capacity", .text("RATE"), "of the servers: --capacity 2500/s; adds goals that must hold (no limit)")
  static let staleAfter = Option(
    "stale-after", .text("TIME"), "the age from which on data counts as stale (not counted)")
  static let size = Option("size", .text("SIZE"), "of the answer to one request (20kB)")
  static let secondWidget = Option(
    "second-widget", .text("SHARE"), "share of the phones with one more: --second-widget 30% (none)")
  static let lockScreen = Option(
    "lock-screen", .text("SHARE"), "share of the phones with one on the lock screen: --lock-screen 20% (none)")
  static let queue = Option(
    "queue", .text("N"), "with --capacity: requests that may wait; more are refused (15 s of the capacity)")
  static let baseLoad = Option(
    "base-load", .text("RATE"), "other traffic of the servers, the mean of the day: --base-load 500/s (none)")
  static let busiest = Option("busiest", .text("HH:MM"), "with --base-load: when it is highest (18:00)")
  static let push = Option("push", .text("HH:MM"), "a silent push to all phones, once a day at this time (none)")
  static let paths = Option(
    "paths", .file("SCENARIO"), "in place of the completions the keys of a scenario that --set takes, for completions")
  static let jobs = Option("jobs", .text("N"), "threads (as many as processors); results do not depend on it")
  static let quiet = Option("quiet", letter: "q", .none, "nothing on stderr but errors, and on stdout the answer alone")
  static let verbose = Option("verbose", letter: "v", .none, "more on stderr")
  static let color = Option("color", .choice(["auto", "always", "never"]), "colours (auto: on terminals)")
  static let progress = Option(
    "progress", .choice(["auto", "bar", "plain", "none"]), "how to show progress on stderr (auto)")
  static let ascii = Option("ascii", .none, "nothing but ASCII on stdout and stderr")
  static let format = Option("format", .choice(["human", "json"]), "of the result on stdout (human)")
  /// The format option of `validate`, which replaces the general one.
  static let problemFormat = Option(
    "format", .choice(["human", "json", "github"]), "of the problems (human, on stderr); json and github on stdout")
  static let help = Option("help", letter: "h", .none, "this text")
  static let version = Option("version", .none, "the version")

  /// The options that every command has.
  static let everywhere: [Option] = [.jobs, .progress, .color, .ascii, .quiet, .verbose, .help, .version]
}
