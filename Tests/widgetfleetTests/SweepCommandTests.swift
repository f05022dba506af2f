import Foundation
import Testing

/// The `sweep` command as a child process.
struct SweepCommandTests {
  private func child(extra: String = "") throws -> Child {
    let child = try Child()
    let text = Child.scenario(extra: extra)
    try child.write(text.replacing("os: {", with: "os: {budget: {model: off}, "), to: "sweep.yaml")
    return child
  }

  private func rows(_ text: String) -> [[Substring]] {
    text.split(separator: "\n").map { line in
      // A comma between quotes is part of a name, as in peak_rps{endpoint=api, window=1s}.
      var isQuoted = false
      return line.split(omittingEmptySubsequences: false) { character in
        if character == "\"" { isQuoted.toggle() }
        return character == "," && !isQuoted
      }
    }
  }

  /// Each setting has the figures of a separate run with the same seed.
  @Test func settingsEqualSeparateRuns() throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["sweep", "sweep.yaml", "--vary", "kinds.weather.reload.after=15min,30min", "-n", "2"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(child.names(in: "Reports") == ["small-sweep"])
    #expect(
      child.names(in: "Reports/small-sweep") == [
        "effects.csv", "manifest.json", "report.html", "runs.csv", "runs.sqlite", "settings.csv",
      ])
    let runs = rows(child.read("Reports/small-sweep/runs.csv"))
    #expect(
      runs.map { $0.prefix(3).joined(separator: " ") } == [
        "setting kinds.weather.reload.after replication", "1 15min 1", "1 15min 2", "2 30min 1", "2 30min 2",
      ])
    let place = try #require(runs[0].firstIndex { $0 == "requests [requests]" })
    for (setting, span) in [(1, "15min"), (2, "30min")] {
      let run = try child.run([
        "run", "sweep.yaml", "-n", "2", "--no-bracket", "-o", "one", "--set", "kinds.weather.reload.after=\(span)",
      ])
      #expect(run.status == 0)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(child.read("one/summary.json").utf8)) as? [String: Any])
      let figures = try #require(document["rows"] as? [[String: Any]])
      let requests = try #require(figures.first { $0["metric"] as? String == "requests" })
      let values = try #require(requests["per_replication"] as? [Double])
      #expect(runs.filter { $0[0] == "\(setting)" }.map { Double($0[place]) } == values)
    }
    // Repeated on one thread, it has the same bytes.
    let again = try child.run([
      "sweep", "sweep.yaml", "--vary", "kinds.weather.reload.after=15min,30min", "-n", "2", "--jobs", "1", "-o",
      "again",
    ])
    #expect(again.output == outcome.output)
    for name in child.names(in: "again") {
      let isSame = try child.bytes("again/\(name)") == child.bytes("Reports/small-sweep/\(name)")
      #expect(isSame, "\(name)")
    }
  }

  /// With 15 min, 40 devices send at least 80 requests in an hour, with 2 h only the first 40.
  @Test func settingsThatPassAreMarked() throws {
    let section = """
      goals: [{id: few, assert: 'requests <= 60'}]
      sweep: {vary: {kinds.weather.reload.after: [15min, 2h]}}
      """
    let child = try child(extra: section)
    defer { child.remove() }
    let outcome = try child.run(["sweep", "sweep.yaml", "-o", "out"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    #expect(lines.prefix(3) == ["goals after", "fail 15min", "pass 2h"])
    #expect(
      outcome.output.contains(
        "\nJudged by the scenario and under prompt.\n\n2 h is the lowest reload.after that passes: 15 min "))
    #expect(rows(child.read("out/settings.csv")).map { $0[2] } == ["passes", "no", "yes"])
    // Requests are minimized, so the setting that passes is the better one.
    #expect(rows(child.read("out/settings.csv")).map { $0[6] } == ["pareto", "no", "yes"])
    #expect(outcome.output.contains("\n* not beaten in requests\n"))
    // The file is valid for `run` too.
    #expect(try child.run(["run", "sweep.yaml", "--exit-zero", "--no-bracket"]).status == 0)
    // If none passes, the status is 1, unless --exit-zero is given.
    let none = ["sweep", "sweep.yaml", "--vary", "kinds.weather.reload.after=15min,20min", "-o", "out"]
    #expect(try child.run(none).status == 1)
    #expect(try child.run(none + ["--exit-zero"]).status == 0)
    let json = try child.run(none + ["--format", "json", "--exit-zero"])
    let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((document?["settings"] as? [Any])?.count == 2)
  }

  @Test(arguments: [
    (["sweep.yaml"], "there is nothing to vary"), (["sweep.yaml", "--vary", "run.sede=1"], "did you mean"),
    (["sweep.yaml", "--vary", "kinds.weather.reload.after=1h,soon"], "soon"),
    (["sweep.yaml", "--vary", "run.seed=1,2", "--method", "monte-carlo"], "--method must be one of"),
    (["sweep.yaml", "--vary", "run.seed=1..2", "--method", "sobol"], "sobol needs a number of settings"),
    (["sweep.yaml", "--vary", "run.seed=1..2", "--points", "2"], "not from points"), ([], "SCENARIO is missing"),
    (["sweep.yaml", "--vary", "run.seed=1..2", "--points", "0"], "--points must be a whole number from 1"),
    (["sweep.yaml", "--vary", "run.seed=1..2"], "the grid method needs a list of values for"),
    (
      [
        "sweep.yaml", "--vary", "fleet.devices=40,1G", "--set", "run.simulate=all", "--set",
        "backend.endpoints.api={capacity: 1k/s}",
      ],
      "GB of memory"
    ),
  ])
  func badInput(_ arguments: [String], _ says: String) throws {
    let child = try child()
    defer { child.remove() }
    let outcome = try child.run(["sweep"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(!child.names().contains("Reports"))
  }

  /// Points within ranges, from the file and from the command line.
  @Test func rangesGiveAsManySettingsAsPoints() throws {
    let range = "kinds.weather.reload.after: 10min..30min"
    let child = try child(extra: "sweep: {method: sobol, points: 4, vary: {\(range)}}")
    defer { child.remove() }
    let outcome = try child.run(["sweep", "sweep.yaml", "-o", "out", "-n", "2"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let settings = rows(child.read("out/settings.csv"))
    #expect(settings.count == 5)
    #expect(settings.map { $0[1] }.dropFirst() == ["20min", "25min", "15min", "17min30s"])
    // Reloading sooner makes more requests, with any seed.
    let effects = rows(child.read("out/effects.csv"))
    #expect(effects[0].joined(separator: ",") == "figure,term,effect,low,high,unit")
    let requests = try #require(effects.first { $0[0] == "requests" && $0[1] == "kinds.weather.reload.after" })
    #expect((Double(requests[2]) ?? 0) < 0 && requests[5] == "requests")
    let seven = try child.run(["sweep", "sweep.yaml", "-o", "seven", "--points", "7", "--seed", "3", "-q"])
    #expect(seven.status == 0 && rows(child.read("seven/settings.csv")).count == 8)
  }

  /// `validate` and `--dry-run` report what `sweep` would refuse; `run` does not check it.
  @Test func sweepsAreValidated() throws {
    let child = try child(extra: "sweep: {vary: {kinds.weather.reload.after: [1h, often]}}")
    defer { child.remove() }
    for arguments in [["validate", "sweep.yaml"], ["run", "sweep.yaml", "--dry-run"]] {
      let outcome = try child.run(arguments)
      #expect(outcome.status == 2 && outcome.error.contains("often"), "\(outcome.error)")
    }
    #expect(try child.run(["run", "sweep.yaml", "--no-bracket", "-q"]).status == 0)
  }

  /// A sweep is not a run, so `compare` and `report` refuse it.
  @Test func sweepFolderIsNotARunFolder() throws {
    let child = try child()
    defer { child.remove() }
    #expect(try child.run(["sweep", "sweep.yaml", "--vary", "run.seed=1,2", "-o", "out"]).status == 0)
    for command in [["compare", "out", "out"], ["report", "out"]] {
      let outcome = try child.run(command)
      #expect(outcome.status == 2)
      #expect(outcome.error.contains("has schema 'widgetfleet.manifest/sweep-v1'"))
    }
    // It is a WidgetFleet folder, so it may be replaced.
    #expect(try child.run(["run", "sweep.yaml", "--no-bracket", "-o", "out"]).status == 0)
    #expect(!child.names(in: "out").contains("runs.csv"))
  }
}
