import Foundation
import Testing

/// Goals and the bracket, tested through the command.
struct GoalTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var assertion: String
    var severity = "error"
    var options: [String] = []
    var status: Int32
    var verdict: String
    var testDescription: String { "\(assertion) \(severity) \(options)" }
  }

  /// 40 devices send a request when they are placed. With reloads after 15 min and a delay of up to 15 min, they send
  /// at least one more in an hour: between 80 and 160 in total, and none fails with a backend without limits.
  private static let rows: [Row] = [
    Row(assertion: "requests <= 160", status: 0, verdict: "pass"),
    Row(assertion: "requests <= 20", status: 1, verdict: "fail"),
    Row(assertion: "requests <= 20", options: ["--exit-zero"], status: 0, verdict: "fail"),
    Row(assertion: "requests <= 20", severity: "warning", status: 0, verdict: "warn"),
    Row(assertion: "recovery_time{event=storm} <= 1min", status: 0, verdict: "inconclusive"),
    Row(assertion: "recovery_time{event=storm} <= 1min", options: ["--strict"], status: 1, verdict: "inconclusive"),
    Row(
      assertion: "recovery_time{event=storm} <= 1min", severity: "warning", options: ["--strict"], status: 0,
      verdict: "inconclusive"),
    Row(assertion: "failures{reason=timeout} == 0", options: ["--strict"], status: 0, verdict: "pass"),
  ]

  @Test(arguments: rows) func exitCodes(_ row: Row) throws {
    let child = try Child()
    defer { child.remove() }
    let goal = "goals: [{id: goal, assert: '\(row.assertion)', severity: \(row.severity)}]\n"
    let event = "events: [{name: storm, at: 2027-01-18T00:30:00Z, system_change: {audience: 0%}}]\n"
    try child.write(Child.scenario(extra: goal + event), to: "goal.yaml")
    let outcome = try child.run(["run", "goal.yaml", "--no-bracket"] + row.options)
    #expect(outcome.status == row.status, "\(outcome.error)")
    #expect(outcome.output.contains("\n\(row.verdict) "))
    #expect(child.read("Reports/small/goals.csv").contains("\ngoal,\(row.severity),\(row.verdict),"))
    #expect(outcome.error.contains("warning: goal 'goal'") == (row.verdict == "inconclusive"))
  }

  /// Under prompt a reload starts at most 1 min late, so every device sends three more requests in an hour.
  private static let hinging =
    "goals: [{id: often, assert: 'mean(lateness) >= 2min'}]\n"

  @Test func theBracketIsTheSameForAnyNumberOfThreads() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(devices: 300, extra: Self.hinging), to: "goal.yaml")
    let one = try child.run(["run", "goal.yaml", "--jobs", "1", "-o", "one"])
    let three = try child.run(["run", "goal.yaml", "--jobs", "3", "-o", "three"])
    #expect(one.output == three.output)
    for name in child.names(in: "one") { #expect(child.read("one/\(name)") == child.read("three/\(name)"), "\(name)") }
    #expect(one.status == 0)
    #expect(one.output.contains("it passes, but fails under prompt; it depends on os.start_delay.policy"))
    #expect(child.read("one/goals.csv").contains(",os.start_delay.policy,"))
  }

  /// Constants that the file sets under os apply in every preset, so no verdict can change.
  @Test func givenConstantsAreNotBracketed() throws {
    let child = try Child()
    defer { child.remove() }
    try child.write(Child.scenario(extra: Self.hinging), to: "goal.yaml")
    let outcome = try child.run(["run", "goal.yaml", "--set", "os.start_delay.policy={uniform: 5min..15min}"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("\npass "))
    let header = child.read("Reports/small/summary.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    for row in header.dropFirst() { #expect(row[14] == row[17] && row[14] == row[18]) }
  }

  @Test func withoutABracketTheColumnsAreBlank() throws {
    let child = try Child()
    defer { child.remove() }
    #expect(try child.run(["run", "small.yaml", "--no-bracket"]).status == 0)
    let rows = child.read("Reports/small/summary.csv").split(separator: "\n").dropFirst()
    #expect(rows.allSatisfy { $0.hasSuffix(",,") })
    #expect(try child.run(["run", "small.yaml"]).status == 0)
    #expect(
      !child.read("Reports/small/summary.csv").split(separator: "\n").dropFirst().allSatisfy { $0.hasSuffix(",,") })
  }
}
