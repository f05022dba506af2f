import Foundation
import Testing

/// The `capacity` command as a child process.
struct CapacityCommandTests {
  private func outcome(_ extra: String, devices: Int = 40, _ arguments: [String]) throws -> (Int32, [String: Any]) {
    let child = try Child()
    defer { child.remove() }
    let text = Child.scenario(name: "asked", devices: devices, extra: extra)
      .replacing("os: {", with: "os: {budget: {model: off}, start_delay: {policy: 0s}, ")
    try child.write(text, to: "asked.yaml")
    let outcome = try child.run(["capacity", "asked.yaml", "--format", "json"] + arguments)
    let object = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    return (outcome.status, object ?? ["error": outcome.error])
  }

  /// Widgets that reload every 15 minutes do so four times an hour: 9 600 requests in an hour come from 2 400 phones.
  @Test func requestsGrowWithThePhones() throws {
    let (status, told) = try outcome("goals: [{id: few, assert: requests <= 9600}]", ["-n", "2", "--nominal"])
    #expect(status == 0, "\(told)")
    let answers = try #require(told["answers"] as? [[String: Any]])
    #expect(answers.count == 1 && answers[0]["question"] as? String == "most_devices")
    let value = try #require(answers[0]["value"] as? Double)
    // A run itself takes up to 20 s of 900, which makes them slightly fewer. An hour has 4 of them, plus or minus a
    // half, which is 25 in 9 600: three times that either way.
    #expect(value > 2_380 && value < 2_473, "\(value)")
    #expect(answers[0]["fails_first"] as? String == "few")
    #expect(answers[0]["resolved"] as? Bool == true)
  }

  /// Forty of 40 000 phones are too few for a peak; the answer reports this, and how to get a better one.
  @Test func tooSmallSampleIsReported() throws {
    let child = try Child()
    defer { child.remove() }
    let goal = "goals: [{id: peak, assert: \"peak_rps{window=1s} <= 400/s\"}]"
    try child.write(Child.scenario(name: "asked", devices: 40_000, extra: goal), to: "asked.yaml")
    let asked = ["capacity", "asked.yaml", "-n", "1", "--nominal", "--set", "run.simulate=40"]
    let told = try child.run(asked + ["--format", "json"]).output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: Any])
    let answers = try #require(object["answers"] as? [[String: Any]])
    #expect(answers[0]["fails_first"] as? String == "peak" && answers[0]["resolved"] as? Bool == false)
    let text = try child.run(asked).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains("phones are too few to estimate 'peak' to within 5 %. --set run.simulate=160"))
  }

  /// If a goal's verdict is the same for any number of phones, there is no solution.
  @Test func unreachableGoalHasNoSolution() throws {
    let (status, told) = try outcome("goals: [{id: rare, assert: runs_per_day <= 1/day}]", ["-n", "2", "--nominal"])
    #expect(status == 5, "\(told)")
    #expect(told["feasible"] as? Bool == false)
  }

  /// Phones that start together send in one step, in which c are served; the last of the rest waits (N - c) / c, which
  /// must be below 30 s. So 2 000 phones need c = 2 000 / 31 = 64.5/s, and 50/s serve 50 * 31 = 1 550 phones. Phones
  /// with an answer after 30 s reload as slowly. The search is accurate to 1 %.
  @Test func herdDeterminesTheRequiredCapacity() throws {
    let extra = """
      goals:
        - {id: served, assert: "share(failures{endpoint=api}) <= 0%"}
        - {id: overrun, assert: "overload_seconds{endpoint=api} <= 1h"}
      backend: {endpoints: {api: {capacity: 50/s}}}
      """
    let (status, told) = try outcome(extra, devices: 2_000, ["-n", "2", "--nominal"])
    #expect(status == 0, "\(told)")
    let answers = try #require(told["answers"] as? [[String: Any]])
    let servers = try #require(answers.first { $0["question"] as? String == "least_capacity" })
    #expect(servers["fails_first"] as? String == "served")
    let value = try #require(servers["value"] as? Double)
    #expect(abs(value / (2_000 / 31.0) - 1) < 0.011, "\(value)")
    let phones = try #require(answers.first { $0["question"] as? String == "most_devices" })
    let maximum = try #require(phones["value"] as? Double)
    #expect(abs(maximum / 1_550 - 1) < 0.011, "\(maximum)")
  }

  /// Without a goal that accepts overload, the capacity itself is the goal, as in `run`: at least the peak. Phones that
  /// start together send in one second: 2 000 need 2 000/s, and 50/s serve 50. The search is accurate to 1 %, and
  /// numbers of phones are whole.
  @Test func withoutGoalsThePeakDecides() throws {
    let extra = "backend: {endpoints: {api: {capacity: 50/s}}}"
    let (status, told) = try outcome(extra, devices: 2_000, ["-n", "2", "--nominal"])
    #expect(status == 0, "\(told)")
    let answers = try #require(told["answers"] as? [[String: Any]])
    for (question, value) in [("most_devices", 50.0), ("least_capacity", 2_000)] {
      let answer = try #require(answers.first { $0["question"] as? String == question })
      #expect(answer["fails_first"] as? String == "capacity of api" && answer["decided_by"] as? String == "scenario")
      let found = try #require(answer["value"] as? Double)
      #expect(abs(found - value) <= 1 + 0.011 * value, "\(question): \(found)")
    }
    let goals = try #require(told["goals"] as? [[String: Any]])
    #expect(goals.map { $0["of_file"] as? Bool } == [false])
  }

  /// The printed plan holds under both presets: `run` reports HOLDS for it, but not for 20 % more.
  @Test func runHoldsAtThePrintedPlan() throws {
    let child = try Child()
    defer { child.remove() }
    let extra = "backend: {endpoints: {api: {capacity: 50/s}}}"
    try child.write(Child.scenario(name: "asked", devices: 3_000, extra: extra), to: "asked.yaml")
    let told = try child.run(["capacity", "asked.yaml", "-n", "1", "--format", "json"]).output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [String: Any])
    let answers = try #require(object["answers"] as? [[String: Any]])
    let maximum = try #require(answers[0]["plan"] as? Double)
    let plans = try #require(object["plans"] as? [[String: Any]])
    #expect((plans[0]["settings"] as? [String]) == ["fleet.devices=\(Int(maximum))"])
    #expect(plans.allSatisfy { ($0["missed"] as? [String]) == [] })
    for (factor, holds) in [(1, true), (1.2, false)] {
      let devices = "fleet.devices=\(Int(maximum * factor))"
      let verdict = try child.run(["run", "asked.yaml", "--quiet", "--no-trials", "--set", devices, "-o", "r\(factor)"])
      #expect(verdict.output.hasPrefix("HOLDS") == holds, "\(maximum): \(verdict.output)")
    }
  }

  /// Without goals or capacities there is nothing to search for.
  @Test func searchNeedsGoalsOrCapacities() throws {
    let (status, told) = try outcome("", [])
    #expect(status == 2)
    #expect((told["error"] as? String)?.contains("nothing that could be too small") == true)
  }
}
