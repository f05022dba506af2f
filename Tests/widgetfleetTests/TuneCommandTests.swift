import Foundation
import Testing

/// The `tune` command as a child process.
struct TuneCommandTests {
  /// Returns forty widgets that reload after a while: the jitter delays every reload, so there are fewer.
  private static func scenario(limit: Int) -> String {
    Child.scenario(
      name: "tuned",
      extra: """
        # What to look for: the most requests that are allowed.
        goals: [{id: few, assert: requests <= \(limit)}]
        tune:
          minimize: requests
          search: {kinds.weather.reload.after: 5min..50min}  # the interval
        """
    ).replacing("os: {", with: "os: {budget: {model: off}, start_delay: {policy: 0s}, ")
  }

  private func child(limit: Int = 150) throws -> Child {
    let child = try Child()
    try child.write(Self.scenario(limit: limit), to: "tuned me.yaml")
    return child
  }

  private func document(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The folder has the results; the tuned file differs in one value and gives the printed figures.
  @Test func theTunedFileGivesTheFigures() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["tune", "tuned me.yaml", "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(
      child.names(in: "Reports/tuned-tune") == [
        "manifest.json", "report.html", "runs.csv", "tuned.patch", "tuned.yaml",
      ])
    let told = try document(outcome.output)
    let values = try #require(told["values"] as? [String: String])
    let value = try #require(values["kinds.weather.reload.after"])
    #expect(
      child.read("Reports/tuned-tune/tuned.yaml")
        == Self.scenario(limit: 150).replacing("after: 15min", with: "after: \(value)"))
    #expect(try child.run(["validate", "Reports/tuned-tune/tuned.yaml"]).status == 0)
    let check = try #require(told["check"] as? [String: Any])
    let (seed, count) = (try #require(check["seed"] as? Int), try #require(check["replications"] as? Int))
    let run = try child.run([
      "run", "Reports/tuned-tune/tuned.yaml", "--no-bracket", "--seed", "\(seed)", "-n", "\(count)", "-o", "again",
    ])
    #expect(run.status == 0)
    let rows = try #require(try document(child.read("again/summary.json"))["rows"] as? [[String: Any]])
    let requests = try #require(rows.first { $0["metric"] as? String == "requests" && $0["endpoint"] as? String == "" })
    #expect(requests["value"] as? Double == check["value"] as? Double)
    #expect(requests["low"] as? Double == check["low"] as? Double)
    // The file gives the search's figures.
    let search = try #require(told["search"] as? [String: Any])
    #expect(try child.run(["run", "Reports/tuned-tune/tuned.yaml", "--no-bracket", "-o", "plain"]).status == 0)
    let plain = try #require(try document(child.read("plain/summary.json"))["rows"] as? [[String: Any]])
    let first = try #require(plain.first { $0["metric"] as? String == "requests" && $0["endpoint"] as? String == "" })
    #expect(first["value"] as? Double == search["value"] as? Double)
  }

  /// `patch -p0` and `git apply` turn the original file into the tuned one.
  @Test(arguments: ["patch -p0 -s < Reports/tuned-tune/tuned.patch", "git apply Reports/tuned-tune/tuned.patch"])
  func patchIsAcceptedByPatchAndGit(_ command: String) throws {
    let child = try child()
    defer { child.remove() }
    #expect(try child.run(["tune", "tuned me.yaml", "-q", "--max-runs", "20"]).status == 0)
    let process = try child.start(["-c", command], executable: URL(fileURLWithPath: "/bin/bash"))
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(child.read("stderr.txt"))\(child.read("stdout.txt"))")
    #expect(child.read("tuned me.yaml") == child.read("Reports/tuned-tune/tuned.yaml"))
    #expect(child.read("tuned me.yaml") != Self.scenario(limit: 150))
  }

  /// Repeated on one thread, it has the same bytes; every row is counted.
  @Test func everyTrialIsInTheTable() throws {
    let child = try child()
    defer { child.remove() }
    let arguments = ["tune", "tuned me.yaml", "-n", "2", "--max-runs", "30"]
    let outcome = try child.run(arguments)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output.contains("pass") && outcome.output.contains("<= 150"))
    let rows = child.read("Reports/tuned-tune/runs.csv").split(separator: "\n")
    #expect(
      rows[0].hasPrefix(
        "trial,stage,kinds.weather.reload.after,seed,replication,preset,passes,worst,requests [requests]"))
    let manifest = try document(child.read("Reports/tuned-tune/manifest.json"))
    #expect(manifest["runs"] as? Int == rows.count - 1)
    #expect(rows.count - 1 <= 30)
    #expect(rows.contains { $0.contains(",check,") })
    #expect(try child.run(arguments + ["--jobs", "1", "-o", "again"]).output == outcome.output)
    for name in child.names(in: "again") {
      #expect(child.read("again/\(name)") == child.read("Reports/tuned-tune/\(name)"), "\(name)")
    }
  }

  /// Forty placements cannot send fewer than forty requests: exit status 5, with the goal and its miss.
  @Test func infeasibleTuningGivesExitStatusFive() throws {
    let child = try child(limit: 30)
    defer { child.remove() }
    let outcome = try child.run(["tune", "tuned me.yaml", "--max-runs", "25"])
    #expect(outcome.status == 5, "\(outcome.error)")
    #expect(outcome.output.contains("NOT FOUND: no setting meets every goal. The closest,"), "\(outcome.output)")
    #expect(child.names(in: "Reports/tuned-tune") == ["manifest.json", "report.html", "runs.csv"])
    let told = try document(try child.run(["tune", "tuned me.yaml", "--max-runs", "25", "--format=json"]).output)
    #expect(told["feasible"] as? Bool == false)
  }

  @Test(arguments: [
    (["tuned me.yaml", "--max-runs", "12"], "a search takes at least 13"),
    (["tuned me.yaml", "-n", "20"], "12 runs are not enough"), (["tuned me.yaml", "--max-runs=0"], "from 1 to"),
    (["small.yaml"], "has no 'tune' section"),
    (["small.yaml", "--minimize", "requests"], "there is nothing to search"),
    (["tuned me.yaml", "--minimize", "late"], "there is no metric 'late'"),
    (["tuned me.yaml", "--search", "kinds.weather.cache.tll=1h..2h"], "--search does not name a key: 'tll'"),
    (["tuned me.yaml", "--set", "tune.minimize=late"], "there is no metric 'late'"),
    (["tuned me.yaml", "--set", "tune.minimize=stale_views"], "cannot be tuned: the figure to be minimized"),
    (["tuned me.yaml", "--set", "goals.0.assert=stale_views < 1%"], "the goal 'few' cannot be judged"),
    (["tuned me.yaml", "--set", "tune.search={kinds.weather.cache.tll: 1h..2h}"], "does not name a key: 'tll'"),
  ])
  func tuningMistakesGiveExitStatusTwo(_ arguments: [String], _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["tune"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(says.replacing("12 runs", with: "60 runs")), "\(outcome.error)")
    #expect(child.names(in: "Reports").isEmpty)
  }

  /// A file without `tune` is tuned from the command line: the shortest interval with a max number of requests from
  /// forty widgets.
  @Test func scenarioCanBeTunedFromTheCommandLine() throws {
    let child = try child()
    defer { child.remove() }
    let path = "kinds.weather.reload.after"
    let bare = Self.scenario(limit: 150).components(separatedBy: "tune:")[0]
    try child.write(bare, to: "bare.yaml")
    let arguments = ["tune", "bare.yaml", "--minimize", path, "--search", path + "=5min..50min", "--nominal"]
    let outcome = try child.run(arguments + ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let told = try document(outcome.output)
    #expect(told["minimize"] as? String == path && told["unit"] is NSNull)
    let value = try #require((told["values"] as? [String: String])?[path])
    // The file written differs in one value, and text can be copied from the page.
    #expect(child.read("Reports/tuned-tune/tuned.yaml") == bare.replacing("after: 15min", with: "after: \(value)"))
    let page = child.read("Reports/tuned-tune/report.html")
    #expect(page.contains("\(path)=\(value) is the lowest value that holds"))
    #expect(page.contains("--set &#39;\(path)=\(value)&#39;"))
    // One step shorter, with the search's draws: too many, or too close to the limit for a check.
    let rows = child.read("Reports/tuned-tune/runs.csv").split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let holding = rows.filter { $0[1] == "search" && $0[2] == value }
    #expect(!holding.isEmpty && holding.allSatisfy { $0[6] == "yes" })
    let text = try child.run(arguments)
    #expect(text.output.contains("FOUND: \(path)=\(value) is the lowest"), "\(text.output)")
  }

  /// A signal in the middle leaves nothing behind.
  @Test func signalDuringTuningLeavesNothingBehind() throws {
    let child = try child()
    defer { child.remove() }
    let process = try child.start(["tune", "tuned me.yaml", "--set", "fleet.devices=200k"])
    child.wait(for: process) { !child.names(in: "Reports").isEmpty }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    #expect(try child.namesAfterAnotherRun().isEmpty)
  }
}
