import Foundation
import Testing

/// The pages of `compare`, `sweep` and `tradeoff` as files that a child process leaves.
struct StudyPageCommandTests {
  /// `small.yaml` with people who look at data that gets stale, and no budget.
  private func child(extra: String = "") throws -> Child {
    let child = try Child()
    let text = Child.scenario(devices: 20, extra: extra)
      .replacing("os: {", with: "os: {budget: {model: off}, ")
      .replacing("person: {unlocks_per_day: 0, glances_per_unlock: 0}", with: "person: {unlocks_per_day: 100}")
      .replacing("reload: {after: 15min}", with: "reload: {after: 15min}\n    stale_after: 20min")
      .replacing("      power: mains\n", with: "")
    try child.write(text, to: "small.yaml")
    return child
  }

  private static let grid = ["--vary", "kinds.weather.reload.after=10min,30min", "-n", "2"]

  // MARK: compare --html

  @Test func comparisonsArePagesToo() throws {
    let child = try child()
    defer { child.remove() }
    for (name, span) in [("base", "15min"), ("new", "30min")] {
      let outcome = try child.run(
        ["run", "small.yaml", "-o", name, "-n", "2", "--no-bracket", "--set", "kinds.weather.reload.after=\(span)"])
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    let options = ["--html", "page.html", "--fail-on", "requests > +500%"]
    let folders = try child.run(["compare", "base", "new"] + options)
    #expect(folders.status == 0 && folders.error.contains("page: page.html\n"), "\(folders.error)")
    let page = child.read("page.html")
    for word in [
      "id=\"conditions\"", "id=\"load\"", "data-zoom", "id=\"figures\"", "id=\"distributions\"", "base: base",
    ] {
      #expect(page.contains(word), "\(word)")
    }
    #expect(page.contains("kinds.weather.reload.after"))
    // A file instead of its folder: the same page but for the name.
    try child.write(child.read("small.yaml").replacing("15min", with: "30min"), to: "slow.yaml")
    let mixed = try child.run(["compare", "base", "slow.yaml", "-n", "2"] + options)
    #expect(mixed.status == 0, "\(mixed.error)")
    let isSame = child.read("page.html").replacing("slow.yaml", with: "new") == page
    #expect(isSame)
    // Without load.csv everything else is there.
    try FileManager.default.removeItem(atPath: child.path("new/load.csv"))
    #expect(try child.run(["compare", "base", "new"] + options).status == 0)
    #expect(child.read("page.html").contains("No load.csv, so not drawn: new: new."))
    #expect(child.names().allSatisfy { !$0.hasSuffix(".partial") })
  }

  @Test(arguments: [
    (["--html", "."], 4, "it is not a file"), (["--html", "/proc/none/page.html"], 4, "cannot write"),
    (["--html="], 2, "--html needs the name of a file"), (["--html"], 2, "--html needs a value"),
  ])
  func whatIsInTheWayIsTold(_ options: [String], _ status: Int32, _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["compare", "small.yaml", "small.yaml"] + options)
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }

  // MARK: tradeoff

  @Test func aTradeoffIsAFolder() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["tradeoff", "small.yaml"] + Self.grid)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(
      child.names(in: "Reports/small-tradeoff") == ["manifest.json", "tradeoff.csv", "tradeoff.html", "tradeoff.svg"])
    #expect(outcome.output.contains("\n\nRecommended: reload.after "), "\(outcome.output)")
    let rows = child.read("Reports/small-tradeoff/tradeoff.csv").split(separator: "\n")
    #expect(rows.count == 3 && rows[1].hasPrefix("1,10min,") && rows[2].hasPrefix("2,30min,"))
    // JSON, on one thread and with the same bytes in the folder; what is there is replaced.
    let before = child.names(in: "Reports/small-tradeoff").map { child.read("Reports/small-tradeoff/\($0)") }
    let json = try child.run(["tradeoff", "small.yaml", "--format", "json", "--jobs", "1"] + Self.grid)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "widgetfleet.tradeoff/v1")
    #expect((document["settings"] as? [[String: Any]])?.count == 2)
    let isSame = child.names(in: "Reports/small-tradeoff").map { child.read("Reports/small-tradeoff/\($0)") } == before
    #expect(isSame)
    #expect(try child.run(["run", "small.yaml", "--no-bracket", "-o", "Reports/small-tradeoff"]).status == 0)
    #expect(!child.names(in: "Reports/small-tradeoff").contains("tradeoff.svg"))
  }

  /// More reloads are more requests: of two goals that ask for the opposite none is met.
  @Test func goalsDecide() throws {
    let child = try child(extra: "goals: [{id: few, assert: 'requests <= 1'}]")
    defer { child.remove() }
    let outcome = try child.run(["tradeoff", "small.yaml"] + Self.grid)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("No setting meets every goal, so none is recommended."))
    #expect(try child.run(["tradeoff", "small.yaml", "--exit-zero"] + Self.grid).status == 0)
    #expect(child.read("Reports/small-tradeoff/tradeoff.html").contains("so none is recommended"))
  }

  @Test(arguments: [
    (["small.yaml"], 2, "there is nothing to vary"), (["small.yaml", "--vary", "run.sede=1"], 2, "did you mean"),
    (["small.yaml", "--vary", "kinds.weather.reload.after=1h,soon"], 2, "soon"),
    (["small.yaml", "--vary", "kinds.weather.reload.after="], 2, "WF"),
    (["small.yaml", "--vary", "run.seed=1,2", "-o", "small.yaml"], 4, "it is not a folder"),
    (["small.yaml", "--vary", "run.seed=1,2", "-o", "there"], 4, "it is a folder without a manifest of ours"),
    (["small.yaml", "--vary", "run.seed=1,2", "-o", "/proc/none/out"], 4, "cannot write"),
    (["nowhere.yaml", "--vary", "run.seed=1,2"], 4, "cannot read"), ([], 2, "SCENARIO is missing"),
    (["small.yaml", "--vary", "run.seed=1,2", "--set", "kinds.weather.requests=[]"], 2, "has nothing to trade off"),
  ])
  func mistakes(_ arguments: [String], _ status: Int32, _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    try FileManager.default.createDirectory(atPath: child.path("there"), withIntermediateDirectories: false)
    try child.write("mine", to: "there/notes.txt")
    let outcome = try child.run(["tradeoff"] + arguments)
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(child.names(in: "Reports").isEmpty)
    #expect(child.names(in: "there") == ["notes.txt"])
  }

  /// What the page gives to be copied is what `run` takes, as arguments and as keys of the file.
  @Test func thePatchOfThePageIsValid() throws {
    let child = try child(extra: "goals: [{id: few, assert: 'requests <= 1G'}]")
    defer { child.remove() }
    let values = ["--vary", "kinds.weather.jitter={up_to: 5min},{up_to: 1min}"]
    #expect(try child.run(["tradeoff", "small.yaml", "-o", "out"] + Self.grid + values).status == 0)
    let page = child.read("out/tradeoff.html").replacing("&#39;", with: "'")
    let blocks = page.matches(of: /<code>([^<]*)<\/code>/).map { String($0.1) }
    #expect(blocks.count == 2)
    // Words of a shell, of which those with blanks stand in quotes.
    let arguments = blocks[0].split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
      index, part in
      index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
    #expect(arguments.count == 4 && arguments[0] == "--set")
    let valid = try child.run(["run", "small.yaml", "--dry-run"] + arguments)
    #expect(valid.status == 0, "\(valid.error)")
    #expect(try child.run(["run", "small.yaml", "-o", "set", "--no-bracket"] + arguments).status == 0)
    // The keys in place of those of the file.
    let after = try #require(blocks[1].firstMatch(of: /after: (.*)/))
    let jitter = try #require(blocks[1].firstMatch(of: /jitter: (.*)/))
    #expect(blocks[1].hasPrefix("kinds:\n  weather:\n    jitter: {"))
    let text = child.read("small.yaml").replacing(
      "reload: {after: 15min}", with: "reload: {after: \(after.1)}\n    jitter: \(jitter.1)")
    try child.write(text, to: "small.yaml")
    #expect(try child.run(["run", "small.yaml", "-o", "file", "--no-bracket"]).status == 0)
    #expect(child.read("set/summary.csv") == child.read("file/summary.csv"))
  }

  // MARK: sweep and run --until-ci

  @Test func aSweepHasAPage() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["sweep", "small.yaml", "-o", "out"] + Self.grid)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.contains("results: out/report.html\n"))
    let page = child.read("out/report.html")
    for word in ["id=\"answer\"", "id=\"settings\"", "id=\"maps\"", "id=\"varied\"", "default-src"] {
      #expect(page.contains(word), "\(word)")
    }
    #expect(!page.contains("<script"))
  }

  /// The page of the folder is that of the run, with what was asked for.
  @Test func theReportSaysWhatWasAskedFor() throws {
    let child = try child(extra: "goals: [{id: load, assert: 'requests <= 1M'}]")
    defer { child.remove() }
    let outcome = try child.run(["run", "small.yaml", "--until-ci", "20%", "-o", "out", "--no-bracket"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let page = child.read("out/report.html")
    #expect(page.contains("As many replications were asked for as it takes to know every goal&#39;s figure within"))
    #expect(page.contains("100 at most: 5 were enough."))
    #expect(try child.run(["report", "out", "-o", "again.html"]).status == 0)
    let isSame = child.read("again.html") == page
    #expect(isSame)
  }
}
