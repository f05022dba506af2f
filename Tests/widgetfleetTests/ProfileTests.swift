import Foundation
import Testing

/// The key `os: {profile: FILE}`, tested with a process (MODEL.md 4.9).
struct ProfileTests {
  static let profile = """
    schema: widgetfleet.os-profile/v1
    name: lab
    os:
      start_delay.policy:
        {value: {uniform: 0s..10min}, low: {uniform: 0s..5min}, high: {uniform: 0s..20min}, method: lab, n: 1_900, phones: 5}

    """

  private static func scenario(_ os: String) -> String {
    """
    schema: widgetfleet/v1
    name: measured
    clock: {start: 2027-01-18T00:00:00Z, settle: 1d, warmup: 1d, duration: 2d, step: 10s}
    kinds: {score: {reload: {after: 1h}, cpu: 0s, requests: []}}
    os: {profile: lab.yaml, idle: none, budget: {model: off}\(os)}
    fleet:
      devices: 200
      cohorts:
        - {name: all, zones: {UTC: 100%}, person: {unlocks_per_day: 0}, network: wifi, power: mains, widgets: [{kind: score}]}

    """
  }

  /// Returns the figure under the scenario's own settings, prompt and lazy.
  private func runsPerDay(_ child: Child, _ folder: String) throws -> [Double] {
    let rows = child.read(folder + "/summary.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let row = try #require(
      rows.first { row in
        let labels = row.dropFirst().prefix { $0 != "mean" }
        return row[0] == "runs_per_day" && row.contains("mean") && labels.allSatisfy(\.isEmpty)
      })
    let place = try #require(row.firstIndex(of: "mean"))
    return try [row[place + 2], row[row.count - 2], row[row.count - 1]].map { try #require(Double($0)) }
  }

  /// A renewal process with a gap of 1 h + U(0, W) runs 24 h / (1 h + W / 2) times a day. In T = 2 d a widget's count
  /// has variance T v / m^3, with the mean gap m and its variance v. For W = 20 min that is at most 0.28, so the daily
  /// mean of 200 widgets has a standard error of at most 0.019.
  @Test func profileFiguresMatchARenewalProcess() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.profile, to: "lab.yaml")
    try child.write(Self.scenario(""), to: "measured.yaml")
    #expect(try child.run(["run", "measured.yaml", "-o", "one"]).status == 0)
    for (found, gap) in zip(try runsPerDay(child, "one"), [65.0, 62.5, 70]) {
      #expect(abs(found - 1_440 / gap) < 4 * 0.019, "\(found) \(gap)")
    }
    let page = child.read("one/report.html")
    #expect(page.contains("Measured (profile lab)") && page.contains("lab, n = 1\u{202F}900, 5 phones"))
    #expect(!page.contains("a 900 s window was reported"))
    // Results do not depend on the profile's file.
    try FileManager.default.removeItem(atPath: child.folder.path + "/lab.yaml")
    let report = try child.run(["report", "one"])
    #expect(report.status == 0, "\(report.error)")
    #expect(child.read("one/report.html") == page)
  }

  @Test func constantsInTheFileApplyToAllPresets() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.profile, to: "lab.yaml")
    try child.write(Self.scenario(", start_delay: {policy: 0s}"), to: "measured.yaml")
    let outcome = try child.run(["run", "measured.yaml", "-o", "one"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let summary = child.read("one/summary.csv")
    #expect(summary.contains("runs_per_day,,,,,,,,,,,,mean,runs/day,24,"))
    #expect(!outcome.output.contains("measured by the profile"))
  }

  /// The path is relative to the scenario's folder, and a missing file is a problem of the scenario.
  @Test func profilePathsAreRelativeToTheScenario() throws {
    let child = try Child()
    defer { child.remove() }
    try FileManager.default.createDirectory(atPath: child.folder.path + "/inner", withIntermediateDirectories: true)
    try child.write(Self.scenario(""), to: "inner/measured.yaml")
    let missing = try child.run(["validate", "inner/measured.yaml"])
    #expect(missing.status == 2 && missing.error.contains("inner/lab.yaml': No such file"), "\(missing.error)")
    try child.write(Self.profile, to: "inner/lab.yaml")
    #expect(try child.run(["validate", "inner/measured.yaml"]).status == 0)
    let run = try child.run(["run", "inner/measured.yaml", "-o", "one"])
    #expect(run.output.contains("measured by the profile lab"), "\(run.output)")
  }
}
