import Foundation
import Testing

/// What goes to stdout and stderr, and what happens when they break.
struct StreamTests {
  @Test func jsonIsTheOnlyOutputOnStdout() throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(["run", "small.yaml", "--format=json", "-v"])
    #expect(outcome.status == 0)
    let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(document?["schema"] as? String == "widgetfleet.summary/v1")
    #expect(outcome.output == child.read("Reports/small/summary.json"))
    #expect(outcome.error.contains("Reports/small/report.html"))
    #expect(outcome.error.contains("events in"))
  }

  /// One device's day as JSON has the same content as the lines, and depends on the saved conditions in the same way.
  @Test func aDiaryAsJSON() throws {
    let child = try Child()
    defer { child.remove() }
    let backend = "backend: {endpoints: {api: {capacity: 6/min, queue: 3, latency: {p50: 50ms, p99: 500ms}}}}"
    try child.write(Child.scenario(name: "storm", extra: backend), to: "storm.yaml")
    #expect(try child.run(["run", "storm.yaml", "--save-conditions", "--no-bracket"]).status == 0)
    let arguments = ["run", "storm.yaml", "--replay-conditions=Reports/storm/conditions.csv", "--device=7"]
    let lines = try child.run(arguments).output
    let outcome = try child.run(arguments + ["--format=json"])
    #expect(outcome.status == 0)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "widgetfleet.diary/v1")
    #expect(document["device"] as? Int == 7)
    #expect(document["zone"] as? String == "Europe/Berlin")
    let widgets = try #require(document["widgets"] as? [[String: Any]])
    #expect(widgets.map { $0["kind"] as? String } == ["weather"])
    let entries = try #require(document["entries"] as? [[String: Any]])
    let events = entries.compactMap { $0["event"] as? String }
    #expect(events.count == entries.count)
    #expect(Set(["placed", "run", "request", "end", "ticket"]).isSubset(of: events))
    #expect(events.filter { $0 == "run" }.count == lines.split(separator: "\n").count { $0.contains("  weather#0  ") })
    #expect(entries.first?["local"] as? String == "2027-01-18T01:00:00.000")
    // An hour of a device that reloads every 15 to 30 minutes, in order.
    let instants = entries.compactMap { $0["at_ms"] as? Int }
    #expect(instants == instants.sorted() && instants.allSatisfy { (0..<3_600_000).contains($0) })
    let failed = entries.filter { ($0["failure"] as? String) == "refused" }
    #expect(failed.count == lines.components(separatedBy: "fails: refused").count - 1)
  }

  @Test func quietPrintsOnlyErrors() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "-q"]).error.isEmpty)
    #expect(try !child.run(["run", "missing.yaml", "-q"]).error.isEmpty)
  }

  @Test func coloursAreUsedOnlyIfRequested() throws {
    let child = try Child()
    defer { child.remove() }
    let arguments = ["run", "missing.yaml"]
    #expect(try !child.run(arguments).error.contains("\u{1B}"))
    #expect(try child.run(arguments + ["--color=always"]).error.hasPrefix("\u{1B}[1;31merror\u{1B}[0m:"))
    #expect(
      try child.run(arguments, environment: ["WIDGETFLEET_COLOR": "always", "NO_COLOR": "1"]).error.contains("\u{1B}"))
    let never = try child.run(arguments + ["--color=never"], environment: ["WIDGETFLEET_COLOR": "always"])
    #expect(!never.error.contains("\u{1B}"))
  }

  @Test func hostileArgumentsAreEscaped() throws {
    let child = try Child()
    defer { child.remove() }
    for arguments in [["run", "\u{1B}[31mx"], ["\u{1B}]0;x\u{7}"], ["run", "--\u{1B}x"]] {
      let outcome = try child.run(arguments)
      #expect(outcome.status == 2 || outcome.status == 4)
      #expect(!outcome.error.contains("\u{1B}"))
    }
  }

  @Test func aFullStdoutIsAnError() throws {
    let child = try Child()
    defer { child.remove() }
    let outcome = try child.run(["run", "small.yaml"], output: "/dev/full")
    #expect(outcome.status == 4)
    #expect(outcome.error.contains("cannot write 'standard output': No space left"))
    #expect(child.names(in: "Reports") == ["small"])
  }

  @Test func aBrokenPipeIsQuiet() throws {
    let child = try Child()
    defer { child.remove() }
    let script = "'\(Child.executable.path)' run small.yaml -q | true; echo ${PIPESTATUS[0]}"
    let process = try child.start(["-c", script], executable: URL(fileURLWithPath: "/bin/bash"))
    process.waitUntilExit()
    #expect(child.read("stdout.txt") == "4\n")
    #expect(child.read("stderr.txt").isEmpty)
    #expect(child.names(in: "Reports/small").contains("manifest.json"))
  }

  @Test func closedStdoutIsNotReusedForAFile() throws {
    let child = try Child()
    defer { child.remove() }
    let script = "exec '\(Child.executable.path)' run small.yaml >&-"
    let process = try child.start(["-c", script], executable: URL(fileURLWithPath: "/bin/bash"))
    process.waitUntilExit()
    #expect(child.outcome(of: process).status == 4)
    #expect(child.read("stderr.txt").contains("Bad file descriptor"))
    #expect(!child.read("Reports/small/manifest.json").contains("refreshes per widget"))
    #expect(child.read("Reports/small/manifest.json").hasSuffix("\"complete\": true\n}\n"))
  }

  @Test func flagsOverrideEnvironmentAndScenario() throws {
    let child = try Child()
    defer { child.remove() }
    let ambient = ["WIDGETFLEET_SEED": "5", "WIDGETFLEET_OUT": "ambient", "WIDGETFLEET_JOBS": "1"]
    #expect(try child.run(["run", "small.yaml"], environment: ambient).status == 0)
    #expect(child.read("ambient/manifest.json").contains("\"seed\": 5,"))
    #expect(
      try child.run(["run", "small.yaml", "--set", "run.seed=6", "-o", "flag"], environment: ambient).status == 0)
    #expect(child.read("flag/manifest.json").contains("\"seed\": 6,"))
    let both = ["run", "small.yaml", "--seed", "7", "--set=run.seed=6", "-o", "flag"]
    #expect(try child.run(both, environment: ambient).status == 0)
    #expect(child.read("flag/manifest.json").contains("\"seed\": 7,"))
  }

  @Test func problemsOfAllFilesAreReportedTogether() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: "nonsense: 1"), to: "a.yaml")
    try child.write("schema: [", to: "b.yaml")
    let human = try child.run(["validate", "a.yaml", "small.yaml", "b.yaml"])
    #expect(human.status == 2)
    #expect(human.output == "small.yaml: valid\n")
    #expect(human.error.contains("a.yaml:") && human.error.contains("b.yaml:"))
    let json = try child.run(["validate", "--format", "json", "a.yaml", "b.yaml"])
    let list = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(Set(list?.compactMap { $0["file"] as? String } ?? []) == ["a.yaml", "b.yaml"])
    #expect(json.status == 2 && json.error.isEmpty)
  }
}
