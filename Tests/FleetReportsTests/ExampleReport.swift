import Scenario
import SimulationKernel
import Studies

@testable import FleetEngine
@testable import FleetReports
@testable import SyntheticResults

/// A report with a value in every figure, from two replications of a 10 % sample of the fleet.
struct ExampleReport {
  var run = SyntheticRun()
  /// The goals, one for each verdict, the passing one first.
  var goals = [
    goal("fine", .atMost, 30), goal("high", .atMost, 20), goal("slow", .atLeast, 30, .warning),
    goal("shaky", .less, 26.5),
  ]
  var resolved = "schema: widgetfleet/v1\nname: synthetic\n"

  init() {
    run.fleetDevices = 1_000
    run.duration = .minutes(30)
    run.staleAfter = [.hour, nil]
    run.cache = [
      Cache.with {
        $0.ttl = .hour
        $0.scope = .kind
      }
    ]
    run.replications = [0, 1].map(Self.replication)
  }

  var report: Report {
    let provenance = Provenance(version: "1.2.3", resolvedScenario: resolved)
    let summary = Summary(of: run.result)
    let lazy = SummaryRow(.meanRPS, Self.mean.labels, .mean, replications: [.whole(27)])
    let bracket = Bracket(summaries: [.lazy: Summary(rows: [lazy])])
    let results = goals.map { GoalResult($0, summary, bracket) }
    return Report(result: run.result, summary: summary, goals: results, provenance: provenance)
  }

  /// Returns the text of one of its files.
  func text(_ file: ReportFile) -> String { String(decoding: file.bytes(of: report), as: UTF8.self) }

  /// Returns the lines of one of its files.
  func lines(_ file: ReportFile) -> [String] { text(file).split(separator: "\n").map(String.init) }

  /// A minute has 158 and 160 simulated requests in a fleet ten times as large: 26.3 and 26.7 per second.
  private static let mean = FigureName(.meanRPS, .mean, Labels().with(\.window, "1min"))

  private static func goal(
    _ id: String, _ comparison: Comparison, _ limit: Double, _ severity: Goal.Severity = .error
  ) -> Goal {
    Goal(
      id: id, text: "mean_rps{window=1min} \(comparison.rawValue) \(limit)/s", figure: mean, comparison: comparison,
      limit: .value(limit), severity: severity)
  }

  private static func replication(_ number: Int) -> ReplicationResult {
    let arrivals = (0..<1_800).map { UInt32($0 % 60 == 7 ? 20 + number : 1) }
    var replication = SyntheticRun.replication(
      arrivals: [arrivals, arrivals], groups: [group(cohort: 0, kind: 0), group(cohort: 1, kind: 1)])
    replication.causeMinutes = (0..<30).flatMap { minute in
      [Cause.policy, .background].map { cause in
        var traffic = Traffic()
        traffic.requests = 10
        traffic.failures[3] = 1
        traffic.bytesDown = 2_000
        return CauseMinute(minute: minute, endpoint: 0, cohort: 0, cause: cause, traffic: traffic)
      }
    }
    replication.devices = DeviceTable(rows: [row])
    replication.phoneDays = [CountHistogram(counts: [0, 3, 20]), CountHistogram(counts: [1, 20, 6])]
    return replication
  }

  /// A row in which no two counts are alike.
  private static var row: DeviceTable.Row {
    var row = DeviceTable.Row()
    row.counts.instances = 5
    row.counts.charged = 6
    row.counts.requests = 7
    row.counts.failures = 8
    row.counts.bytesUp = 9
    row.counts.bytesDown = 10
    row.counts.cacheHits = 11
    row.counts.views = 12
    row.counts.staleViews = 13
    row.counts.nanojoules = 14
    for cause in row.counts.runs.indices { row.counts.runs[cause] = UInt32(15 + cause) }
    for reason in row.counts.waits.indices { row.counts.waits[reason] = UInt32(26 + reason) }
    return row
  }

  private static func group(cohort: Int, kind: Int) -> GroupResult {
    var group = SyntheticRun.group(cohort: cohort, kind: kind, instances: 50)
    for cause in [Cause.policy, .background] { group.runs[Int(cause.rawValue)] = 300 }
    group.runsPerDay = CountHistogram(counts: [1, 2, 40, 5, 2])
    group.runsPerDayByCause[0] = group.runsPerDay
    group.chargedRunsPerDay = group.runsPerDay
    group.waits[1].count = 4
    group.waits[1].totalMilliseconds = 7_200_000
    group.waits[3].count = 9
    group.waits[3].totalMilliseconds = 90_000
    for second in 0..<900 { group.lateness.record(.seconds(Int64(second))) }
    group.budgetExhausted = CountHistogram(counts: Array(repeating: 0, count: 20 * 60) + [3])
    group.views = 80
    group.staleViews = 8
    group.staleViewsAfter = 3
    for minute in 0..<80 { group.dataAge.record(.minutes(Int64(minute))) }
    group.cacheHits = 200
    group.saved[0].requests = 200
    group.traffic[0][0].requests = 300
    group.traffic[0][2].requests = 300
    group.traffic[0][0].bytesDown = 60_000
    return group
  }
}
