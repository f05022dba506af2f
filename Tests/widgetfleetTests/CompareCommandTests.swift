import Foundation
import Testing

/// The `compare` command as a child process.
struct CompareCommandTests {
  /// Returns a folder with the runs `base` (reloads after 15 min) and `new` (after 30 min), with 40 devices and 3
  /// replications.
  private func child() throws -> Child {
    let child = try Child()
    // A budget would withhold the more frequent reloads.
    try child.write(child.read("small.yaml").replacing("os: {", with: "os: {budget: {model: off}, "), to: "small.yaml")
    for (name, span) in [("base", "15min"), ("new", "30min")] {
      let outcome = try child.run(
        ["run", "small.yaml", "-o", name, "-n", "3", "--no-bracket", "--set", "kinds.weather.reload.after=\(span)"])
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    return child
  }

  private struct Document: Decodable {
    struct Side: Decodable {
      var name: String
      var seed: Int
      var replications: Int
    }
    struct Difference: Decodable {
      var path: String
      var base: String?
      var new: String?
    }
    struct Condition: Decodable {
      var condition: String
      var verdict: String
      var difference: Double?
    }
    struct Figure: Decodable {
      var metric: String
      var statistic: String
      var kind: String
      var base: Double?
      var new: Double?
      var difference: Double?
      var size: String
    }
    struct Distribution: Decodable {
      var metric: String
      var distance: Double
    }
    struct Comparison: Decodable {
      var new: Side
      var scenarioDifferences: [Difference]
      var conditions: [Condition]
      var figures: [Figure]
      var distributions: [Distribution]
    }
    var schema: String
    var base: Side
    var comparisons: [Comparison]
  }

  private func document(_ outcome: Child.Outcome) throws -> Document {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Document.self, from: Data(outcome.output.utf8))
  }

  @Test func foldersAreCompared() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["compare", "base", "new", "--format", "json", "--fail-on", "requests > -90%"])
    #expect(outcome.status == 1, "\(outcome.error)")
    let document = try document(outcome)
    #expect(document.schema == "widgetfleet.comparison/v1")
    #expect(document.base.name == "base" && document.base.replications == 3)
    let comparison = try #require(document.comparisons.first)
    #expect(comparison.scenarioDifferences.map(\.path) == ["kinds.weather.reload.after"])
    #expect(comparison.scenarioDifferences.first?.base == "15min")
    #expect(comparison.scenarioDifferences.first?.new == "30min")
    #expect(comparison.conditions.map(\.verdict) == ["regression"])
    // Reloading half as often sends fewer requests; the same phones have the same widgets.
    let figures = comparison.figures
    let requests = try #require(figures.first { $0.metric == "requests" && $0.kind.isEmpty && $0.statistic == "total" })
    #expect((requests.difference ?? 0) < 0)
    #expect(requests.size == "large")
    #expect(figures.allSatisfy { $0.metric != "widgets" || $0.size == "equal" })
    for figure in figures {
      guard let base = figure.base, let new = figure.new, let difference = figure.difference else { continue }
      #expect(abs(new - base - difference) <= 1e-9 * max(abs(base), abs(new), 1))
    }
  }

  /// A file is simulated, with the same results as its folder.
  @Test func filesAreSimulated() throws {
    let child = try child()
    defer { child.remove() }
    try child.write(child.read("small.yaml").replacing("15min", with: "30min"), to: "slow.yaml")
    let folders = try child.run(["compare", "base", "new", "--format", "json"])
    for operands in [["base", "slow.yaml"], ["small.yaml", "new"], ["small.yaml", "slow.yaml"]] {
      let outcome = try child.run(["compare", "-n", "3", "--format", "json"] + operands)
      #expect(outcome.status == 0, "\(outcome.error)")
      let named = outcome.output.replacing("\"name\": \"\(operands[0])\"", with: "\"name\": \"base\"")
        .replacing("\"name\": \"\(operands[1])\"", with: "\"name\": \"new\"")
      let isSame = named == folders.output
      #expect(isSame, "\(operands)")
    }
    #expect(!child.names().contains("Reports"))
  }

  @Test func equalScenariosCompareAsUnchanged() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["compare", "base", "base", "new", "--fail-on", "requests > +0%"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("The scenarios are the same.\n"))
    #expect(outcome.output.contains("No figure changed by 1 % or more."))
    #expect(outcome.output.contains("The scenarios differ in 1 value:\n"))
    #expect(outcome.output.contains("kinds.weather.reload.after  15min  30min\n"))
  }

  /// Options that change simulations are refused if the results already exist, or if a folder is compared with a
  /// changed copy of itself. A seed in the environment may be meant for something else, and so may one for a file next
  /// to a folder.
  @Test(arguments: [["--quick"], ["--set", "run.simulate=10"], ["-n", "2"]])
  func optionsForFoldersAreRefused(option: [String]) throws {
    let child = try child()
    defer { child.remove() }
    for operands in [["base", "new"], ["base", "--with", "kinds.weather.reload.after=20min"]] {
      let outcome = try child.run(["compare"] + operands + option)
      #expect(outcome.status == 2 && outcome.error.contains("changes the simulation"), "\(outcome.error)")
    }
    #expect(try child.run(["compare", "base", "new"], environment: ["WIDGETFLEET_SEED": "5"]).status == 0)
  }

  @Test func markdownOutputIsATable() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["compare", "base", "new", "--format", "markdown", "--fail-on", "requests < -1%"])
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("## WidgetFleet: small\n\n**REGRESSION**: requests is "))
    #expect(outcome.output.contains("\n\nbase → new."))
    #expect(outcome.output.contains("\n| regression | requests &lt; -1% | "))
    let rows = outcome.output.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.contains { $0.hasPrefix("| requests | ") })
    #expect(rows.allSatisfy { $0.hasSuffix("|") })
  }

  /// Eight rows below the table headings are shown, including those of conditions; the rest are folded.
  @Test func markdownShowsEightRowsAndFoldsTheRest() throws {
    let child = try child()
    defer { child.remove() }
    let conditions = ["requests < -1%", "runs_per_day < -1%", "mean_rps < -1%"].flatMap { ["--fail-on", $0] }
    let text = try child.run(["compare", "base", "new", "--format", "markdown"] + conditions).output
    let parts = text.split(separator: "<details>", maxSplits: 1).map(String.init)
    try #require(parts.count == 2)
    let rows = { (part: String) in part.split(separator: "\n").filter { $0.hasPrefix("| ") } }
    // Two tables are shown, with three conditions and five figures.
    #expect(rows(parts[0]).count == 2 + 8, "\(parts[0])")
    #expect(rows(parts[1]).count > 1 && parts[1].hasSuffix("\n\n</details>\n"))
  }

  // MARK: --with

  /// If a file is compared with a changed copy of itself, the sides are the file and the copy; a folder keeps all
  /// settings of its run.
  @Test func scenarioIsComparedWithItsChangedCopy() throws {
    let child = try child()
    defer { child.remove() }
    let with = ["--with", "kinds.weather.reload.after=30min"]
    let two = try child.run(["compare", "base", "new", "--format", "json"])
    for base in [["small.yaml", "-n", "3"], ["base"]] {
      let outcome = try child.run(["compare"] + base + with + ["--format", "json"])
      #expect(outcome.status == 0, "\(outcome.error)")
      let named = outcome.output
        .replacing("\"name\": \"\(base[0]) with kinds.weather.reload.after=30min\"", with: "\"name\": \"new\"")
        .replacing("\"name\": \"\(base[0])\"", with: "\"name\": \"base\"")
      let isSame = named == two.output
      #expect(isSame, "\(base)")
    }
    // Several changes together make one NEW, and --set changes both sides.
    let both = try child.run(
      ["compare", "small.yaml", "--with", "kinds.weather.jitter.up_to=5min", "--set", "kinds.weather.cpu=1s"] + with)
    #expect(both.status == 0, "\(both.error)")
    #expect(both.output.contains("The scenarios differ in 2 values:\n"), "\(both.output)")
  }

  @Test(arguments: [
    (["small.yaml"], 2, "NEW is missing"),
    (["small.yaml", "new", "--with", "clock.step=1s"], 2, "--with makes NEW from BASE"),
    (["small.yaml", "--with", "kinds.weather.jiter.up_to=1s"], 2, "--with does not name a key: 'jiter'"),
    (["small.yaml", "--with", "kinds.weather.reload.after=often"], 2, "--with argument:1:28"),
    (["small.yaml", "--with", "kinds.weather.reload.after="], 2, "--with has no value"),
    (["small.yaml", "--with", "kinds.weather.reload.after"], 2, "--with takes PATH=VALUE"),
    (["base", "--with", "kinds.weather.reload.after=often"], 2, "--with argument:1:28"),
    (["base", "--with", "run.seed=2"], 2, "seed 2 instead of 1; --with can"),
    (["small.yaml", "--with", "fleet.devices=41"], 2, "a fleet of 41 devices instead of 40; --with can"),
    (["-", "--with", "clock.step=1s"], 2, "standard input can be read only once"),
    (["nowhere", "--with", "clock.step=1s"], 4, "cannot read"),
  ])
  func mistakesInWithAreReported(_ arguments: [String], _ status: Int32, _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["compare"] + arguments, input: child.read("small.yaml"))
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }

  /// The results that decide the exit status.
  @Test(
    arguments: [
      ([], 0), (["--fail-on", "requests > +5%"], 0), (["--fail-on", "requests < -5%"], 1),
      (["--fail-on", "requests > +5%", "--fail-on", "requests < -5%"], 1),
      (["--fail-on", "requests < -5%", "--exit-zero"], 0), (["--fail-on", "data_age > +5%"], 0),
      (["--fail-on", "data_age > +5%", "--strict"], 1), (["--fail-on", "requests > 5%"], 2),
      (["--fail-on", "requests{endpoint=apu} > +5%"], 2), (["--fail-on", "stale_views > +5%"], 2),
      (["--min-effect", "5"], 2), (["--min-effect", "101%"], 2), (["--min-effect", "5%"], 0),
      (["--format", "html"], 2), (["--html", ""], 2), (["--html", "."], 4), (["--html", "x.html"], 0),
    ] as [([String], Int32)])
  func exitCodes(_ arguments: [String], _ status: Int32) throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["compare", "base", "new"] + arguments)
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(status != 2 || !outcome.error.isEmpty && outcome.output.isEmpty)
  }

  /// Results that cannot be paired, with the messages.
  @Test(arguments: [
    (["--seed", "2"], "seed 2 instead of 1"), (["-n", "2"], "2 replications instead of 3"),
    (["--set", "clock.step=10s"], "another clock"),
    (["--set", "fleet.devices=41"], "a fleet of 41 devices instead of 40"),
    (["--set", "run.simulate=20"], "20 devices simulated instead of 40"),
    (["--set", "fleet.cohorts.all.zones={Asia/Tokyo: 100%}"], "other zones or phones"),
    (["--set", "fleet.cohorts.all.name=some"], "other cohorts"),
  ])
  func unpairableResultsAreRefused(_ arguments: [String], _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    let run = try child.run(
      ["run", "small.yaml", "-o", "other", "--no-bracket"] + (arguments.first == "-n" ? [] : ["-n", "3"]) + arguments)
    #expect(run.status == 0, "\(run.error)")
    let outcome = try child.run(["compare", "base", "other"])
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix("error: 'other' cannot be compared with 'base', pair by pair: it has "))
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }

  @Test func missingSidesAreRefused() throws {
    let child = try child()
    defer { child.remove() }
    let missing = try child.run(["compare", "base", "nowhere"])
    #expect(missing.status == 4)
    let alone = try child.run(["compare", "base"])
    #expect(alone.status == 2)
    let both = try child.run(["compare", "-", "-"], input: child.read("small.yaml"))
    #expect(both.status == 2 && both.error.contains("standard input"))
  }
}
