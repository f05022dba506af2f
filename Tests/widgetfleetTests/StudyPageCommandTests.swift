import Foundation
import Testing

/// The pages of `compare` and `sweep`, as files written by a child process.
struct StudyPageCommandTests {
  /// Returns `small.yaml` with people who view data that becomes stale, and without a budget.
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

  @Test func compareWritesAPage() throws {
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
    // A file instead of its folder gives the same page, except for the name.
    try child.write(child.read("small.yaml").replacing("15min", with: "30min"), to: "slow.yaml")
    let mixed = try child.run(["compare", "base", "slow.yaml", "-n", "2"] + options)
    #expect(mixed.status == 0, "\(mixed.error)")
    let isSame = child.read("page.html").replacing("slow.yaml", with: "new") == page
    #expect(isSame)
    #expect(child.names().allSatisfy { !$0.hasSuffix(".partial") })
  }

  @Test(arguments: [
    (["--html", "."], 4, "it is not a file"), (["--html", "/proc/none/page.html"], 4, "cannot write"),
    (["--html="], 2, "--html needs a file name"), (["--html"], 2, "--html needs a value"),
  ])
  func existingFileInTheWayIsReported(_ options: [String], _ status: Int32, _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["compare", "small.yaml", "small.yaml"] + options)
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
  }

  // MARK: sweep

  @Test(arguments: [
    (["small.yaml", "--vary", "kinds.weather.reload.after="], Int32(2), "WF"),
    (["small.yaml", "--vary", "run.seed=1,2", "-o", "small.yaml"], 4, "it is not a folder"),
    (["small.yaml", "--vary", "run.seed=1,2", "-o", "there"], 4, "it is a folder without a widgetfleet manifest"),
    (["small.yaml", "--vary", "run.seed=1,2", "-o", "/proc/none/out"], 4, "cannot write"),
    (["nowhere.yaml", "--vary", "run.seed=1,2"], 4, "cannot read"),
  ])
  func badInput(_ arguments: [String], _ status: Int32, _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    try FileManager.default.createDirectory(atPath: child.path("there"), withIntermediateDirectories: false)
    try child.write("mine", to: "there/notes.txt")
    let outcome = try child.run(["sweep"] + arguments)
    #expect(outcome.status == status, "\(outcome.error)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(child.names(in: "Reports").isEmpty)
    #expect(child.names(in: "there") == ["notes.txt"])
  }

  /// The text to copy from the page is valid for `run`, both as arguments and as keys in the file.
  @Test func thePatchOfThePageIsValid() throws {
    let child = try child(extra: "goals: [{id: few, assert: 'requests <= 1G'}]")
    defer { child.remove() }
    let values = ["--vary", "kinds.weather.jitter={up_to: 5min},{up_to: 1min}"]
    #expect(try child.run(["sweep", "small.yaml", "-o", "out"] + Self.grid + values).status == 0)
    let page = child.read("out/report.html").replacing("&#39;", with: "'")
    let blocks = page.matches(of: /<code>([^<]*)<\/code>/).map { String($0.1) }
    #expect(blocks.count == 2)
    // The words of a shell command; those with blanks are in quotes.
    let arguments = blocks[0].split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
      index, part in
      index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
    #expect(arguments.count == 4 && arguments[0] == "--set")
    let valid = try child.run(["run", "small.yaml", "--dry-run"] + arguments)
    #expect(valid.status == 0, "\(valid.error)")
    #expect(try child.run(["run", "small.yaml", "-o", "set", "--no-bracket"] + arguments).status == 0)
    // The keys replace those of the file.
    let after = try #require(blocks[1].firstMatch(of: /after: (.*)/))
    let jitter = try #require(blocks[1].firstMatch(of: /jitter: (.*)/))
    #expect(blocks[1].hasPrefix("kinds:\n  weather:\n    jitter: {"))
    let text = child.read("small.yaml").replacing(
      "reload: {after: 15min}", with: "reload: {after: \(after.1)}\n    jitter: \(jitter.1)")
    try child.write(text, to: "small.yaml")
    #expect(try child.run(["run", "small.yaml", "-o", "file", "--no-bracket"]).status == 0)
    #expect(child.read("set/summary.csv") == child.read("file/summary.csv"))
  }

  @Test func sweepWritesAPage() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["sweep", "small.yaml", "-o", "out"] + Self.grid)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.contains("results: out/report.html\n"))
    let page = child.read("out/report.html")
    for word in ["id=\"verdict\"", "id=\"settings\"", "id=\"maps\"", "id=\"varied\"", "default-src"] {
      #expect(page.contains(word), "\(word)")
    }
    #expect(!page.contains("<script"))
  }

  /// Two goals have two figures: the trade-off is drawn even for one key, with the forbidden areas and the choice.
  @Test func twoGoalsGiveATradeOff() throws {
    let child = try child(
      extra: "goals: [{id: few, assert: 'requests <= 1M'}, {id: fresh, assert: 'stale_views <= 99%'}]")
    defer { child.remove() }
    #expect(try child.run(["sweep", "small.yaml", "-o", "out"] + Self.grid).status == 0)
    let page = child.read("out/report.html")
    #expect(page.contains("id=\"front-plane-wide-title\"") && page.contains("class=\"chosen\""))
    // Files of the trade-off from earlier versions do not stay next to new results.
    try child.write("old", to: "out/tradeoff.csv")
    #expect(try child.run(["sweep", "small.yaml", "-o", "out"] + Self.grid).status == 0)
    #expect(!child.names(in: "out").contains("tradeoff.csv"))
  }

  // MARK: run --until-ci

  /// The page made from the folder is that of the run, with the required precision.
  @Test func reportShowsRequestedPrecision() throws {
    let child = try child(extra: "goals: [{id: load, assert: 'requests <= 1M'}]")
    defer { child.remove() }
    let outcome = try child.run(["run", "small.yaml", "--until-ci", "20%", "-o", "out", "--no-bracket"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let page = child.read("out/report.html")
    #expect(page.contains("at most 100 replications: 5 were enough."))
    #expect(try child.run(["report", "out", "-o", "again.html"]).status == 0)
    let isSame = child.read("again.html") == page
    #expect(isSame)
  }
}
