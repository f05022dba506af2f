import Foundation
import Testing

/// The `plan` command as a child process.
struct PlanCommandTests {
  /// 1 000 phones ask every 15 minutes: 1.11 requests/s on average, twice as many phones after 100 days.
  private func child() throws -> Child {
    let child = try Child()
    let text = Child.scenario(devices: 1_000).replacing("duration: 1h", with: "duration: 24h")
    try child.write(text.replacing("os: {", with: "os: {budget: {model: off}, "), to: "base.yaml")
    return child
  }

  private func plan(_ more: String) -> String {
    """
    schema: widgetfleet/plan/v1
    name: small
    from: base.yaml
    start: "2027-01-01"
    days: 120
    growth: {linear: 10/day}
    \(more)

    """
  }

  @Test func growthBeyondTheCapacityFailsWithItsDate() throws {
    let child = try child()
    defer { child.remove() }
    let rest = """
      capacity: {api: {load: 50k/s, lead: 10d}}
      prices: [{name: requests, of: requests, per: 1, price: 0.000001}]
      """
    try child.write(plan(rest), to: "enough.yaml")
    let enough = try child.run(["plan", "enough.yaml", "--nominal", "-o", "enough"])
    #expect(enough.status == 0 && enough.output.contains("HOLDS: "), "\(enough)")
    #expect(child.names(in: "enough") == ["days.csv", "manifest.json", "months.csv", "plan.json", "report.html"])
    // The last day's peak is more than twice the first's; halfway between them lies a day within the plan.
    let peaks = child.read("enough/days.csv").split(separator: "\n").dropFirst().compactMap { line in
      Double(line.split(separator: ",", omittingEmptySubsequences: false)[10])
    }
    let (first, last) = (try #require(peaks.first), try #require(peaks.last))
    #expect(peaks.count == 120 && last > 1.5 * first)
    try child.write(plan(rest.replacing("50k/s", with: "\(Int((first + last) / 2 * 86_400))/day")), to: "less.yaml")
    let less = try child.run(["plan", "less.yaml", "--nominal", "-o", "less"])
    #expect(less.status == 1 && less.output.contains("RUNS OUT: you run out of "), "\(less)")
    #expect(less.output.contains("order more by "))
  }

  /// The same plan gives the same bytes with any number of threads.
  @Test func anyNumberOfThreadsWritesTheSameFiles() throws {
    let child = try child()
    defer { child.remove() }
    try child.write(plan("capacity: {api: 50k/s}"), to: "plan.yaml")
    for (threads, folder) in [("1", "one"), ("2", "two")] {
      let outcome = try child.run(["plan", "plan.yaml", "--nominal", "--jobs", threads, "-q", "-o", folder])
      #expect(outcome.status == 0, "\(outcome.error)")
    }
    for name in child.names(in: "one") {
      let isSame = try child.bytes("one/\(name)") == child.bytes("two/\(name)")
      #expect(isSame, "\(name)")
    }
  }

  /// A constant fleet of all phones reproduces the figures of its scenario.
  @Test func constantFleetReproducesTheSummary() throws {
    let child = try child()
    defer { child.remove() }
    try child.write(plan("").replacing("growth: {linear: 10/day}", with: "window: 1min"), to: "plan.yaml")
    #expect(try child.run(["plan", "plan.yaml", "--nominal", "-q", "-o", "plan"]).status == 0)
    #expect(try child.run(["run", "base.yaml", "--no-bracket", "-q", "-o", "run"]).status == 0)
    let summary = child.read("run/summary.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let header = summary[0]
    let column = { (name: String) in header.firstIndex(of: name) ?? 0 }
    let value = { (metric: String, window: String) in
      summary.first { row in
        row[column("metric")] == metric && row[column("endpoint")] == "api" && row[column("window")] == window
          && row[column("cause")].isEmpty && row[column("cohort")].isEmpty && row[column("kind")].isEmpty
          && row[column("statistic")] != "share"
      }?[column("value")] ?? ""
    }
    let day = child.read("plan/days.csv").split(separator: "\n")[1].split(
      separator: ",", omittingEmptySubsequences: false)
    #expect(String(day[5]) == value("requests", "") && Double(day[5]).map { $0 > 60_000 } == true)
    #expect(String(day[10]) == value("peak_rps", "1min"))
  }

  /// A results folder stands for its scenario; other folders and files are refused at their place.
  @Test func resultsFolderIsABase() throws {
    let child = try child()
    defer { child.remove() }
    #expect(try child.run(["run", "base.yaml", "--no-bracket", "-q", "-o", "run"]).status == 0)
    for (base, folder) in [("base.yaml", "one"), ("run", "two")] {
      try child.write(plan("capacity: {api: 50k/s}").replacing("base.yaml", with: base), to: "plan.yaml")
      #expect(try child.run(["validate", "plan.yaml"]).output == "plan.yaml: valid\n")
      #expect(try child.run(["plan", "plan.yaml", "--nominal", "-q", "-o", folder]).status == 0)
    }
    #expect(child.read("one/days.csv") == child.read("two/days.csv"))
    for (base, reason) in [
      ("two", "'two' is the folder of a plan"), ("none.yaml", "cannot read 'none.yaml'"),
      ("one/days.csv", "error"),
    ] {
      try child.write(plan("").replacing("base.yaml", with: base), to: "wrong.yaml")
      for command in ["validate", "plan"] {
        let outcome = try child.run([command, "wrong.yaml"])
        #expect(outcome.status == 2 && outcome.error.contains(reason), "\(outcome.error)")
      }
    }
    try child.write(plan("").replacing("base.yaml", with: "two"), to: "wrong.yaml")
    #expect(try child.run(["validate", "wrong.yaml"]).error.contains("wrong.yaml:3:7"))
  }

  /// Every command that takes a scenario names the command for plans, and `plan` refuses scenarios.
  @Test func plansAndScenariosAreNotConfused() throws {
    let child = try child()
    defer { child.remove() }
    try child.write(plan(""), to: "plan.yaml")
    for arguments in [["run"], ["capacity"], ["tune"], ["sweep", "--vary", "fleet.devices=1,2"]] {
      let outcome = try child.run([arguments[0], "plan.yaml"] + arguments.dropFirst())
      #expect(outcome.status == 2 && outcome.error.contains("widgetfleet plan FILE"), "\(outcome.error)")
    }
    let outcome = try child.run(["plan", "base.yaml"])
    #expect(outcome.status == 2 && outcome.error.contains("widgetfleet init plan"))
  }

  @Test func starterTakesNameAndPhones() throws {
    let child = try child()
    defer { child.remove() }
    let plan = try child.run(["init", "plan", "--name", "mine", "--devices", "3M"])
    #expect(plan.status == 0 && plan.output.contains("name: mine\n") && plan.output.contains("  devices: 3M "))
    let refused = try child.run(["init", "plan", "--capacity", "400/s"])
    #expect(refused.status == 2 && refused.error.contains("capacity: {api: 400/s}"))
    #expect(try child.run(["init", "plan", "--devices", "many"]).status == 2)
  }

  /// A daily push to every phone is on the bill: 1 000 to 2 190 phones, one push each, 120 days at one millionth.
  @Test func pushesAreOnTheBill() throws {
    let child = try Child()
    defer { child.remove() }
    let event = """
      events: [{name: p, at: "10:00", zone: UTC, push: {type: widget, sender: {rate: 100/s}}}]
      """
    let text = Child.scenario(devices: 1_000, extra: event).replacing("duration: 1h", with: "duration: 24h")
    try child.write(text, to: "base.yaml")
    try child.write(
      plan("prices: [{name: pushes, of: pushes, per: 1, price: 0.000001}]\ncurrency: EUR"), to: "plan.yaml")
    let outcome = try child.run(["plan", "plan.yaml", "--nominal", "-o", "out"])
    #expect(outcome.status == 0, "\(outcome.error)")
    let sum = child.read("out/months.csv").split(separator: "\n").dropFirst().reduce(0) {
      $0 + (Int($1.split(separator: ",", omittingEmptySubsequences: false)[3]) ?? 0)
    }
    #expect(sum == (0..<120).reduce(0) { $0 + 1_000 + 10 * $1 })
    #expect(outcome.output.contains("at the prices in the plan file"))
  }

  @Test func unknownEndpointIsRefused() throws {
    let child = try child()
    defer { child.remove() }
    try child.write(plan("capacity: {web: 5/s}"), to: "plan.yaml")
    let outcome = try child.run(["plan", "plan.yaml", "-o", "out"])
    #expect(outcome.status == 2 && outcome.error.contains("there is no endpoint 'web'"))
    #expect(child.names(in: "out").isEmpty)
  }
}
