import Foundation
import Testing

/// The `explain DIR FIGURE` command: the parts of a report's figure and the settings that lower it, compared with runs
/// that use them.
struct ExplainFigureTests {
  /// 600 unused phones whose widgets are all due at 09:30 and start within a minute.
  private static let bell = """
    schema: widgetfleet/v1
    name: bell
    clock: {start: 2027-01-18T08:00:00Z, settle: 0s, warmup: 2h, duration: 4h}
    kinds:
      bell: {reload: {after: {at: "09:30", zone: UTC}}, requests: [{endpoint: api, up: 1kB, down: 5kB}]}
    fleet:
      devices: 600
      cohorts:
        - name: ringers
          zones: {Europe/Berlin: 100%}
          person: {unlocks_per_day: 0, glances_per_unlock: 0}
          network: wifi
          power: mains
          widgets: [{kind: bell}]
    os: {idle: none, start_delay: {policy: {uniform: 0s..1min}}}
    events:
      - {name: down, at: 2027-01-18T09:30:20Z, outage: {endpoint: api, for: 10s}}

    """

  /// People with one widget that reloads too rarely and another that reloads too often.
  private static let tiles = """
    schema: widgetfleet/v1
    name: tiles
    clock: {start: 2027-01-18T00:00:00Z}
    kinds:
      rare: {reload: {after: 6h}, requests: [{endpoint: api, up: 1kB, down: 5kB}], stale_after: 2h}
      greedy: {reload: {after: 10min}, requests: [{endpoint: api, up: 1kB, down: 5kB}]}
    fleet:
      devices: 60
      cohorts:
        - {name: people, zones: {Europe/Berlin: 100%}, widgets: [{kind: rare}, {kind: greedy}]}
    os: {budget: {model: fixed, capacity: 20/day}}

    """

  private struct Explained: Decodable {
    struct Part: Decodable {
      var share: Double
      var cohort: String?
      var cause: String?
      var reason: String?
      var keys: [String]
      var byTheClock: Bool
    }
    struct Verdict: Decodable {
      var word: String
      var sentence: String
    }
    struct Setting: Decodable {
      var set: [String]
      var after: Double?
      var verdict: Verdict?
    }
    struct Window: Decodable {
      var fromS: Int
      var lengthS: Int
    }
    var question: String
    var value: Double?
    var verdict: Verdict?
    var note: String?
    var endpoint: String?
    var kind: String?
    var window: Window?
    var parts: [Part]?
    var without: [Setting]?
    var tried: Int?
    var settings: [Setting]?
  }

  private static func explained(_ child: Child, _ folder: String, _ question: String) throws -> Explained {
    let outcome = try child.run(["explain", folder, question, "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Explained.self, from: Data(outcome.output.utf8))
  }

  /// Returns a figure of summary.csv after a run with settings.
  private static func figure(
    _ child: Child, _ file: String, _ settings: [String], _ row: [String: String]
  ) throws -> Double {
    let options = settings.flatMap { ["--set", $0] }
    let run = try child.run(["run", file, "--no-bracket", "--no-trials", "-q", "-o", "again"] + options)
    #expect(run.status == 0, "\(run.error)")
    let lines = child.read("again/summary.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let header = try #require(lines.first)
    let found = lines.dropFirst().first { line in
      header.indices.allSatisfy { column in
        let wanted = row[header[column]]
        return wanted == line[column] || wanted == nil && (ignored.contains(header[column]) || line[column].isEmpty)
      }
    }
    let value = try #require(header.firstIndex(of: "value"))
    return try #require(found.flatMap { Double($0[value]) }, "\(row)")
  }

  /// The columns of summary.csv that are not part of a figure's name.
  private static let ignored: Set = ["statistic", "unit", "value", "low", "high", "prompt", "lazy"]

  private static func isNear(_ left: Double?, _ right: Double) -> Bool {
    left.map { abs($0 - right) <= 1e-6 * max(abs(right), 1) } ?? false
  }

  /// Entries on the clock make phones due together; entries from the run do not. The time is that of the fleet's zone,
  /// an hour ahead of UTC.
  @Test func alignedEntriesAreTheCause() throws {
    let child = try Child()
    defer { child.remove() }
    let aligned = "{reload: at-end, entries: {count: 4, every: 20min, align: wall}, requests: "
    let text = Self.bell.replacing("{reload: {after: {at: \"09:30\", zone: UTC}}, requests: ", with: aligned)
      .replacing("warmup: 2h", with: "warmup: 20h").components(separatedBy: "events:")[0]
    try child.write(text, to: "aligned.yaml")
    #expect(try child.run(["run", "aligned.yaml", "--no-bracket", "--no-trials", "-q"]).status == 0)
    let told = try child.run(["explain", "Reports/bell", "peak"]).output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(told.contains("Its entries are aligned to 20 min, so phones are due together."), "\(told)")
    #expect(told.contains("--set kinds.bell.entries.align=run"), "\(told)")
    #expect(told.contains("--set kinds.bell.jitter.up_to=15min"), "\(told)")
    #expect(told.contains("in Berlin:") && !told.contains("UTC"), "\(told)")
  }

  /// Each of two pushes makes a crest that exceeds the servers' capacity: spread together they pass, but come later.
  /// The page notes that capacity figures include a time with failed requests, and shows the assumed span of pushes.
  /// The loads are those of the phones.
  @Test func spreadPushesArriveLater() throws {
    let child = try Child()
    defer { child.remove() }
    let extra = """
      backend: {endpoints: {api: {capacity: 2/s, queue: 30, base_load: {rate: 0.001/s, hours: flat}}}}
      events:
        - {name: one, at: 2027-01-18T00:17:00Z, push: {type: silent, audience: 100%, kinds: all}}
        - {name: two, at: 2027-01-18T00:37:00Z, push: {type: silent, audience: 100%, kinds: all}}
      """
    let text = Child.scenario(devices: 400, extra: extra).replacing("warmup: 0s", with: "warmup: 2h")
      .replacing("{after: 2h, give_up: 0s}", with: "none, budget: {model: off}")
    try child.write(text, to: "small.yaml")
    let asItIs = try child.run(["run", "small.yaml", "--no-bracket", "--no-trials", "-q"])
    #expect(asItIs.status == 0)
    // With trials, the output ends with options that help, for the finding with the most severe effect.
    let advised = try child.run(["run", "small.yaml", "--no-bracket", "-o", "advised"]).output
    let advice = advised.split(separator: "\n").last { $0.hasPrefix("Try --set ") }
    #expect(advice?.contains("failed requests from") == true, "\(advised)")
    let page = child.read("Reports/small/report.html")
    #expect(page.contains(", while requests fail"))
    #expect(page.contains("Time over which a push is sent") && page.contains(", two 0"))
    let told = try child.run(["explain", "Reports/small", "peak"]).output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(told.contains("--set events.one.push.over=15min --set events.two.push.over=15min"), "\(told)")
    #expect(told.contains("pushes arrive up to 15min later"))
    #expect(told.contains("the servers' peak in the goals' window"))
    #expect(told.contains("of what the phones send, without the base load;"), "\(told)")
    try eachIsJudgedAsByRun(child, asItIs.output)
  }

  /// The verdicts are the last lines of runs: of the folder's own run, and of one with each setting, including the
  /// bracket.
  private func eachIsJudgedAsByRun(_ child: Child, _ own: String) throws {
    let peak = try Self.explained(child, "Reports/small", "peak")
    #expect(peak.verdict?.sentence == Self.lastLine(own))
    let settings = try #require(peak.settings)
    #expect(settings.count == 3)
    for setting in settings {
      #expect(setting.verdict.map { $0.sentence.hasPrefix($0.word) } == true)
      let options = ["--no-trials", "-q", "-o", "judged"] + setting.set.flatMap { ["--set", $0] }
      let run = try child.run(["run", "small.yaml"] + options)
      #expect(setting.verdict?.sentence == Self.lastLine(run.output), "\(setting.set)")
    }
  }

  private static func lastLine(_ output: String) -> String? { output.split(separator: "\n").last.map(String.init) }

  @Test func peakOfASynchronizedStartIsExplained() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.bell, to: "bell.yaml")
    #expect(try child.run(["run", "bell.yaml", "--no-bracket", "-q"]).status == 0)
    let peak = try Self.explained(child, "Reports/bell", "peak")
    #expect(peak.question == "peak" && peak.endpoint == "api")
    // 600 requests in the minute of 09:30, an hour and a half after the start.
    #expect(peak.window?.fromS == 5_400 && peak.window?.lengthS == 60)
    // The last answers may arrive in the following minute.
    #expect(peak.value.map { $0 > 9.9 && $0 <= 10 } == true)
    let part = try #require(peak.parts?.first)
    #expect(part.share == 1 && part.cohort == "ringers" && part.cause == "policy")
    #expect(part.keys == ["kinds.bell.reload"] && part.byTheClock)
    let settings = try #require(peak.settings)
    #expect((1...3).contains(settings.count) && settings[0].set.contains { $0.hasPrefix("kinds.bell.jitter.up_to=") })
    // The best comes first, and each count is that of a run with the setting.
    #expect(settings.map { $0.after ?? 0 } == settings.map { $0.after ?? 0 }.sorted())
    for setting in settings {
      let again = try Self.figure(
        child, "bell.yaml", setting.set, ["metric": "peak_rps", "endpoint": "api", "window": "1min"])
      #expect(Self.isNear(setting.after, again), "\(setting)")
      #expect(again < 9.9)
    }
    let text = try child.run(["explain", "Reports/bell", "peak"])
    #expect(text.status == 0 && text.error.isEmpty)
    #expect(text.output.contains("10:30 in Berlin") && text.output.contains("--set kinds.bell.jitter.up_to="))
    let sentence = "No setting tried alone lowers it below "
    let lowest = text.output.components(separatedBy: sentence).last?.split(separator: " ").first.flatMap { Double($0) }
    let strongest = try #require(settings[0].after)
    #expect(lowest.map { abs($0 / strongest - 1) < 0.01 } == true, "\(text.output)")
    #expect(!text.output.contains("base load"))
  }

  /// A push wakes 600 phones at once: spread over 4 h, of which 2.5 h are measured, they make the lowest peak.
  @Test func pushesAreSpread() throws {
    let child = try Child()
    defer { child.remove() }
    let pushed = Self.bell.replacing("{after: {at: \"09:30\", zone: UTC}}", with: "never")
      .replacing("outage: {endpoint: api, for: 10s}", with: "push: {type: widget, over: 0s}")
    try child.write(pushed, to: "push.yaml")
    #expect(try child.run(["run", "push.yaml", "--no-bracket", "-q"]).status == 0)
    let settings = try #require(try Self.explained(child, "Reports/bell", "peak").settings)
    #expect(settings.map(\.set) == ["4h", "1h", "15min"].map { ["events.down.push.over=\($0)"] })
  }

  /// A sixth of the starts fall into a ten-second outage, and all of these fail because of it.
  @Test func failuresOfASynchronizedStartAreExplained() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.bell, to: "bell.yaml")
    #expect(try child.run(["run", "bell.yaml", "--no-bracket", "-q"]).status == 0)
    let failures = try Self.explained(child, "Reports/bell", "failures")
    #expect(failures.parts?.first?.reason == "outage" && failures.parts?.first?.share == 1)
    #expect(failures.parts?.last?.cause == "policy")
    let value = try #require(failures.value)
    // 100 of 600, and as many again when they are retried: 1/7 of the requests.
    #expect(abs(value - 1.0 / 7) < 4.5 * 0.015)
    let setting = try #require(failures.settings?.first)
    let again = try Self.figure(
      child, "bell.yaml", setting.set, ["metric": "failures", "endpoint": "api", "statistic": "share"])
    #expect(Self.isNear(setting.after, again) && again < value)
  }

  @Test func staleViewsAndBudgets() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.tiles, to: "tiles.yaml")
    #expect(try child.run(["run", "tiles.yaml", "--no-bracket", "-q"]).status == 0)
    let stale = try Self.explained(child, "Reports/tiles", "stale")
    let value = try #require(stale.value)
    // The data of a widget that reloads every 6 hours is less than 2 hours old for at most a third of the time.
    #expect(stale.kind == "rare" && value > 0.5)
    let first = try #require(stale.settings?.first)
    #expect(first.set == ["kinds.rare.reload.after=3h"])
    let again = try Self.figure(
      child, "tiles.yaml", first.set, ["metric": "stale_views", "kind": "rare", "statistic": "share"])
    #expect(Self.isNear(first.after, again) && again < value)
    #expect(stale.without?.contains { $0.set.contains("os.idle=none") } == true)

    let budget = try Self.explained(child, "Reports/tiles", "budget")
    #expect(budget.kind == "greedy" && budget.parts?.first?.cause == "policy")
    let longer = try #require(budget.settings?.first)
    #expect(longer.set.first?.hasPrefix("kinds.greedy.reload.after=") == true)
    let times = try Self.figure(
      child, "tiles.yaml", longer.set, ["metric": "budget_exhausted_per_day", "kind": "greedy", "statistic": "mean"])
    #expect(Self.isNear(longer.after, times))
  }

  /// An endpoint takes 100 s per answer for 60 phones with tens of requests a day: data is old because most requests
  /// fail.
  @Test func staleBecauseServersAreOverloaded() throws {
    let child = try Child()
    defer { child.remove() }
    let backend = "backend: {endpoints: {api: {capacity: 0.01/s, queue: 1}}}\n"
    try child.write(Self.tiles + backend, to: "tiles.yaml")
    #expect(try child.run(["run", "tiles.yaml", "--no-bracket", "-q"]).status == 0)
    let stale = try Self.explained(child, "Reports/tiles", "stale")
    let unlimited = try #require(stale.without?.first { $0.set.first?.hasPrefix("backend.") == true })
    #expect(unlimited.set == ["backend.endpoints.api.capacity=none"])
    #expect(try #require(unlimited.after) < (try #require(stale.value)))
    let text = try child.run(["explain", "Reports/tiles", "stale"]).output
    #expect(text.contains("without a capacity limit for api: "), "\(text)")
  }

  /// A message appears if there is nothing to explain or nothing helps.
  @Test func nothingToExplain() throws {
    let child = try Child()
    defer { child.remove() }
    let free = ["--set", "os.budget.model=off"]
    #expect(try child.run(["run", "small.yaml", "--no-bracket", "-q"] + free).status == 0)
    for (question, says) in [
      ("failures", "No requests failed"), ("stale", "No kind has stale_after"), ("budget", "No budget ran out"),
    ] {
      let outcome = try child.run(["explain", "Reports/small", question])
      #expect(outcome.status == 0 && outcome.output.contains(says), "\(outcome.output)")
      let document = try Self.explained(child, "Reports/small", question)
      #expect(document.value == nil && document.note?.contains(says) == true)
    }
    let never = Self.tiles.replacing("{after: 6h}", with: "never").replacing("name: tiles", with: "name: never")
    try child.write(never, to: "never.yaml")
    #expect(try child.run(["run", "never.yaml", "--no-bracket", "-q"]).status == 0)
    let stale = try child.run(["explain", "Reports/never", "stale"])
    #expect(stale.status == 0 && stale.output.contains("tried lowers it: kinds.rare."), "\(stale.output)")
  }

  @Test func badInput() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "--no-bracket", "-q"]).status == 0)
    for (arguments, status, says) in [
      (["Reports/small"], 2, "name the figure to explain"), (["Reports/small", "peek"], 2, "did you mean 'peak'?"),
      (["nowhere", "peak"], 4, "No such file"), (["Reports", "peak"], 2, "is not a results folder"),
      (["small.yaml", "peak"], 2, "is not a results folder"),
    ] {
      let outcome = try child.run(["explain"] + arguments)
      #expect(outcome.status == status && outcome.error.contains(says), "\(arguments): \(outcome.error)")
    }
  }
}
