import Foundation
import Testing

/// The `run --requests` option: a synthetic access log in the formats of real servers.
///
/// The pattern for `combined` is taken from nginx's own documentation: ngx_http_log_module.
struct RequestLogTests {
  /// Two cohorts and systems, retries, a timeout, a capacity with a rate limit, a CDN and an outage, with all phones
  /// simulated.
  private static let busy = """
    schema: widgetfleet/v1
    name: busy
    clock: {start: 2027-01-18T06:00:30Z, settle: 0s, warmup: 2h, duration: 6h, step: 10s}
    kinds:
      daily news:
        reload: {after: 20min}
        requests: [{endpoint: api, up: 1kB, down: 20kB}, {endpoint: images, count: 2, up: 300B, down: 12kB}]
        attempts: {count: 3, backoff: 2s}
      weather.now:
        reload: {after: 15min}
        requests: [{endpoint: slow, down: 5kB}]
    fleet:
      devices: 70
      cohorts:
        - {name: west, share: 60%, zones: {Europe/Berlin: 100%}, widgets: [{kind: daily news}, {kind: weather.now, page: 2}]}
        - {name: east, share: 40%, zones: {Asia/Tokyo: 100%}, os: ios-17, widgets: [{kind: weather.now}]}
    backend:
      endpoints:
        api: {rate_limit: {rate: 1/min, retry_after: 1min}}
        images: {cdn: {keys: 5, ttl: 10min}}
        slow: {latency: {p50: 2s, p99: 40s}, timeout: 10s}
    events:
      - {name: down, at: 2027-01-18T09:12:00Z, outage: {endpoint: images, for: 20min}}

    """

  private static func child() throws -> Child {
    let child = try Child()
    try child.write(busy, to: "busy.yaml")
    return child
  }

  private static let quick = ["run", "busy.yaml", "--no-bracket", "--no-trials"]

  /// Runs the command with an additional log.
  private static func log(
    _ child: Child, _ format: String, _ more: [String] = [], name: String = "log"
  ) throws -> [String] {
    let outcome = try child.run(quick + ["--requests", name, "--requests-as", format] + more)
    #expect(outcome.status == 0, "\(outcome.error)")
    return child.read(name).split(separator: "\n").map(String.init)
  }

  private struct Line: Decodable {
    var arrival: String
    var id: String
    var method: String
    var path: String
    var query: String
    var status: Int
    var bytes: Int
    var duration: Double
    var userAgent: String
    var cache: String?
    var requestId: String
  }

  private static func objects(_ lines: [String]) throws -> [Line] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try lines.map { try decoder.decode(Line.self, from: Data($0.utf8)) }
  }

  /// Returns the rows of a results table by column.
  private static func table(_ child: Child, _ name: String) -> [[String: Int]] {
    let rows = child.read("Reports/busy/" + name).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    return rows.dropFirst().map { row in
      Dictionary(uniqueKeysWithValues: zip(rows[0].map(String.init), row.map { Int($0) ?? 0 }))
    }
  }

  private static func sum(_ rows: [[String: Int]], _ column: String) -> Int {
    rows.reduce(0) { $0 + ($1[column] ?? 0) }
  }

  /// Returns the time of a request.
  private static func date(_ line: Line) throws -> Date {
    try Date(line.arrival, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  // MARK: Content

  @Test func requestLogMatchesTheResults() throws {
    let child = try Self.child()
    defer { child.remove() }
    let lines = try Self.objects(try Self.log(child, "jsonl"))
    let devices = Self.table(child, "devices.csv")
    #expect(lines.count == Self.sum(devices, "requests") && lines.count > 3_000)
    #expect(lines.filter { $0.status != 200 }.count == Self.sum(devices, "failures"))
    #expect(lines.reduce(0) { $0 + $1.bytes } == Self.sum(devices, "bytes_down"))
    let causes = Self.table(child, "causes.csv")
    for (status, columns) in [
      429: ["failures_limited"], 499: ["failures_timeout"],
      503: ["failures_outage", "failures_refused", "failures_cached-error"],
    ] {
      let counted = columns.reduce(0) { $0 + Self.sum(causes, $1) }
      #expect(lines.filter { $0.status == status }.count == counted && counted > 0, "\(status)")
    }
    for endpoint in ["api", "images", "slow"] {
      let rows = child.read("Reports/busy/causes.csv").split(separator: "\n").filter { $0.contains(",\(endpoint),") }
      let counted = rows.reduce(0) { $0 + (Int($1.split(separator: ",")[5]) ?? 0) }
      #expect(lines.filter { $0.path == "/" + endpoint }.count == counted && counted > 0, "\(endpoint)")
    }
    #expect(Set(lines.map(\.requestId)).count == lines.count)
    #expect(Set(lines.map(\.id)).count <= 70 && Set(lines.map(\.id)).count > 60)
    #expect(lines.allSatisfy { $0.query == "install=" + $0.id && $0.method == "GET" })
  }

  @Test func requestLogIsInOrderAndInThePeriod() throws {
    let child = try Self.child()
    defer { child.remove() }
    let lines = try Self.objects(try Self.log(child, "jsonl"))
    let times = lines.map(\.arrival)
    #expect(times == times.sorted())
    let pattern = /2027-01-18T\d\d:\d\d:\d\d\.\d{3}Z/
    #expect(times.allSatisfy { $0.wholeMatch(of: pattern) != nil })
    // From the start to six hours later.
    #expect(times.allSatisfy { $0 >= "2027-01-18T06:00:30.000Z" && $0 < "2027-01-18T12:00:30.000Z" })
    // A client gives up after ten seconds; a limit or an outage answers at once.
    #expect(lines.filter { $0.status == 499 }.allSatisfy { $0.duration == 10 && $0.path == "/slow" })
    #expect(lines.filter { $0.status == 200 && $0.path == "/slow" }.allSatisfy { $0.duration < 10 })
    #expect(lines.filter { $0.status == 429 || $0.status == 503 }.allSatisfy { $0.duration == 0 })
    // Only the images are behind a CDN.
    #expect(lines.allSatisfy { ($0.cache != nil) == ($0.path == "/images") })
    #expect(Set(lines.compactMap(\.cache)).isSuperset(of: ["hit", "miss"]))
  }

  /// The extension of each kind identifies itself; the kernel version is that of the cohort's system.
  @Test func userAgentsAreThoseOfExtensions() throws {
    let child = try Self.child()
    defer { child.remove() }
    let lines = try Self.objects(try Self.log(child, "jsonl"))
    let agents = Set(lines.map { $0.path + " " + $0.userAgent })
    #expect(
      agents == [
        "/api DailyNewsWidgetExtension/231 CFNetwork/3860.100.1 Darwin/25.0.0",
        "/images DailyNewsWidgetExtension/231 CFNetwork/3860.100.1 Darwin/25.0.0",
        "/slow WeatherNowWidgetExtension/231 CFNetwork/3860.100.1 Darwin/25.0.0",
        "/slow WeatherNowWidgetExtension/231 CFNetwork/1474 Darwin/23.0.0",
      ])
    for id in Set(lines.map(\.id)) {
      #expect(Set(lines.filter { $0.id == id }.map { $0.userAgent.suffix(6) }).count == 1)
    }
  }

  /// The probe counts the runs of each widget and gives their due times, which are never after the request.
  @Test func probeDescribesTheRun() throws {
    let child = try Self.child()
    defer { child.remove() }
    let plain = try Self.objects(try Self.log(child, "jsonl", name: "plain"))
    let lines = try Self.objects(try Self.log(child, "jsonl", ["--requests-probe"]))
    #expect(plain.map(\.requestId) == lines.map(\.requestId))
    let pattern = /install=([0-9a-f]{16})&w=(daily%20news|weather%2Enow)\.([0-9a-f]{8})\.(\d+)\.(\d+)\.(\w+)/
    var runs: [String: [Int]] = [:]
    for line in lines {
      let match = try #require(line.query.wholeMatch(of: pattern), "\(line.query)")
      #expect(["policy", "view", "new"].contains(match.output.6))
      let sent = try Self.date(line)
      let (run, due) = (try #require(Int(match.output.4)), try #require(Int(match.output.5)))
      if match.output.6 == "policy" { #expect(due > 0 && Double(due) * 60 <= sent.timeIntervalSince1970) }
      runs["\(match.output.1) \(match.output.3)", default: []].append(run)
    }
    // 42 phones with two widgets and 28 with one; the runs of each are consecutive.
    #expect(runs.count <= 112 && runs.count > 100)
    for (widget, numbers) in runs { #expect(numbers == numbers.sorted(), "\(widget)") }
  }

  // MARK: Formats

  /// The format is `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer"
  /// "$http_user_agent"`.
  @Test func combined() throws {
    let child = try Self.child()
    defer { child.remove() }
    let objects = try Self.objects(try Self.log(child, "jsonl"))
    let lines = try Self.log(child, "nginx")
    let pattern =
      /(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3} - - \[(\d\d\/Jan\/2027:\d\d:\d\d:\d\d \+0000)\] "GET (\S+)\?(\S+) HTTP\/2\.0" (\d{3}) (\d+) "-" "([^"]+)"/
    var stamps: [String] = []
    var told: [String] = []
    for line in lines {
      let match = try #require(line.wholeMatch(of: pattern), "\(line)")
      stamps.append(String(match.output.2))
      told.append("\(match.output.2) \(match.output.3) \(match.output.4) \(match.output.5) \(match.output.6)")
    }
    #expect(stamps == stamps.sorted())
    // The line is written when the answer is sent: at the arrival plus the duration.
    let expected = try objects.map { line in
      let arrival = try Self.date(line)
      let end = Date(timeIntervalSince1970: ((arrival.timeIntervalSince1970 + line.duration) * 1_000).rounded() / 1_000)
      let clock = end.formatted(.iso8601.dateSeparator(.omitted).dateTimeSeparator(.space)).split(separator: " ")[1]
      return "18/Jan/2027:\(clock.dropLast()) +0000 \(line.path) \(line.query) \(line.status) \(line.bytes)"
    }
    #expect(told.sorted() == expected.sorted())
  }

  // MARK: The command

  /// Neither the number of threads nor the log changes a byte of the other output.
  @Test(arguments: ["busy.yaml", "small.yaml"]) func theSameBytes(file: String) throws {
    let child = try Self.child()
    defer { child.remove() }
    let run = ["run", file, "--no-bracket", "--no-trials"]
    #expect(try child.run(run + ["-o", "without"]).status == 0)
    for jobs in ["1", "2", "7"] {
      let outcome = try child.run(run + ["-o", "with", "--jobs", jobs, "--requests", "log-" + jobs])
      #expect(outcome.status == 0)
      #expect(child.names(in: "with") == child.names(in: "without"))
      for name in child.names(in: "with") {
        let isTheSame = try child.bytes("with/" + name) == child.bytes("without/" + name)
        #expect(isTheSame, "\(name)")
      }
      let isTheSame = try child.bytes("log-" + jobs) == child.bytes("log-1")
      #expect(isTheSame && !child.read("log-1").isEmpty)
    }
    #expect(!child.names().contains { $0.hasPrefix(".widgetfleet") })
  }

  @Test func standardOutput() throws {
    let child = try Self.child()
    defer { child.remove() }
    let lines = try Self.log(child, "nginx")
    let outcome = try child.run(Self.quick + ["--requests", "-", "--requests-as", "nginx"])
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").map(String.init) == lines)
    #expect(outcome.error.contains("requests: \(lines.count) from 70 simulated phones, all of the fleet, as nginx"))
    // The table goes to stderr.
    let table = try child.run(Self.quick)
    #expect(!table.output.isEmpty && outcome.error.contains(table.output))
  }

  @Test func sampledShareIsReported() throws {
    let child = try Self.child()
    defer { child.remove() }
    let outcome = try child.run(Self.quick + ["--requests", "log", "--set", "run.simulate=7"])
    #expect(outcome.error.contains(" from 7 simulated phones, 10\u{A0}% of the fleet, as jsonl to log\n"))
  }

  /// A log that cannot be written leaves nothing behind, and there are no results.
  @Test func whatCannotBeWritten() throws {
    let child = try Self.child()
    defer { child.remove() }
    try FileManager.default.createDirectory(atPath: child.path("folder"), withIntermediateDirectories: true)
    for path in ["folder", "busy.yaml/log", "/dev/null", "/proc/log"] {
      let outcome = try child.run(Self.quick + ["--requests", path])
      #expect(outcome.status == 4 && outcome.output.isEmpty, "\(path): \(outcome.error)")
    }
    let full = try child.run(Self.quick + ["--requests", "-"], output: "/dev/full")
    #expect(full.status == 4 && full.error.contains("cannot write 'standard output': No space left"))
    #expect(!child.names(in: "Reports").contains("busy"))
    #expect(!child.names().contains { $0.hasPrefix(".widgetfleet") })
  }

  @Test(arguments: [
    ["--requests", ""], ["--requests", "log.gz"], ["--requests", "log", "--device", "1"],
    ["--requests", "log", "--dry-run"], ["--requests", "-", "--format", "json"], ["--requests-as", "nginx"],
    ["--requests-probe"], ["--requests", "log", "--requests-as", "iis"],
  ]) func whatIsRefused(options: [String]) throws {
    let child = try Self.child()
    defer { child.remove() }
    let outcome = try child.run(Self.quick + options)
    #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.error.contains("--requests"), "\(outcome.error)")
    #expect(!child.names().contains("log") && !child.names().contains("Reports"))
  }

  /// An existing log is replaced as a whole.
  @Test func anOldLogIsReplaced() throws {
    let child = try Self.child()
    defer { child.remove() }
    try child.write("old", to: "log")
    #expect(try Self.log(child, "jsonl", ["--set", "fleet.devices=2"]).first?.hasPrefix("{\"arrival\":") == true)
    #expect(try child.run(["run", "busy.yaml", "--requests", "log", "--set", "fleet.devices=-1"]).status == 2)
    #expect(child.read("log").hasPrefix("{\"arrival\":"))
  }
}
