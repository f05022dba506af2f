import Foundation
import Testing

/// The `logs` and `calibrate` commands as a process, on logs from `run --requests`, for which the truth is known.
struct CalibrateTests {
  /// The true scenario: 300 phones over six days, 30 minutes, delays of up to 15 minutes, two zones.
  static let truth = """
    schema: widgetfleet/v1
    name: truth
    clock: {start: 2027-01-18T00:00:00Z, duration: 6d}
    kinds:
      weather:
        entries: 4  # as the app has them
        reload: {after: 30min}
        requests: [{endpoint: forecast, up: 500B, down: 8kB}]
    fleet:
      devices: 300
      cohorts:
        - name: all
          zones: {Europe/Berlin: 70%, America/New_York: 30%}
          widgets: [{kind: weather}]
    backend:
      endpoints:
        forecast: {latency: {p50: 60ms, p99: 500ms}}

    """

  /// The scenario with values that the log contradicts: an hour, and 500 phones.
  static let guess = truth.replacing("after: 30min", with: "after: 1h").replacing("devices: 300", with: "devices: 500")
    .replacing("name: truth", with: "name: guess")

  /// Returns a child with the log of the truth in a format: of 300 phones, or of fewer if figures do not matter.
  static func child(_ format: String, phones: Int = 300) throws -> Child {
    let child = try Child()
    try child.write(truth.replacing("devices: 300", with: "devices: \(phones)"), to: "truth.yaml")
    try child.write(guess.replacing("devices: 500", with: "devices: \(phones * 5 / 3)"), to: "guess.yaml")
    let run = try child.run([
      "run", "truth.yaml", "--no-bracket", "--no-trials", "--only", "summary.csv", "--requests", "log",
      "--requests-as", format, "-q",
    ])
    #expect(run.status == 0, "\(run.error)")
    return child
  }

  /// A row of parameters.csv, with the value and interval of a key.
  struct Parameter {
    let value: Double?
    let low: Double?
    let high: Double?
    let verdict: String
  }

  static func parameters(_ child: Child, _ folder: String) -> [String: Parameter] {
    let rows = child.read("Reports/\(folder)/parameters.csv").split(separator: "\n").dropFirst().map { line in
      // The only cells with commas are quoted and come before the numbers: path, owner, file.
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(
      rows.compactMap { cells -> (String, Parameter)? in
        guard cells.count >= 11 else { return nil }
        let end = cells.count
        return (
          cells[0],
          Parameter(
            value: Double(cells[end - 7]), low: Double(cells[end - 6]), high: Double(cells[end - 5]),
            verdict: cells[end - 4])
        )
      }
    ) { first, _ in first }
  }

  /// The targets of CALIBRATION.md: the interval to within 5 s, the start window to within 5 %, phones to within 1 %;
  /// contradictions are reported.
  @Test(arguments: ["jsonl", "nginx"])
  func theTruthIsRecovered(_ format: String) throws {
    let child = try Self.child(format)
    defer { child.remove() }
    let id = format == "jsonl" ? "id" : "query.install"
    let outcome = try child.run(["calibrate", "guess.yaml", "--log", "log", "--id", id, "--no-simulation"])
    #expect(outcome.status == 1, "\(outcome.error)")
    #expect(outcome.output.contains("WF620 kinds.weather.reload.after: the file has 1h"))
    let found = Self.parameters(child, "guess-calibrate")
    let interval = try #require(found["kinds.weather.reload.after"])
    #expect(interval.verdict == "identified")
    #expect(abs((interval.value ?? 0) - 1_800) < 5)
    #expect(interval.low ?? .infinity <= 1_800 && interval.high ?? 0 >= 1_800)
    #expect(abs((found["os.start_delay.policy"]?.value ?? 0) - 900) < 45)
    #expect(abs((found["fleet.devices"]?.value ?? 0) - 300) <= 3)
    let calibrated = child.read("Reports/guess-calibrate/calibrated.yaml")
    #expect(calibrated.contains("entries: 4  # as the app has them"))
    #expect(calibrated.contains("reload: {after: 30min}  # "))
    #expect(calibrated.contains("devices: 300  # "))
  }

  /// The result on stdout as JSON has the estimates, as with the other commands for logs.
  @Test func theResultCanBeJSON() throws {
    let child = try Self.child("jsonl", phones: 60)
    defer { child.remove() }
    let outcome = try child.run([
      "calibrate", "guess.yaml", "--log", "log", "--id", "id", "--no-simulation", "--format", "json",
    ])
    let found = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(found?["contradictions"] as? [String] == ["kinds.weather.reload.after"])
    let estimates = try #require(found?["estimates"] as? [[String: Any]])
    let interval = try #require(estimates.first { $0["path"] as? String == "kinds.weather.reload.after" })
    #expect(abs((interval["value"] as? Double ?? 0) - 1_800) < 10)
  }

  /// A file that agrees with the log is unchanged, apart from comments.
  @Test func agreementChangesNothing() throws {
    let child = try Self.child("jsonl")
    defer { child.remove() }
    let outcome = try child.run([
      "calibrate", "truth.yaml", "--log", "log", "--id", "id", "--fix", "fleet.cohorts",
    ])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(!outcome.output.contains("WF620"))
    let written = child.read("Reports/truth-calibrate/calibrated.yaml").split(separator: "\n")
    let own = Self.truth.split(separator: "\n")
    #expect(written.count == own.count)
    for (line, before) in zip(written, own) { #expect(line.hasPrefix(before), "\(line)") }
  }

  /// No file that is written contains an ID, address or query from the log.
  @Test func nothingPersonalIsWritten() throws {
    let child = try Self.child("nginx", phones: 60)
    defer { child.remove() }
    let outcome = try child.run(["calibrate", "guess.yaml", "--log", "log", "--id", "query.install"])
    let line = try #require(child.read("log").split(separator: "\n").first)
    let id = try #require(line.split(separator: "install=").last?.prefix(16))
    let address = try #require(line.split(separator: " ").first)
    let texts = child.names(in: "Reports/guess-calibrate").map { child.read("Reports/guess-calibrate/\($0)") }
    #expect(texts.count > 6)
    for text in texts + [outcome.output, outcome.error] {
      #expect(!text.contains(id) && !text.contains(address) && !text.contains("install="))
    }
  }

  /// With a key file, the same log gives the same bytes for any number of threads, however it is cut or ordered.
  @Test func theSameLogGivesTheSameBytes() throws {
    let child = try Self.child("jsonl", phones: 60)
    defer { child.remove() }
    try child.write(String(repeating: "5eed", count: 8), to: "key")
    let lines = child.read("log").split(separator: "\n", omittingEmptySubsequences: false)
    try child.write(lines[..<(lines.count / 3)].joined(separator: "\n") + "\n", to: "first")
    try child.write(lines[(lines.count / 3)...].joined(separator: "\n"), to: "second")
    let base = ["calibrate", "guess.yaml", "--id", "id", "--key-file", "key"]
    let ways = [
      ["--log", "log", "--jobs", "1", "-o", "Reports/a"], ["--log", "log", "--jobs", "2", "-o", "Reports/b"],
      ["--log", "second", "--log", "first", "-o", "Reports/c"],
    ]
    for way in ways { #expect(try child.run(base + way).status == 1) }
    for name in child.names(in: "Reports/a") where name != "quality.csv" && name != "report.html" {
      #expect(child.read("Reports/a/\(name)") == child.read("Reports/b/\(name)"), "\(name)")
      #expect(child.read("Reports/a/\(name)") == child.read("Reports/c/\(name)"), "\(name)")
    }
    #expect(child.read("Reports/a/report.html") == child.read("Reports/b/report.html"))
  }

  /// Duplicating every phone doubles the number of phones; shifting every timestamp by an hour changes neither interval
  /// nor phones.
  @Test func laws() throws {
    let child = try Self.child("jsonl", phones: 100)
    defer { child.remove() }
    let lines = child.read("log").split(separator: "\n")
    let twins = lines.flatMap { line -> [String] in
      let own = String(line)
      let other = own.replacing("\"id\":\"", with: "\"id\":\"z").replacing("request_id\":\"", with: "request_id\":\"z")
      return [own, other]
    }
    try child.write(twins.joined(separator: "\n"), to: "doubled")
    let late = lines.map { line -> String in
      // In {"arrival":"2027-01-18T00:00:01.210Z, the day is at offset 20 and the hour at 23.
      let (day, hour) = (Int(line.dropFirst(20).prefix(2)) ?? 0, Int(line.dropFirst(23).prefix(2)) ?? 0)
      let (newDay, newHour) = hour == 23 ? (day + 1, 0) : (day, hour + 1)
      return line.prefix(20) + String(format: "%02dT%02d", newDay, newHour) + line.dropFirst(25)
    }
    try child.write(late.joined(separator: "\n"), to: "shifted")
    for name in ["log", "doubled", "shifted"] {
      let calibrate = ["calibrate", "guess.yaml", "--id", "id", "--no-simulation", "--log", name]
      #expect(try child.run(calibrate + ["-o", "Reports/\(name)"]).status == 1)
    }
    let (plain, doubled) = (Self.parameters(child, "log"), Self.parameters(child, "doubled"))
    let shifted = Self.parameters(child, "shifted")
    #expect(doubled["fleet.devices"]?.value == (plain["fleet.devices"]?.value ?? 0) * 2)
    #expect(shifted["fleet.devices"]?.value == plain["fleet.devices"]?.value)
    let interval = plain["kinds.weather.reload.after"]?.value ?? 0
    for other in [doubled, shifted] { #expect(abs((other["kinds.weather.reload.after"]?.value ?? 0) - interval) < 1) }
  }
}

/// Policies other than an interval, in a log.
extension CalibrateTests {
  private func outcome(of change: (String, String), says: String) throws -> (outcome: Child.Outcome, child: Child) {
    let child = try Child()
    let truth = Self.truth.replacing("reload: {after: 30min}", with: change.0)
    try child.write(truth, to: "truth.yaml")
    try child.write(
      truth.replacing(change.0, with: change.1).replacing("name: truth", with: "name: guess"), to: "guess.yaml")
    #expect(try child.run(["run", "truth.yaml", "--no-bracket", "--no-trials", "--requests", "log", "-q"]).status == 0)
    let outcome = try child.run(["calibrate", "guess.yaml", "--log", "log", "--id", "id", "--no-simulation"])
    #expect(outcome.output.replacing("\n", with: " ").replacing("  ", with: "").contains(says), "\(outcome.output)")
    return (outcome, child)
  }

  /// A cache that outlives the interval hides it, along with all estimates based on it: nothing is changed.
  @Test func aCacheHidesTheInterval() throws {
    let (outcome, child) = try outcome(
      of: ("reload: {after: 30min}\n    cache: {ttl: 2h}", "reload: {after: 45min}\n    cache: {ttl: 2h}"),
      says: "responses are cached")
    defer { child.remove() }
    #expect(outcome.status == 0)
    let calibrated = child.read("Reports/guess-calibrate/calibrated.yaml")
    #expect(calibrated.contains("after: 45min") && !calibrated.contains("start_delay"))
  }

  @Test func wallMarksAreReportedAsAnotherPolicy() throws {
    let (outcome, child) = try outcome(
      of: ("reload: {after: {every: 1h, zone: local}}", "reload: {after: 1h}"), says: "WF620 kinds.weather.reload.after"
    )
    defer { child.remove() }
    #expect(outcome.status == 1 && outcome.output.contains("fixed clock times"))
    let window = try #require(Self.parameters(child, "guess-calibrate")["os.start_delay.policy"])
    #expect(window.low ?? .infinity <= 900 && window.high ?? 0 >= 900)
  }
}

/// Keys without a closed form, found by simulation.
extension CalibrateTests {
  private static let unlocks = "fleet.cohorts.all.person.unlocks_per_day.lognormal.median"

  /// Returns a fleet of 50 phones that are unlocked 110 times a day in the median, compared with 60 in the file.
  private func fitted(_ options: [String]) throws -> (outcome: Child.Outcome, child: Child) {
    let person = "person: {unlocks_per_day: {lognormal: {median: 110, sigma: 0.55}}}"
    // Budgets that never bind would still cost a pilot fleet before each simulation.
    let changes = [
      ("devices: 300", "devices: 50"), ("duration: 6d", "duration: 4d"),
      ("widgets: [{kind: weather}]", "widgets: [{kind: weather}]\n      \(person)"),
      ("backend:", "os: {budget: {model: off}}\nbackend:"),
    ]
    let truth = changes.reduce(Self.truth) { $0.replacing($1.0, with: $1.1) }
    let child = try Child()
    try child.write(truth, to: "truth.yaml")
    try child.write(
      truth.replacing("median: 110", with: "median: 60").replacing("truth", with: "guess"), to: "guess.yaml")
    #expect(try child.run(["run", "truth.yaml", "--no-bracket", "--no-trials", "--requests", "log", "-q"]).status == 0)
    return (try child.run(["calibrate", "guess.yaml", "--log", "log", "--id", "id"] + options), child)
  }

  @Test func simulationFitsWhatClosedFormsCannot() throws {
    let (outcome, child) = try fitted(["--fit", Self.unlocks + "=20..300", "--max-minutes", "100000"])
    defer { child.remove() }
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    let found = try #require(Self.parameters(child, "guess-calibrate")[Self.unlocks])
    // 50 phones drawn with sigma 0.55 have a median of their own, which differs by 10 % from the distribution's.
    #expect(found.low ?? .infinity <= 110 && found.high ?? 0 >= 110, "\(found)")
    #expect(found.low ?? 0 > 60, "the file's value is ruled out: \(found)")
    #expect(outcome.output.contains("simulations identified 1 of 1 key."))
    let page = child.read("Reports/guess-calibrate/report.html")
    #expect(page.contains("What did the simulations find?") && page.contains("degrees of freedom"))
    #expect(child.read("Reports/guess-calibrate/fit.csv").split(separator: "\n").count == 2)
    // A single key has no correlations, and appears once in the table, without a second row among the unknown keys.
    #expect(child.read("Reports/guess-calibrate/correlation.csv") == "path,other_path,correlation\n")
    #expect(
      child.read("Reports/guess-calibrate/parameters.csv").split(separator: "\n").count {
        $0.hasPrefix(Self.unlocks + ",")
      } == 1)
    // Its distribution is not listed as unknown either.
    let law = Self.unlocks.replacing(".lognormal.median", with: "")
    #expect(!child.read("Reports/guess-calibrate/parameters.csv").contains("\n" + law + ","))
  }

  /// Without time, nothing is fitted or reported; an invalid range is refused where it is given.
  @Test func fitsEndInTimeAndAreChecked() throws {
    let (outcome, child) = try fitted(["--fit", Self.unlocks + "=20..300", "--max-minutes", "0.000000001"])
    defer { child.remove() }
    #expect(outcome.status == 0 && !outcome.output.contains("lognormal"), "\(outcome.output)")
    #expect(!child.names(in: "Reports/guess-calibrate").contains("fit.csv"))
    for wrong in ["fleet.nothing=1..2", Self.unlocks + "=9", Self.unlocks + "=9..1", "fleet.devices"] {
      let refused = try child.run(["calibrate", "guess.yaml", "--log", "log", "--id", "id", "--fit", wrong])
      #expect(refused.status == 2 || refused.status == 3, "\(wrong): \(refused.error)")
      #expect(refused.error.contains("--fit"), "\(refused.error)")
    }
  }
}

/// The values of `--set` are compared with the log, and are part of the simulation with the findings.
extension CalibrateTests {
  @Test func settingsThatTheLogConfirmsStay() throws {
    let child = try Self.child("jsonl", phones: 60)
    defer { child.remove() }
    let set = ["--set", "kinds.weather.reload.after=30min"]
    let outcome = try child.run(["calibrate", "guess.yaml", "--log", "log", "--id", "id"] + set)
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    let rows = child.read("Reports/guess-calibrate/load.csv").split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? 0 }
    }
    let sums = (1...3).map { column in rows.reduce(0) { $0 + $1[column] } }
    // 100 phones as given, 60 as found: about 60 x 6 x 37 runs, with 1 % of chance.
    #expect(abs(sums[1] / sums[0] - 100.0 / 60) < 0.15, "\(sums)")
    #expect(abs(sums[2] / sums[0] - 1) < 0.1, "\(sums)")
  }
}

/// Several kinds behind one path are reported, and so are files that were not read to the end.
extension CalibrateTests {
  @Test func kindsWithTheSamePathAreReported() throws {
    let child = try Child()
    defer { child.remove() }
    let truth = Self.truth.replacing(
      "fleet:", with: "  rain:\n    reload: {after: 2h}\n    requests: [{endpoint: forecast, down: 1kB}]\nfleet:"
    ).replacing("[{kind: weather}]", with: "[{kind: weather}, {kind: rain}]").replacing("300", with: "50")
    try child.write(truth, to: "truth.yaml")
    #expect(try child.run(["run", "truth.yaml", "--no-bracket", "--no-trials", "--requests", "log", "-q"]).status == 0)
    let outcome = try child.run(["calibrate", "truth.yaml", "--log", "log", "--id", "id"])
    #expect(outcome.output.contains("WF616 kinds 'weather', 'rain' use the same endpoints"))
    #expect(!outcome.output.contains("reload.after"))
    #expect(child.read("Reports/truth-calibrate/quality.csv").contains("WF616"))
    #expect(child.read("Reports/truth-calibrate/report.html").contains("WF616"))
    // The kind given in each line separates them.
    let named = try child.run([
      "run", "truth.yaml", "--no-bracket", "--no-trials", "--requests", "log", "--requests-probe", "-q",
    ])
    #expect(named.status == 0)
    let apart = try child.run([
      "calibrate", "truth.yaml", "--log", "log", "--id", "id", "--map", "kind=query.w", "--no-simulation",
    ])
    #expect(!apart.output.contains("WF616") && apart.output.contains("kinds.rain.reload.after"), "\(apart.output)")
  }

  /// Every fifth line of a log, declared as a sample: loads are scaled to all requests, and gaps are not used.
  @Test func samplesAreScaled() throws {
    let child = try Self.child("jsonl", phones: 60)
    defer { child.remove() }
    let lines = child.read("log").split(separator: "\n")
    let kept = lines.indices.filter { $0 % 5 == 0 }.map { lines[$0] }
    try child.write(kept.joined(separator: "\n") + "\n", to: "sampled")
    let outcome = try child.run(
      ["calibrate", "truth.yaml", "--log", "sampled", "--id", "id", "--sampled", "20%", "--no-simulation"])
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    let load = child.read("Reports/truth-calibrate/load.csv").split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropFirst().compactMap { Double($0) }.first ?? 0
    }
    #expect(load.reduce(0, +) == Double(5 * kept.count))
    #expect(outcome.output.contains("the log contains only a sample of the requests"))
    let found = Self.parameters(child, "truth-calibrate")
    #expect(found["kinds.weather.reload.after"] == nil && found["fleet.devices"]?.verdict == "notFromThisLog")
    #expect(found["backend.endpoints.forecast.latency.p50"]?.verdict == "identified")
    for share in ["0%", "120%", "a"] {
      #expect(try child.run(["calibrate", "truth.yaml", "--log", "sampled", "--sampled", share]).status == 2)
    }
  }

  @Test func truncatedLogsAreReported() throws {
    let child = try Self.child("jsonl", phones: 60)
    defer { child.remove() }
    #expect(Process.shell("gzip -c log | head -c 100000 > torn.gz", in: child.path(".")) == 0)
    let command = ["calibrate", "truth.yaml", "--log", "torn.gz", "--id", "id", "--no-simulation"]
    let refused = try child.run(command)
    #expect(refused.status == 4 && refused.error.contains("'torn.gz' is truncated"), "\(refused.error)")
    let accepted = try child.run(command + ["--damaged", "accept"])
    #expect(accepted.output.contains("'torn.gz' is truncated"), "\(accepted.output)")
  }
}

extension Process {
  /// Returns the exit status of a shell command.
  fileprivate static func shell(_ line: String, in folder: String) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
