import Foundation
import Testing

/// The `run --until-ci` command as a child process.
struct UntilCITests {
  private func child(goal: String) throws -> Child {
    let child = try Child()
    let text = Child.scenario(extra: "goals: [{id: goal, assert: '\(goal)'}]\n")
    try child.write(text.replacing("os: {", with: "os: {budget: {model: off}, "), to: "goal.yaml")
    return child
  }

  private func replications(_ child: Child, in folder: String) throws -> Int {
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: Data(child.read(folder + "/manifest.json").utf8)) as? [String: Any])
    return try #require(manifest["replications"] as? Int)
  }

  /// The results of a run that stops by itself are those of a run with exactly that number of replications.
  @Test func untilCIEqualsAFixedNumberOfReplications() throws {
    let child = try child(goal: "requests <= 1M")
    defer { child.remove() }
    let outcome = try child.run(["run", "goal.yaml", "--until-ci", "1.5%", "-o", "until", "--no-bracket"])
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(!outcome.error.contains("warning"))
    let count = try replications(child, in: "until")
    #expect((5...99).contains(count))
    #expect(try child.run(["run", "goal.yaml", "-n", "\(count)", "-o", "fixed", "--no-bracket"]).status == 0)
    // The manifest and page also contain the required precision.
    for name in child.names(in: "fixed") where !["manifest.json", "report.html", "run.bin"].contains(name) {
      let isSame = child.read("until/\(name)") == child.read("fixed/\(name)")
      #expect(isSame, "\(name)")
    }
    let rows = child.read("until/summary.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let header = try #require(rows.first)
    let places = try ["value", "low", "high"].map { name in try #require(header.firstIndex { $0 == name }) }
    let requests = try #require(
      rows.first { $0[0] == "requests" && $0[header.count - 6] == "requests" && $0[1].isEmpty })
    let numbers = try places.map { place in try #require(Double(requests[place])) }
    #expect((numbers[2] - numbers[1]) / 2 <= 0.015 * numbers[0])
  }

  @Test func missedPrecisionAtTheLimitIsReported() throws {
    let child = try child(goal: "lateness <= 1h")
    defer { child.remove() }
    let outcome = try child.run(
      ["run", "goal.yaml", "--until-ci", "0.01%", "--max-replications", "6", "-o", "out", "--no-bracket"])
    #expect(outcome.status == 0)
    #expect(outcome.error.contains("warning: after 6 replications, the maximum, lateness is known to within "))
    #expect(try replications(child, in: "out") == 6)
  }

  /// The -n option sets the min number.
  @Test func minimumReplicationsMayExceedTheNeeded() throws {
    let child = try child(goal: "failures <= 1")
    defer { child.remove() }
    #expect(try child.run(["run", "goal.yaml", "--until-ci", "2%", "-o", "five", "--no-bracket"]).status == 0)
    #expect(try replications(child, in: "five") == 5)
    #expect(
      try child.run(["run", "goal.yaml", "--until-ci", "2%", "-n", "8", "-o", "eight", "--no-bracket"]).status == 0)
    #expect(try replications(child, in: "eight") == 8)
  }

  @Test(arguments: [
    (["small.yaml", "--until-ci", "2%"], "needs goals in the scenario"),
    (["goal.yaml", "--until-ci", "2"], "be a percentage"),
    (["goal.yaml", "--until-ci", "0%"], "a share above 0%"), (["goal.yaml", "--until-ci", "-2%"], "be a percentage"),
    (["goal.yaml", "--max-replications", "9"], "needs --until-ci"),
    (["goal.yaml", "--until-ci", "2%", "--max-replications", "4"], "from 5 to 10000"),
  ])
  func badInput(_ arguments: [String], _ says: String) throws {
    let child = try child(goal: "failures <= 1")
    defer { child.remove() }
    let outcome = try child.run(["run"] + arguments)
    #expect(outcome.status == 2)
    #expect(outcome.error.contains(says), "\(outcome.error)")
    #expect(!child.names().contains("Reports"))
  }
}
