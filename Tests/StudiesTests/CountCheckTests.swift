import Scenario
import SimulationKernel
import Testing

@testable import FleetEngine
@testable import SyntheticResults

/// Counts that contradict each other are found and named.
struct CountCheckTests {
  /// One instance with 3 runs, of which 2 sent one request each, one failed and one met a cache; 4 views.
  private static var sound: ReplicationResult {
    var group = SyntheticRun.group(cohort: 1, kind: 0, instances: 1)
    group.runs[Int(Cause.policy.rawValue)] = 2
    group.runs[Int(Cause.tap.rawValue)] = 1
    group.runsPerDay = CountHistogram(counts: [0, 0, 0, 1])
    for cause in Cause.allCases {
      let runs = Int(group.runs[Int(cause.rawValue)])
      group.runsPerDayByCause[Int(cause.rawValue)] = CountHistogram(
        counts: Array(repeating: 0, count: runs) + [1])
    }
    group.chargedRunsPerDay = CountHistogram(counts: [0, 0, 1])
    group.freeRunsPerDay = CountHistogram(counts: [0, 1])
    group.cacheHits = 1
    group.views = 4
    group.staleViews = 1
    group.dataAge.record(.second)
    group.traffic[0][0] = traffic
    var replication = SyntheticRun.replication(arrivals: [[], []], groups: [group])
    replication.phoneDays = [CountHistogram(counts: [1]), CountHistogram(counts: [0, 0, 0, 1])]
    replication.load[0] = LoadSeries(arrivals: [0, 2, 0], failures: [0, 1, 0])
    replication.causeMinutes = [CauseMinute(minute: 0, endpoint: 0, cohort: 1, cause: .policy, traffic: traffic)]
    replication.devices = DeviceTable(rows: [row])
    return replication
  }

  private static var traffic: Traffic {
    var traffic = Traffic()
    traffic.requests = 2
    traffic.successes = 1
    traffic.failures[Int(FailureReason.timeout.rawValue)] = 1
    traffic.bytesUp = 20
    traffic.bytesDown = 500
    return traffic
  }

  private static var row: DeviceTable.Row {
    var row = DeviceTable.Row()
    row.device = 7
    row.cohort = 1
    row.counts.instances = 1
    row.counts.charged = 2
    row.counts.requests = 2
    row.counts.failures = 1
    row.counts.cacheHits = 1
    row.counts.views = 4
    row.counts.staleViews = 1
    row.counts.runs[Int(Cause.policy.rawValue)] = 2
    row.counts.runs[Int(Cause.tap.rawValue)] = 1
    return row
  }

  private func contradictions(_ result: ReplicationResult, keepsEveryRow: Bool = true) -> [String] {
    CountCheck(result, of: SyntheticRun().scenario, keepsEveryRow: keepsEveryRow).contradictions
  }

  @Test func soundCountsAgree() { #expect(contradictions(Self.sound).isEmpty) }

  struct Damage: Sendable, CustomTestStringConvertible {
    var says: String
    var change: @Sendable (inout ReplicationResult) -> Void

    var testDescription: String { says }
  }

  @Test(arguments: [
    Damage(says: "runs by cause and by day, kind weather, cohort east: 4 and 3") { $0.groups[0].runs[0] = 3 },
    Damage(says: "runs and the sum over their causes") { $0.groups[0].runsPerDayByCause[2].counts = [0, 1] },
    Damage(says: "runs and those charged and free") { $0.groups[0].freeRunsPerDay.counts = [1] },
    Damage(says: "runs by day of phones and of widgets, cohort east: 2 and 3") {
      $0.phoneDays[1] = CountHistogram(counts: [0, 0, 1])
    },
    Damage(says: "days, counted and expected") { $0.groups[0].instances = 2 },
    Damage(says: "cache hits among the runs, kind weather, cohort east: 9 of 3") { $0.groups[0].cacheHits = 9 },
    Damage(says: "requests and their ends") { $0.groups[0].traffic[0][0].successes = 2 },
    Damage(says: "requests by step and by kind, endpoint api: 3 and 2") { $0.load[0].arrivals[2] = 1 },
    Damage(says: "failures by step and by kind") { $0.load[0].failures[1] = 0 },
    Damage(says: "requests by minute and by kind") { $0.causeMinutes[0].traffic.requests = 1 },
    Damage(says: "bytes down by minute and by kind") { $0.causeMinutes[0].traffic.bytesDown = 1 },
    Damage(says: "views of data among the views") { $0.groups[0].views = 0 },
    Damage(says: "stale views among the views") { $0.groups[0].staleViews = 5 },
    Damage(says: "requests in rows and in all") { $0.devices.rows[0].counts.requests = 1 },
    Damage(says: "views in rows and in all") { $0.devices.rows[0].counts.views = 1 },
    Damage(says: "energy of widgets, people and systems, and of phones: 0 and 1") { $0.energy.integral = 1 },
    Damage(says: "energy from batteries, from chargers and owed, and used by the phones") { $0.energy.fromBattery = 1 },
    Damage(says: "energy from batteries, from chargers and owed, and used by the phones") { $0.energy.lifelong = -1 },
    Damage(says: "negative energy of people, systems, batteries or chargers") { $0.energy.system = -1 },
    Damage(says: "negative energy of tail, kind weather, cohort east") {
      $0.groups[0].energy.spent[Int(EnergyComponent.tail.rawValue)] = -1
    },
    Damage(says: "instances in rows and in all, kind weather, cohort east: 0 and 1") { $0.devices = DeviceTable() },
  ])
  func damageIsNamed(_ damage: Damage) {
    var result = Self.sound
    damage.change(&result)
    #expect(contradictions(result).contains { $0.hasPrefix(damage.says) })
  }

  @Test func sampledRowsAreNotChecked() {
    var result = Self.sound
    result.devices = DeviceTable()
    #expect(contradictions(result, keepsEveryRow: false).isEmpty)
  }
}
