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
    #expect(less.output.contains("Order more by "))
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

  @Test func unknownEndpointIsRefused() throws {
    let child = try child()
    defer { child.remove() }
    try child.write(plan("capacity: {web: 5/s}"), to: "plan.yaml")
    let outcome = try child.run(["plan", "plan.yaml", "-o", "out"])
    #expect(outcome.status == 2 && outcome.error.contains("names the endpoint 'web'; its scenario has api"))
    #expect(child.names(in: "out").isEmpty)
  }
}
