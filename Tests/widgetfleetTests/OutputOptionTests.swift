import Foundation
import Testing

/// The options `--only`, `--junit`, `--dry-run`, `--ascii`, and the formats of problems.
struct OutputOptionTests {
  @Test func onlySelectsFiles() throws {
    let child = try Child()
    defer { child.remove() }
    let quick = ["run", "small.yaml", "--no-bracket"]
    #expect(try child.run(quick + ["--only", "load.csv,goals"]).status == 0)
    #expect(child.names(in: "Reports/small") == ["goals.csv", "load.csv", "manifest.json"])
    #expect(
      child.read("Reports/small/manifest.json").contains("\"files\": [\"goals.csv\", \"load.csv\", \"manifest.json\"]"))
    #expect(try child.run(quick + ["--only=summary"]).status == 0)
    #expect(child.names(in: "Reports/small") == ["manifest.json", "summary.csv", "summary.json"])
    for list in ["", "sumary.csv", "load.csv,", "../x"] {
      let wrong = try child.run(quick + ["--only", list])
      #expect(wrong.status == 2 && wrong.output.isEmpty, "\(list)")
    }
    #expect(try child.run(quick + ["--only", "sumary.csv"]).error.contains("did you mean 'summary.csv'?"))
    #expect(child.names(in: "Reports/small").count == 3)
  }

  /// Without devices.csv no rows are kept, so the page cannot show a chosen phone's day. Everything else is the same,
  /// even with a backend that reacts to the load.
  @Test(arguments: ["{}", "{capacity: 1/s}"]) func withoutDevicesAllElseIsTheSame(endpoint: String) throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "backend: {endpoints: {api: \(endpoint)}}"), to: "s.yaml")
    #expect(try child.run(["run", "s.yaml", "-o", "all"]).status == 0)
    let names = child.names(in: "all").filter { $0 != "devices.csv" }
    let list = names.joined(separator: ",")
    #expect(try child.run(["run", "s.yaml", "-o", "some", "--only", list]).status == 0)
    #expect(names.count == 13 && child.names(in: "some") == names)
    for name in names where !["manifest.json", "report.html", "run.bin"].contains(name) {
      let isTheSame = try child.bytes("all/" + name) == child.bytes("some/" + name)
      #expect(isTheSame, "\(name)")
    }
    #expect(child.read("all/report.html").contains("id=\"figure-phone-days\""))
    #expect(!child.read("some/report.html").contains("phone-days"))
    #expect(
      child.read("all/manifest.json").replacing("\"devices.csv\", ", with: "") == child.read("some/manifest.json"))
  }

  /// A sample of rows is mentioned in the manifest and on the page, and there is no other difference.
  @Test func aSampleOfRowsIsNamed() throws {
    let child = try Child()
    defer { child.remove() }
    let run = ["run", "small.yaml", "--no-bracket"]
    #expect(try child.run(run + ["-o", "all", "--set", "run.device_rows=40"]).status == 0)
    #expect(try child.run(run + ["-o", "ten", "--set", "run.device_rows=10"]).status == 0)
    #expect(try child.run(run + ["-o", "none", "--set", "run.device_rows=0"]).status == 0)
    let counts = ["all", "ten", "none"].map { child.read($0 + "/devices.csv").split(separator: "\n").count - 1 }
    #expect(counts == [40, 10, 0])
    let sentence = "devices.csv contains a sample of "
    for (folder, count) in [("ten", "10"), ("none", "0")] {
      #expect(child.read(folder + "/manifest.json").contains("  \"device_rows\": \(count),\n"))
      #expect(child.read(folder + "/report.html").contains(sentence + count + " of the 40 simulated devices"))
      for name in ["summary.csv", "load.csv", "causes.csv", "distribution.csv"] {
        #expect(child.read("all/" + name) == child.read(folder + "/" + name), "\(folder), \(name)")
      }
    }
    #expect(!child.read("all/manifest.json").contains("  \"device_rows\""))
    #expect(!child.read("all/report.html").contains(sentence))
    #expect(try child.run(["report", "ten", "-o", "again.html"]).status == 0)
    #expect(child.read("again.html") == child.read("ten/report.html"))
  }

  private static let goals = """
    goals:
      - {id: few, assert: requests <= 20}
      - {id: many, assert: requests >= 20}
      - {id: "a<b & \\"c\\"", assert: requests <= 20, severity: warning}
      - {id: open, assert: "recovery_time{event=storm} <= 1min"}
    events: [{name: storm, at: 2027-01-18T00:30:00Z, system_change: {audience: 0%}}]
    """

  @Test func goalsAsTestCases() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: Self.goals), to: "goals.yaml")
    let quick = ["run", "goals.yaml", "--no-bracket", "--junit", "out/goals.xml"]
    #expect(try child.run(quick).status == 1)
    let cases = try TestCases(child.path("out/goals.xml"))
    #expect(cases.outcomes == ["few": "failure", "many": "pass", "a<b & \"c\"": "system-out", "open": "skipped"])
    #expect(cases.counts == ["tests": "4", "failures": "1", "skipped": "1", "errors": "0"])
    #expect(try child.run(quick + ["--strict"]).status == 1)
    #expect(try TestCases(child.path("out/goals.xml")).outcomes["open"] == "failure")
    #expect(child.names(in: "out") == ["goals.xml"])
  }

  @Test func testCasesReplaceFilesOnly() throws {
    let child = try Child()
    defer { child.remove() }
    for path in [".", "/dev/null"] {
      let outcome = try child.run(["run", "small.yaml", "--junit", path])
      #expect(outcome.status == 4 && outcome.error.contains("not a file"), "\(path)")
    }
    // A link like /dev/stdout, which must not be replaced even if run as root.
    try FileManager.default.createSymbolicLink(atPath: child.path("stream"), withDestinationPath: "/proc/self/fd/1")
    for option in ["--junit", "-o"] {
      let outcome = try child.run(["run", "small.yaml", option, "stream"])
      #expect(outcome.status == 4 && outcome.error.contains("a link to a stream"), "\(option): \(outcome.error)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: child.path("stream")) == "/proc/self/fd/1")
    }
    try child.write("precious", to: "target")
    try FileManager.default.createSymbolicLink(atPath: child.path("link.xml"), withDestinationPath: "target")
    #expect(try child.run(["run", "small.yaml", "--no-bracket", "--junit", "link.xml"]).status == 0)
    #expect(child.read("target") == "precious")
    #expect(child.read("link.xml").hasPrefix("<?xml"))
    #expect(try child.run(["run", "small.yaml", "--junit", ""]).status == 2)
  }

  @Test func dryRunShowsTheOriginOfValues() throws {
    let child = try Child()
    defer { child.remove() }
    let ambient = ["WIDGETFLEET_SEED": "5"]
    let dry = ["run", "small.yaml", "--dry-run"]
    let plain = try child.run(dry + ["--set", "clock.step=2s"], environment: ambient)
    #expect(plain.status == 0)
    func origin(_ line: String, _ outcome: Child.Outcome) -> String? {
      outcome.output.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix(line + " ") }?
        .split(separator: "#").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(origin("seed: 5", plain) == "WIDGETFLEET_SEED")
    #expect(origin("step: 2s", plain) == "--set")
    #expect(origin("name: small", plain) == "line 2")
    #expect(origin("replications: 1", plain) == "built-in default")
    let flag = try child.run(dry + ["--seed", "6", "-n", "2"], environment: ambient)
    #expect(origin("seed: 6", flag) == "--seed" && origin("replications: 2", flag) == "--replications")
    #expect(!child.names().contains("Reports"))
    try child.write(plain.output, to: "again.yaml")
    #expect(try child.run(["validate", "again.yaml"]).status == 0)
    let json = try child.run(dry + ["--format", "json"])
    #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
    #expect(try child.run(dry + ["--junit", "x.xml"]).status == 2)
    #expect(try child.run(dry + ["--device", "1"]).status == 2)
  }

  @Test func asciiOptionPrintsOnlyASCII() throws {
    let child = try Child()
    defer { child.remove() }
    let scenario = Child.scenario(extra: "goals: [{id: 名前, assert: requests <= 20}]\n")
    try child.write(scenario.replacing("name: all", with: "name: 日本"), to: "wide.yaml")
    for arguments in [
      ["run", "wide.yaml", "--no-bracket"], ["run", "wide.yaml", "--dry-run"], ["run", "ü", "--asci"],
    ] {
      let outcome = try child.run(arguments + ["--ascii"])
      #expect(outcome.output.unicodeScalars.allSatisfy(\.isASCII) && outcome.error.unicodeScalars.allSatisfy(\.isASCII))
    }
    let wide = try child.run(["run", "wide.yaml", "--no-bracket", "--format", "json"])
    let plain = try child.run(["run", "wide.yaml", "--no-bracket", "--format", "json", "--ascii"])
    #expect(wide.output.contains("名前") && plain.output.contains("\\u540d\\u524d"))
    let documents = try [wide, plain].map {
      try JSONSerialization.jsonObject(with: Data($0.output.utf8)) as? NSDictionary
    }
    #expect(documents[0] == documents[1] && documents[0] != nil)
  }

  /// Below double-width characters the caret is two columns further for each, with --ascii too.
  @Test func caretsAreBelowWideCharacters() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "x-a: 1\napp: {\"日本👩‍👩‍👧\": 1, jiter: 2}"), to: "wide.yaml")
    for (options, word) in [([], "\"日本👩‍👩‍👧\""), (["--ascii"], "\"??????\"")] {
      let outcome = try child.run(["validate", "wide.yaml"] + options)
      let lines = outcome.error.split(separator: "\n").map(String.init)
      let line = try #require(lines.first { $0.contains("jiter: 2}") })
      let caret = try #require(lines.last { $0.contains("^^^^^ not a key") })
      // The text app: { and the quoted name in 8 columns, then a colon, 1, a comma and a blank.
      #expect(line.contains("app: {\(word): 1, jiter"))
      #expect(caret.prefix { $0 != "^" }.count == "19 | app: {".count + 8 + ": 1, ".count)
    }
  }

  @Test func annotationsForGitHub() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "nonsense: 1"), to: "bad.yaml")
    let outcome = try child.run(["validate", "--format=github", "bad.yaml", "small.yaml"])
    #expect(outcome.status == 2 && outcome.error.isEmpty)
    #expect(outcome.output.hasPrefix("::error file=bad.yaml,line="))
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("::error") } == 1)
    let good = try child.run(["--format=github", "validate", "small.yaml"])
    #expect(good.status == 0 && good.output.split(separator: "\n").allSatisfy { $0.hasPrefix("::warning file=small") })
    #expect(try child.run(["run", "small.yaml", "--format=github"]).status == 2)
  }
}
