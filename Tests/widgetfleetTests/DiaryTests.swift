import Foundation
import Testing

/// One phone's day: totals, then a line per reload; also the choice of the worst and the median phone.
struct DiaryTests {
  /// People who view widgets that become stale after two hours.
  private static let people = """
    schema: widgetfleet/v1
    name: people
    clock: {start: 2027-01-18T00:00:00Z}
    run: {seed: 3}
    kinds:
      rare: {reload: {after: 4h}, requests: [{endpoint: api, up: 1kB, down: 5kB}], stale_after: 2h, taps: 1}
    fleet:
      devices: 31
      cohorts: [{name: people, zones: {Europe/Berlin: 100%}, network: {offline: {share: 5%}}, widgets: [{kind: rare}]}]

    """

  private struct Row {
    var device: Int
    var stale: Int
    var runs: Int
    var widgets: Int
    var views: Int
    var requests: Int
    var failures: Int
  }

  /// Returns the rows of devices.csv.
  private static func rows(_ child: Child) throws -> [Row] {
    let lines = child.read("Reports/people/devices.csv").split(separator: "\n").map { $0.split(separator: ",") }
    let header = try #require(lines.first).map(String.init)
    return lines.dropFirst().map { line in
      let number = { (name: String) in header.firstIndex(of: name).flatMap { Int(line[$0]) } ?? -1 }
      return Row(
        device: number("device"), stale: number("stale_views"), runs: number("runs"), widgets: number("instances"),
        views: number("views"), requests: number("requests"), failures: number("failures"))
    }
  }

  private static func document(_ child: Child, _ options: [String]) throws -> [String: Any] {
    let outcome = try child.run(["run", "people.yaml", "--format", "json"] + options)
    #expect(outcome.status == 0, "\(outcome.error)")
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  /// A push at 10:00 makes the app call for its widget, which starts 26 s later.
  @Test func callsOfTheAppAreShownWithTheirInstant() throws {
    let child = try Child()
    defer { child.remove() }
    let push = "events: [{name: p, at: 2027-01-18T10:00:00Z, push: {type: silent, kinds: all}}]"
    let system = "os: {start_delay: {background: 26s}, idle: none, budget: {model: off}}"
    let quiet = Self.people.replacing("reload: {after: 4h}", with: "reload: never")
      .replacing("widgets:", with: "person: {unlocks_per_day: 0}, widgets:")
      .replacing("network: {offline: {share: 5%}}", with: "network: wifi")
    try child.write(quiet + system + "\n" + push, to: "a.yaml")
    let outcome = try child.run(["run", "a.yaml", "--device", "0"])
    #expect(outcome.output.contains("called at 11:00:00.000, 26 s late"), "\(outcome.output) \(outcome.error)")
  }

  /// The totals are those of devices.csv, and there are as many lines as reloads.
  @Test func diaryTotalsMatchTheDevicesFile() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.people, to: "people.yaml")
    #expect(try child.run(["run", "people.yaml", "--no-bracket", "-q"]).status == 0)
    for row in try Self.rows(child).prefix(6) {
      let totals = try #require(try Self.document(child, ["--device", "\(row.device)"])["totals"] as? [String: Any])
      #expect(totals["reloads"] as? Int == row.runs && totals["views"] as? Int == row.views)
      #expect(totals["stale_views"] as? Int == row.stale)
      #expect(totals["requests"] as? Int == row.requests && totals["failed_requests"] as? Int == row.failures)
      let text = try child.run(["run", "people.yaml", "--device", "\(row.device)"]).output
      let reloads = text.split(separator: "\n").filter { $0.dropFirst(2).first == ":" && $0.contains("rare#0") }
      #expect(reloads.count == row.runs && text.contains("reloads: \(row.runs) "))
      #expect(text.contains("views: \(row.views), \(row.stale) stale\n"))
    }
  }

  /// The most stale views, then the fewest reloads per widget, then the lowest number; the median is the middle of that
  /// order.
  @Test func worstAndMedianDevicesAreChosen() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Self.people, to: "people.yaml")
    #expect(try child.run(["run", "people.yaml", "--no-bracket", "-q"]).status == 0)
    let order = try Self.rows(child).sorted { left, right in
      (-left.stale, Double(left.runs) / Double(left.widgets), left.device)
        < (-right.stale, Double(right.runs) / Double(right.widgets), right.device)
    }
    #expect(order.count == 31 && order[0].stale > order[15].stale)
    #expect(try Self.document(child, ["--device", "worst"])["device"] as? Int == order[0].device)
    #expect(try Self.document(child, ["--device", "median"])["device"] as? Int == order[15].device)
    let worst = try child.run(["run", "people.yaml", "--device", "worst"]).output
    #expect(worst == (try child.run(["run", "people.yaml", "--device", "\(order[0].device)"]).output))
  }

  /// With a backend that reacts to the load, the chosen phone behaves as in the fleet, even without saved conditions.
  @Test func diaryMatchesTheFleetUnderLimits() throws {
    let child = try Child()
    defer { child.remove() }
    let limits = "backend: {endpoints: {api: {capacity: 1/min, queue: 1}}}\n"
    try child.write(Self.people + limits, to: "people.yaml")
    #expect(try child.run(["run", "people.yaml", "--no-bracket", "--save-conditions", "-q"]).status == 0)
    let picked = try child.run(["run", "people.yaml", "--device", "worst"])
    #expect(picked.status == 0, "\(picked.error)")
    let device = try #require(picked.output.split(separator: " ").dropFirst().first)
    let replayed = try child.run([
      "run", "people.yaml", "--device", String(device), "--replay-conditions", "Reports/people/conditions.csv",
    ])
    #expect(replayed.output == picked.output)
  }

  @Test func badInput() throws {
    let child = try Child()
    defer { child.remove() }
    for (options, says) in [
      (["--device", "wurst"], "did you mean 'worst'?"), (["--device", "-1"], "whole number"),
      (["--device", "worst", "--replay-conditions", "x"], "leave out --replay-conditions"),
    ] {
      let outcome = try child.run(["run", "small.yaml"] + options)
      #expect(outcome.status == 2 && outcome.error.contains(says), "\(outcome.error)")
    }
    let nobody = Child.scenario().replacing("[{kind: weather}]", with: "[]")
    try child.write(nobody, to: "nobody.yaml")
    let outcome = try child.run(["run", "nobody.yaml", "--device", "worst"])
    #expect(outcome.status == 2 && outcome.error.contains("no phone with a widget"), "\(outcome.error)")
  }
}
