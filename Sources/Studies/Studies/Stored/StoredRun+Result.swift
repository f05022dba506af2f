package import FleetEngine
import Scenario
import SimulationKernel

extension StoredRun {
  package init(of result: RunResult) {
    let limited = result.scenario.queueRecords
    self.init(of: result.scenario)
    devicesSimulated = result.devicesSimulated
    eventSpans = result.eventSpans
    windowSpans = result.windowSpans
    replications = result.replications.map { StoredReplication(of: $0, result.scenario, limited) }
    var kept: [[Int]: StoredGroup] = [:]
    for group in result.replications.flatMap(\.groups) {
      kept[[group.cohort, group.kind], default: StoredGroup(cohort: group.cohort, kind: group.kind)] += group
    }
    groups = StoredGroup.ordered(kept.values)
    phoneDays = result.replications.flatMap(\.phoneDays).reduce(into: CountHistogram()) { $0 += $1 }.trimmed
    hours = Self.hours(of: result)
    asked = Self.asked(of: result)
  }
}

extension StoredGroup {
  fileprivate static func += (left: inout StoredGroup, right: GroupResult) {
    left.runsPerDay += right.runsPerDay
    left.dataAge += SpanBins(right.dataAge)
    left.pushToView += SpanBins(right.followed.pushes.spans)
    for (minute, count) in right.budgetExhausted.counts.enumerated() where minute < 1_440 {
      left.exhaustedHours[minute / 60] += count
    }
  }

  /// Returns the non-empty groups, sorted by cohort, then by kind.
  static func ordered(_ groups: some Sequence<StoredGroup>) -> [StoredGroup] {
    groups.filter(\.isAnything).map(\.trimmed).sorted { ($0.cohort, $0.kind) < ($1.cohort, $1.kind) }
  }

  private var isAnything: Bool {
    runsPerDay.total > 0 || dataAge.total > 0 || pushToView.total > 0 || exhaustedHours.contains { $0 > 0 }
  }

  /// The group with trailing zeros removed from its histogram of runs.
  private var trimmed: StoredGroup {
    var group = self
    group.runsPerDay = runsPerDay.trimmed
    return group
  }
}

extension CountHistogram {
  /// The histogram without trailing zeros.
  var trimmed: CountHistogram { CountHistogram(counts: Array(counts.prefix((maximum ?? -1) + 1))) }
}

extension StoredReplication {
  fileprivate init(of replication: ReplicationResult, _ scenario: Scenario, _ limited: Set<Int>) {
    load = replication.load.indices.map { endpoint in
      let series = replication.load[endpoint]
      var load = StoredLoad(arrivals: series.arrivals.map(Int64.init), failures: series.failures.map(Int64.init))
      guard let records = replication.backend?.records[endpoint].prefix(series.arrivals.count) else { return load }
      if scenario.endpoints[endpoint].cdn != nil { load.origin = records.map { significant($0.origin) } }
      if limited.contains(endpoint) {
        load.queue = records.map { record in
          StoredQueueStep(
            reached: significant(record.reached), base: significant(record.base), room: significant(record.room),
            capacity: significant(record.capacity.perSecond), refused: significant(record.refused),
            backlog: significant(record.backlog))
        }
      }
      return load
    }
    minutes = replication.causeMinutes.map { row in
      StoredMinute(
        minute: row.minute, endpoint: row.endpoint, cohort: row.cohort, cause: row.cause,
        requests: row.traffic.requests, failed: row.traffic.failedRequests, retries: row.traffic.retries)
    }
  }
}
