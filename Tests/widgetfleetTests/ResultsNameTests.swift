import Foundation
import Testing

@testable import WidgetFleetCommand

/// Where results go by default, the note on a run's sample, and the output with --quiet.
struct ResultsNameTests {
  private let quick = ["--no-bracket", "--no-trials", "--only", "summary"]

  /// Results of other settings stay; results of the same settings are replaced.
  @Test func resultsOfOtherSettingsGetANumber() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml"] + quick).error.contains("results: Reports/small/"))
    let first = try child.bytes("Reports/small/summary.csv")
    let other = try child.run(["run", "small.yaml", "--seed", "7"] + quick)
    #expect(other.error.contains("Reports/small has results for other settings"))
    #expect(other.error.contains("results: Reports/small-2/"))
    #expect(try child.bytes("Reports/small/summary.csv") == first)
    let third = try child.run(["run", "small.yaml", "--set", "fleet.devices=41"] + quick)
    #expect(third.error.contains("results: Reports/small-3/"))
    for (settings, folder) in [([], "small"), (["--seed", "7"], "small-2"), (["-n", "1"], "small")] {
      let again = try child.run(["run", "small.yaml"] + settings + quick)
      #expect(again.error.contains("results: Reports/\(folder)/"), "\(again.error)")
    }
    #expect(child.names(in: "Reports") == ["small", "small-2", "small-3"])
    // A folder named by the user is used.
    #expect(try child.run(["run", "small.yaml", "--seed", "9", "-o", "Reports/small"] + quick).status == 0)
    #expect(try child.bytes("Reports/small/summary.csv") != first)
    #expect(child.names(in: "Reports") == ["small", "small-2", "small-3"])
  }

  /// With --quiet, notes are missing: the verdict is followed by the folder unless that is the usual or a named one.
  @Test func quietVerdictNamesAnUnusualFolder() throws {
    let child = try Child()
    defer { child.remove() }
    let run = { (options: [String]) in try child.run(["run", "small.yaml", "--quiet"] + options + quick) }
    #expect(!(try run([]).output.contains("Results: ")))
    let other = try run(["--seed", "7"])
    #expect(other.output.hasSuffix("\nResults: Reports/small-2\n") && other.error.isEmpty, "\(other.output)")
    #expect(!(try run(["--seed", "8", "-o", "mine"]).output.contains("Results: ")))
  }

  /// A run that replicates as often as needed counts as the same run when repeated.
  @Test func repeatedUntilCIRunCountsAsTheSame() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "goals: [{id: g, assert: requests >= 1}]"), to: "g.yaml")
    let run = ["run", "g.yaml", "--until-ci", "50%", "--max-replications", "5"] + quick
    for _ in 0..<2 { #expect(try child.run(run).error.contains("results: Reports/small/")) }
    #expect(try child.run(["run", "g.yaml"] + quick).error.contains("results: Reports/small-2/"))
  }

  /// Studies with other settings stay too, whatever the difference: the values, the judging, the search.
  @Test func otherStudiesGetANumber() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "goals: [{id: g, assert: requests >= 1}]"), to: "g.yaml")
    func folder(_ arguments: [String]) throws -> String {
      let outcome = try child.run([arguments[0], "g.yaml"] + arguments.dropFirst())
      let line = outcome.error.split(separator: "\n").first { $0.hasPrefix("results: ") }
      return try #require(line, "\(outcome.error)").split(separator: "/").dropFirst().first.map(String.init) ?? ""
    }
    let devices = ["sweep", "--vary", "fleet.devices=10,20"]
    for (arguments, suffix) in [
      (devices, ""), (["sweep", "--vary", "fleet.devices=10,30"], "-2"), (devices + ["--nominal"], "-3"),
      (devices + ["--seed", "7"], "-4"), (devices, ""),
    ] { #expect(try folder(arguments) == "small-sweep\(suffix)") }
    let tune = ["tune", "--minimize", "requests", "--search"]
    for (range, suffix) in [("10..20", ""), ("10..30", "-2"), ("10..20", "")] {
      #expect(try folder(tune + ["fleet.devices=" + range]) == "small-tune\(suffix)")
    }
    #expect(try folder(["sweep", "--vary", "fleet.devices=1,2", "-o", "Reports/small-sweep"]) == "small-sweep")
  }

  /// A calibration or backtest of another log, scenario or question stays; the same log in another location counts as
  /// the same.
  @Test func studiesOfOtherLogsGetANumber() throws {
    let child = try CalibrateTests.child("jsonl", phones: 20)
    defer { child.remove() }
    let lines = child.read("log").split(separator: "\n")
    try child.write(lines.joined(separator: "\n") + "\n", to: "elsewhere")
    try child.write(lines.dropLast().joined(separator: "\n") + "\n", to: "shorter")
    func folder(_ arguments: [String]) throws -> String {
      let outcome = try child.run([arguments[0], "guess.yaml", "--id", "id"] + arguments.dropFirst())
      let line = outcome.error.split(separator: "\n").first { $0.hasPrefix("results: ") }
      return try #require(line, "\(outcome.error)").split(separator: "/").dropFirst().first.map(String.init) ?? ""
    }
    for command in [["calibrate", "--no-simulation"], ["backtest", "--train", "1-3"]] {
      let name = "guess-\(command[0])"
      for (arguments, suffix) in [
        (["--log", "log"], ""), (["--log", "shorter"], "-2"), (["--log", "log", "--sampled", "50%"], "-3"),
        (["--log", "log", "--set", "fleet.devices=40"], "-4"), (["--log", "elsewhere"], ""),
      ] { #expect(try folder(command + arguments) == name + suffix) }
      #expect(try folder(command + ["--log", "shorter", "-o", "Reports/" + name]) == name)
    }
  }

  @Test func foreignResultsAreStillRefused() throws {
    let child = try Child()
    defer { child.remove() }
    try FileManager.default.createDirectory(atPath: child.path("Reports/small"), withIntermediateDirectories: true)
    #expect(try child.run(["run", "small.yaml"] + quick).status == 4)
    // An unreadable manifest is not replaced.
    try child.write("{\n  \"schema\": \"widgetfleet.manifest/v9\"}\n", to: "Reports/small/manifest.json")
    #expect(try child.run(["run", "small.yaml"] + quick).error.contains("results: Reports/small-2/"))
  }

  /// With --quiet, only the sentence that answers a study is printed, the last lines of its table, and nothing on
  /// stderr.
  @Test(
    arguments: [
      ["sweep", "g.yaml", "--vary", "fleet.devices=10,20"],
      [
        "tune", "g.yaml", "--nominal", "--max-runs", "13", "--minimize", "requests", "--search", "fleet.devices=10..20",
      ],
      ["compare", "g.yaml", "--with", "os.idle=none"], ["capacity", "g.yaml", "-n", "1", "--nominal"],
    ]) func quietStudyPrintsOnlyTheAnswer(arguments: [String]) throws
  {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "goals: [{id: g, assert: requests <= 500}]"), to: "g.yaml")
    let table = try child.run(arguments).output
    let alone = try child.run(arguments + ["--quiet"])
    #expect(alone.error.isEmpty, "\(alone.error)")
    let lines = alone.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines[0].count > 20 && lines[1].isEmpty, "\(alone.output)")
    let words = { (text: String) in text.split { $0 == " " || $0 == "\n" }.joined(separator: " ") }
    #expect(words(table).contains(words(alone.output)), "\(table)")
  }

  /// With --quiet there is one line of any length, and nothing on stderr; colours are optional.
  @Test func quietRunPrintsOnlyTheVerdict() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(
      Child.scenario(extra: "backend: {endpoints: {api: {capacity: 100/s}}}\ngoals: [{id: g, assert: requests <= 1}]"),
      to: "g.yaml")
    let run = ["run", "g.yaml", "--no-bracket", "--no-trials", "-o", "out"]
    let quiet = try child.run(run + ["--quiet"])
    #expect(quiet.status == 1 && quiet.error.isEmpty)
    #expect(quiet.output.hasPrefix("DOES NOT HOLD: ") && quiet.output.split(separator: "\n").count == 1)
    let table = try child.run(run)
    #expect(table.output.hasSuffix(quiet.output))
    #expect(try child.run(run + ["--quiet", "--format", "json"]).output.hasPrefix("{"))
    let colored = try child.run(run + ["--color", "always"]).output
    #expect(
      colored.contains("\u{1B}[1;31mDOES NOT HOLD\u{1B}[0m: ") && colored.contains("\n\u{1B}[1;31mfail\u{1B}[0m "))
    #expect(colored.replacing("\u{1B}[1;31m", with: "").replacing("\u{1B}[0m", with: "") == table.output)
  }

  /// Coloured words start a line and end where the word ends.
  @Test func onlyVerdictWordsAreColoured() {
    let colors = [(word: "fail", code: "31"), (word: "pass", code: "32")]
    #expect(
      Console.colored("fail  a\nfails\n pass\npass: b", colors)
        == "\u{1B}[1;31mfail\u{1B}[0m  a\nfails\n pass\n\u{1B}[1;32mpass\u{1B}[0m: b")
  }

  @Test func fullAndQuickSetTheSampleSize() throws {
    let child = try Child()
    defer { child.remove() }
    // A small fleet is simulated completely at once.
    let look = try child.run(["run", "small.yaml", "--quick", "-q"] + quick)
    #expect(look.status == 0 && !look.output.contains("first look"))
    let dry = ["run", "small.yaml", "--set", "run.simulate=7", "--dry-run"]
    // --quick never simulates more phones than the file.
    #expect(try child.run(dry + ["--quick"]).output.contains("simulate: 7"))
    #expect(try child.run(["run", "small.yaml", "--quick", "--dry-run"]).output.contains("simulate: quick"))
    #expect(try child.run(dry + ["--full"]).output.contains("simulate: all"))
    #expect(try child.run(["run", "small.yaml", "--full", "--quick"]).status == 2)
  }

  /// Studies support --quick too, and their results record it.
  @Test(
    arguments: [
      ["sweep", "g.yaml", "--vary", "fleet.devices=10,20"],
      ["tune", "g.yaml", "--nominal", "--minimize", "requests", "--search", "fleet.devices=10..20"],
      ["capacity", "g.yaml", "-n", "1", "--nominal"], ["compare", "g.yaml", "--with", "os.idle=none"],
    ]) func studiesAreFullOrQuick(arguments: [String]) throws
  {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "goals: [{id: g, assert: requests <= 500}]"), to: "g.yaml")
    for (option, word) in [("--quick", "quick"), ("--full", "all")] {
      let outcome = try child.run(arguments + [option])
      #expect([0, 5].contains(outcome.status), "\(outcome.error)")
      guard ["sweep", "tune"].contains(arguments[0]) else { continue }
      let folder = "Reports/small-\(arguments[0])" + (word == "quick" ? "" : "-2")
      #expect(child.read(folder + "/manifest.json").contains(#"\"simulate\": \"\#(word)\""#))
    }
    #expect(try child.run(arguments + ["--full", "--quick"]).status == 2)
  }

  /// With --quick, the verdict and manifest record it.
  @Test func quickRunIsMarkedAsSuch() throws {
    let child = try Child()
    defer { child.remove() }
    // 30 days x (1 + 60) are a work of 1 830 per phone: 1 500 000 would be 819 phones, but 1 000 is the min.
    let widgets = Array(repeating: "{kind: weather}", count: 60).joined(separator: ", ")
    try child.write(
      Child.scenario(devices: 1_200).replacing("[{kind: weather}]", with: "[\(widgets)]")
        .replacing("duration: 1h", with: "duration: 30d").replacing("after: 15min", with: "after: 10d"), to: "s.yaml")
    let look = try child.run(["run", "s.yaml", "--quick", "-q", "-o", "look"] + quick)
    #expect(look.output.contains(" A first look at 1 000 of 1 200 phones (--full simulates all)."), "\(look.output)")
    #expect(child.read("look/manifest.json").contains("\"sample\": \"quick: a first look at 1000 of 1200 devices\""))
    let full = try child.run(["run", "s.yaml", "--full", "-q", "-o", "full"] + quick)
    #expect(!full.output.contains("phones ("))
    #expect(!child.read("full/manifest.json").contains("\"sample\""))
  }
}
