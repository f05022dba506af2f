import FleetReports
import Scenario

/// A command-line option, from which the parser, the help text, the shell completions and the manual page are derived.
struct Option: Sendable {
  enum Value: Sendable {
    case none
    /// Any text, described by a placeholder in the help text.
    case text(String)
    /// The path of a file or folder, described by a placeholder in the help text.
    case file(String)
    case choice([String])
  }

  /// The name of the option without dashes.
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

  /// The spelling of the option in messages and in the help text.
  var spelling: String { "--" + name }

  /// The words accepted as the value; empty for other kinds of values.
  var choices: [String] {
    if case .choice(let choices) = value { return choices }
    return []
  }

  /// The placeholder for the value in the help text; `nil` for options without a value.
  var valueText: String? {
    switch value {
    case .none: nil
    case .text(let name), .file(let name): name
    case .choice(let choices): choices.joined(separator: "|")
    }
  }
}

extension Option {
  static let seed = Option("seed", .text("N"), "random seed (run.seed)")
  static let replications = Option(
    "replications", letter: "n", .text("N"),
    "number of replications, each with different random draws (run.replications)")
  static let replicationsOfCapacity = Option(
    "replications", letter: "n", .text("N"),
    "number of replications, each with different random draws (run.replications, else 1 or 5)")
  static let set = Option(
    "set", .text("PATH=VALUE"), isRepeatable: true,
    "override a scenario value: --set kinds.weather.reload.after=30min")
  static let full = Option("full", .none, "simulate every phone, however long it takes (run.simulate=all)")
  static let firstLook = Option(
    "quick", .none, "get a first look: few phones, and no trials of suggested changes (run.simulate=quick)")
  static let fewPhones = Option("quick", .none, "get a first look: few phones per setting (run.simulate=quick)")
  static let out = Option(
    "out", letter: "o", .file("DIR"),
    "results folder (Reports/<scenario name>, numbered if it has results for other settings)")
  static let only = Option(
    "only", .text("LIST"), "write only these files and the manifest: --only summary.csv,report.html")
  static let junit = Option("junit", .file("FILE"), "also write the goals as JUnit XML test cases")
  static let dryRun = Option(
    "dry-run", .none, "print the resolved scenario with the origin of each value, without simulating")
  static let pageFile = Option(
    "out", letter: "o", .file("FILE"), "output page (DIR/report.html) or, with --figure, output picture (stdout)")
  static let port = Option("port", .text("N"), "local port of the page, or 0 for any free port (8080)")
  static let openBrowser = Option("open", .none, "open the page in the browser")
  static let timestamps = Option(
    "timestamps", .none, "add a time column (ISO 8601) to load.csv and causes.csv")
  static let noBracket = Option(
    "no-bracket", .none, "skip the prompt and lazy presets and the runs that vary each assumption: faster")
  static let noTrials = Option(
    "no-trials", .none, "skip the run without outages and the trials of suggested changes: faster")
  static let strict = Option("strict", .none, "treat inconclusive goals as failed")
  static let exitZero = Option("exit-zero", .none, "exit with status 0 even if a goal fails")
  static let saveConditions = Option(
    "save-conditions", .none, "also write conditions.csv: backend conditions step by step (first replication)")
  static let requests = Option(
    "requests", .file("FILE"),
    "also write the simulated phones' requests as an access log; - for stdout (first replication); "
      + "base_load, sent by other clients, is not included")
  static let requestsAs = Option(
    "requests-as", .choice(RequestLogFormat.allCases.map(\.rawValue)), "format of --requests (jsonl)")
  static let requestsProbe = Option(
    "requests-probe", .none,
    "with --requests: add w=KIND.WIDGET.RUN.DUE.WHY, a widget's run report, to each request")
  static let replayConditions = Option(
    "replay-conditions", .file("FILE"), "with --device: conditions.csv from a run with this scenario and seed")
  static let device = Option(
    "device", .text("N|worst|median"),
    "print a device's day, one line per reload, without writing results; worst: most stale views, then fewest "
      + "reloads per widget; median: the middle device in that order (first replication)")
  static let kind = Option("kind", .choice(["scenario", "plan", "summary"]), "schema to write (scenario)")
  static let untilCI = Option(
    "until-ci", .text("SHARE"),
    "add replications until every goal's interval is within this share of its value: 2%")
  static let maxReplications = Option(
    "max-replications", .text("N"), "with --until-ci: maximum number of replications (100)")
  static let failOn = Option(
    "fail-on", .text("CONDITION"), isRepeatable: true,
    "exit with status 1 if a figure changes by more than this: --fail-on 'peak_rps > +5%'")
  static let with = Option(
    "with", .text("PATH=VALUE"), isRepeatable: true,
    "instead of NEW: BASE with all these values changed: --with kinds.weather.jitter.up_to=20min")
  static let minEffect = Option("min-effect", .text("SHARE"), "hide changes of less than this share of the base (1%)")
  static let comparisonFormat = Option(
    "format", .choice(["human", "markdown", "json"]), "format of the result on stdout (human)")
  static let html = Option(
    "html", .file("FILE"), "also write a page with the changes that matter and the loads overlaid")
  static let vary = Option(
    "vary", .text("PATH=V1,V2"), isRepeatable: true,
    "vary a key over these values, or over a range PATH=A..B, instead of the scenario's sweep")
  static let method = Option(
    "method", .choice(SweepMethod.allCases.map(\.rawValue)),
    "grid: all combinations; zip: all first values, then all second ones, and so on; sobol: points in ranges (grid)")
  static let points = Option("points", .text("N"), "number of settings for sobol")
  static let resume = Option(
    "resume", .none, "resume an interrupted sweep of the same scenario and settings")
  static let resumeRun = Option(
    "resume", .none, "resume an unfinished run of the same scenario and seed, on any number of ranks")
  static let watchdog = Option(
    "watchdog", .text("TIME"),
    "under MPI: exit with status 75 when no rank has made progress for this long (120s; 0s: never)")
  static let part = Option(
    "part", .text("I/N"), "simulate only part I of N of the settings, as one of N jobs: --part 3/20")
  static let merge = Option(
    "merge", .none, "without simulating, merge the folders of all parts, given after the scenario, into one sweep")
  static let sweepFolder = Option(
    "out", letter: "o", .file("DIR"),
    "results folder (Reports/<scenario name>-sweep; parts add -part-I-of-N)")
  static let nominal = Option(
    "nominal", .none,
    "judge goals by the scenario alone, without the prompt and lazy presets: fewer runs, more risk")
  static let varyOfPlan = Option(
    "vary", .text("PATH=V1,V2"), isRepeatable: true, "also plan with each of these values, to see what freshness costs")
  static let planFolder = Option(
    "out", letter: "o", .file("DIR"), "results folder (Reports/<plan name>-plan)")
  static let minimize = Option(
    "minimize", .text("FIGURE|PATH"),
    "objective, instead of the scenario's: a figure as in goals, or a searched key (the smallest value that passes)")
  static let search = Option(
    "search", .text("PATH=A..B"), isRepeatable: true,
    "search a key over a range, or over values PATH=V1,V2, instead of the scenario's search")
  static let maxRuns = Option(
    "max-runs", .text("N"),
    "maximum number of simulations, including replications and presets (120; 60 if no preset is simulated)")
  static let tuneFolder = Option(
    "out", letter: "o", .file("DIR"), "results folder (Reports/<scenario name>-tune)")
  static let logsAs = Option(
    "as", .choice(LogFormatName.allCases.map(\.rawValue)), "format of the logs (auto: detected from their first lines)")
  static let log = Option(
    "log", .file("FILE"), isRepeatable: true, "an access log, a folder of them, or - for standard input")
  static let fromLog = Option(
    "from-log", .file("FILE"), isRepeatable: true,
    "build the scenario from an access log or a folder of them: kinds, interval, phones, zones, other traffic")
  static let telemetry = Option(
    "telemetry", .file("FILE"), isRepeatable: true,
    "records from testers' phones (WidgetFleetProbe), with or without --log")
  static let pattern = Option("log-format", .text("TEXT"), "nginx's log_format or Apache's LogFormat, if not combined")
  static let id = Option("id", .text("FIELD"), "the field that identifies phones: --id query.install")
  static let widget = Option(
    "widget", .text("RULE"), "rule for the widget's requests: --widget 'ua ~ ^WeatherWidget/'")
  static let endpoint = Option(
    "endpoint", .text("NAME=REGEX"), isRepeatable: true, "endpoint by its path: --endpoint 'api=^/v2/forecast'")
  static let map = Option(
    "map", .text("KEY=FIELD"), isRepeatable: true, "where to find a field in the log: --map duration=took:ms")
  static let stamp = Option(
    "stamp", .choice(["begin", "end"]),
    "whether timestamps mark the start or end of a step in a table (begin) or of a timed answer (as in its format)"
  )
  static let stamps = Option(
    "stamps", .text("ZONE"), "time zone of timestamps without an offset: --stamps Europe/Berlin (default: UTC)")
  static let showRare = Option(
    "show-rare", .none, "show words in paths and User-Agents shared by fewer than 20 senders")
  static let yesIP = Option("yes-ip", .none, "treat IP addresses as phones, although they are not")
  static let keyFile = Option(
    "key-file", .file("FILE"), "hash ids with this key (16 bytes), so that repeated runs match")
  static let days = Option("days", .text("A-B"), "days of the log to use, counted from the first: --days 1-7")
  static let sampled = Option(
    "sampled", .text("PERCENT"), "share of requests kept in a sampled log: --sampled 10%")
  static let damaged = Option(
    "damaged", .choice(["refuse", "accept"]), "how to handle a log that cannot be read to the end (refuse)")
  static let fit = Option(
    "fit", .text("PATH[=A..B]"), isRepeatable: true,
    "key to fit by simulation: --fit os.idle.after=30min..4h; some keys have a default range")
  static let maxMinutes = Option(
    "max-minutes", .text("N"), "time limit for a fit by simulation, in minutes (10)")
  static let fix = Option("fix", .text("PATH"), isRepeatable: true, "key to leave unchanged")
  static let forecast = Option(
    "forecast", .text("DAYS"), "forecast the load for days after the log from the estimates: --forecast 7d")
  static let noSimulation = Option(
    "no-simulation", .none, "do not simulate the scenario's load for comparison with the log: faster")
  static let force = Option(
    "force", .none, "write calibrated.yaml even if its busiest hour is more than 25 % off the log's (WF640)")
  static let calibrationFolder = Option(
    "out", letter: "o", .file("DIR"), "results folder (Reports/<scenario name>-calibrate)")
  static let train = Option(
    "train", .text("A-B"), "days of the log to fit the scenario to, counted from the first in UTC: --train 1-7")
  static let test = Option("test", .text("A-B"), "days to forecast (all days after training): --test 8-9")
  static let change = Option(
    "change", .text("DATE: PATH=VALUE"), isRepeatable: true,
    "app or backend change that starts on a date: --change '2027-01-25: kinds.weather.reload.after=1h'")
  static let backtestFolder = Option(
    "out", letter: "o", .file("DIR"), "results folder (Reports/<scenario name>-backtest)")
  static let starterFile = Option(
    "out", letter: "o", .file("FILE"), "scenario file to write (stdout); an existing file is not overwritten")
  static let scenarioName = Option(
    "name", .text("NAME"), "name of the scenario and of its folder under Reports/ (my-widget)")
  static let devices = Option(
    "devices", .text("N"), "phones that have the widget: --devices 3M (10k); a starter's limits scale with them")
  static let zones = Option(
    "zones", .text("ZONE=SHARE,..."),
    "time zones of the phones: --zones Europe/Berlin=60%,America/New_York=40% (Europe/Berlin)")
  static let after = Option("after", .text("TIME"), "time until the timeline requests the next refresh: 30min (1h)")
  static let at = Option("at", .text("HH:MM"), "instead of --after: once a day at this local time on each phone")
  static let jitter = Option("jitter", .text("TIME"), "maximum random delay by which the app spreads refreshes (none)")
  static let cache = Option("cache", .text("TIME"), "how long refreshes reuse the last answer (none)")
  static let widgets = Option("widgets", .text("N"), "widgets on each phone (1)")
  static let capacity = Option(
    "capacity", .text("RATE"), "capacity of the servers: --capacity 2500/s; adds goals (no limit)")
  static let staleAfter = Option(
    "stale-after", .text("TIME"), "age above which data counts as stale (not counted)")
  static let size = Option("size", .text("SIZE"), "response size (20kB)")
  static let secondWidget = Option(
    "second-widget", .text("SHARE"), "share of phones with a second widget: --second-widget 30% (none)")
  static let lockScreen = Option(
    "lock-screen", .text("SHARE"), "share of phones with a lock screen widget: --lock-screen 20% (none)")
  static let queue = Option(
    "queue", .text("N"), "with --capacity: maximum queued requests; any more are refused (15 s of capacity)")
  static let baseLoad = Option(
    "base-load", .text("RATE"), "other traffic on the servers, daily mean: --base-load 500/s (none)")
  static let busiest = Option("busiest", .text("HH:MM"), "with --base-load: time of its peak (18:00)")
  static let push = Option("push", .text("HH:MM"), "daily time of a silent push to all phones (none)")
  static let paths = Option(
    "paths", .file("SCENARIO"),
    "instead of completions, write the scenario keys that --set accepts; used by completions")
  static let jobs = Option(
    "jobs", .text("N"), "number of threads (one per processor core); results do not depend on it")
  static let quiet = Option("quiet", letter: "q", .none, "print only errors to stderr, and only the answer to stdout")
  static let verbose = Option("verbose", letter: "v", .none, "print more to stderr")
  static let color = Option("color", .choice(["auto", "always", "never"]), "when to use colours (auto: on terminals)")
  static let progress = Option(
    "progress", .choice(["auto", "bar", "plain", "none"]), "how to show progress on stderr (auto)")
  static let ascii = Option("ascii", .none, "print only ASCII to stdout and stderr")
  static let format = Option("format", .choice(["human", "json"]), "format of the result on stdout (human)")
  /// The `--format` option of `validate`, which replaces the general option with the same name.
  static let problemFormat = Option(
    "format", .choice(["human", "json", "github"]),
    "format of the problems (human, on stderr); json and github go to stdout")
  static let help = Option("help", letter: "h", .none, "print this help")
  static let version = Option("version", .none, "print the version")

  /// The options shared by all commands.
  static let everywhere: [Option] = [.jobs, .progress, .color, .ascii, .quiet, .verbose, .help, .version]
}
