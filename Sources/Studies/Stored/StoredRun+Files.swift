package import FleetEngine
package import Scenario
import SimulationKernel

/// The columns of the files that a stored run is read from.
package enum StoredColumns {
  /// With `--timestamps` in load.csv and causes.csv, behind the column that says the same as a number.
  package static let time = "time"
  package static let load = [
    "replication", "time_s", "endpoint", "arrivals", "origin_requests", "failures", "backlog", "reached", "base_load",
    "room", "capacity_per_s", "refused",
  ]
  package static let causes =
    ["replication", "minute", "endpoint", "cohort", "cause", "arrivals"]
    + FailureReason.allCases.map { "failures_" + $0.name } + ["bytes_up", "bytes_down", "retries"]
  package static let distribution = [
    "replication", "metric", "cohort", "kind", "cause", "charged", "unit", "from", "to", "count",
  ]
}

extension StoredRun {
  /// The files that a stored run is read from, as bytes.
  package struct Files: Sendable {
    package static let load = "load.csv"
    package static let causes = "causes.csv"
    package static let distribution = "distribution.csv"
    package static let hours = "hours.csv"
    package static let asked = "asked.csv"

    package var load: [UInt8]
    package var causes: [UInt8]
    package var distribution: [UInt8]
    package var hours: [UInt8]
    package var asked: [UInt8]

    package init(
      load: [UInt8], causes: [UInt8], distribution: [UInt8], hours: [UInt8], asked: [UInt8]
    ) {
      self.load = load
      self.causes = causes
      self.distribution = distribution
      self.hours = hours
      self.asked = asked
    }
  }

  /// Reads what a run has left.
  ///
  /// - Parameter scenario: the manifest's.
  package init(
    _ manifest: StoredManifest, _ scenario: Scenario, _ eventSpans: [EventSpan], _ files: Files
  ) throws(StoredFileError) {
    try manifest.check(against: scenario)
    self.scenario = scenario
    devicesSimulated = manifest.devicesSimulated
    self.eventSpans = eventSpans
    let scale = Scale(fleet: scenario.fleet.devices, simulated: manifest.devicesSimulated)
    let reading = StoredReading(scenario: scenario, scale: scale, replications: manifest.replications)
    let loads = try reading.loads(files.load)
    let minutes = try reading.minutes(files.causes)
    replications = zip(loads, minutes).map { StoredReplication(load: $0, minutes: $1) }
    (groups, phoneDays) = try reading.histograms(files.distribution)
    hours = try Self.hours(files.hours, scenario)
    asked = try Self.asked(files.asked, scenario)
    for (number, replication) in replications.enumerated() {
      let arrivals = replication.load.reduce(0) { $0 + $1.arrivals.reduce(0, +) }
      guard arrivals == replication.minutes.reduce(0, { $0 + $1.requests }) else {
        throw StoredFileError(
          Files.causes, line: nil, "its arrivals in replication \(number + 1) are not as many as those of \(Files.load)"
        )
      }
    }
  }
}

extension StoredRun {
  /// Reads the load alone: nothing is known of causes and groups.
  ///
  /// - Parameter load: the content of load.csv.
  package init(
    loadOf manifest: StoredManifest, _ scenario: Scenario, _ eventSpans: [EventSpan], _ load: [UInt8]
  ) throws(StoredFileError) {
    try manifest.check(against: scenario)
    let scale = Scale(fleet: scenario.fleet.devices, simulated: manifest.devicesSimulated)
    let reading = StoredReading(scenario: scenario, scale: scale, replications: manifest.replications)
    let loads = try reading.loads(load)
    self.init(
      scenario: scenario, devicesSimulated: manifest.devicesSimulated, eventSpans: eventSpans,
      replications: loads.map { StoredReplication(load: $0, minutes: []) }, groups: [])
  }
}

/// Reads the tables of a results folder against its scenario.
private struct StoredReading {
  var scenario: Scenario
  var scale: Scale
  var replications: Int

  func loads(_ bytes: [UInt8]) throws(StoredFileError) -> [[StoredLoad]] {
    var csv = try CSVReader(
      bytes, file: StoredRun.Files.load, columns: StoredColumns.load, optional: StoredColumns.time)
    let step = scenario.clock.step.milliseconds
    let steps = Int((scenario.clock.duration.milliseconds + step - 1) / max(step, 1))
    let names = scenario.endpoints.map(\.name)
    let encoded = names.map(CSVText.field)
    var loads = Array(repeating: names.map { _ in StoredLoad() }, count: replications)
    var (total, origin) = (StoredTotal(), StoredTotal(atMost: StoredBounds.mostOriginRequests))
    for replication in loads.indices {
      for number in 0..<steps {
        for endpoint in names.indices {
          guard try csv.next() else { throw csv.damaged("rows are missing at its end") }
          guard try csv.integer(0) == Int64(replication + 1), try csv.number(1) == Double(Int64(number) * step) / 1_000,
            csv.raw(2).elementsEqual(encoded[endpoint])
          else { throw csv.damaged("another replication, time or endpoint is expected here") }
          try loads[replication][endpoint].add(csv, scale, behindCDN: scenario.endpoints[endpoint].cdn != nil)
          try total.add(loads[replication][endpoint].arrivals[number], csv, 3)
          try origin.add(Int64(loads[replication][endpoint].origin.last ?? 0), csv, 4)
          try loads[replication][endpoint].checkFailures(csv)
        }
      }
    }
    if try csv.next() { throw csv.damaged("there are more rows than steps") }
    return loads
  }

  func minutes(_ bytes: [UInt8]) throws(StoredFileError) -> [[StoredMinute]] {
    var csv = try CSVReader(
      bytes, file: StoredRun.Files.causes, columns: StoredColumns.causes, optional: StoredColumns.time)
    let endpoints = indices(scenario.endpoints.map(\.name))
    let cohorts = indices(scenario.fleet.cohorts.map(\.name))
    let causes = Dictionary(
      Cause.allCases.map { (CSVText.field($0.name)[...], $0) }, uniquingKeysWith: { first, _ in first })
    let offline = 6 + Int(FailureReason.offline.rawValue)
    var minutes = Array(repeating: [StoredMinute](), count: replications)
    var (requests, failed, retried) = (StoredTotal(), StoredTotal(), StoredTotal())
    let retries = StoredColumns.causes.count - 1
    while try csv.next() {
      guard let endpoint = endpoints[csv.raw(2)], let cohort = cohorts[csv.raw(3)], let cause = causes[csv.raw(4)]
      else {
        throw csv.damaged("an endpoint, cohort or cause that the scenario does not have")
      }
      var row = StoredMinute(
        minute: Int(try csv.integer(1)), endpoint: endpoint, cohort: cohort, cause: cause,
        requests: try csv.count(5, scale), failed: 0, retries: try csv.count(retries, scale))
      for column in 6..<6 + FailureReason.allCases.count where column != offline {
        let failures = try csv.count(column, scale)
        try failed.add(failures, csv, column)
        row.failed += failures
      }
      try requests.add(row.requests, csv, 5)
      try retried.add(row.retries, csv, retries)
      guard row.minute < clockMinutes else { throw csv.damaged("a minute beyond the clock", 1) }
      minutes[try replication(csv)].append(row)
    }
    return minutes
  }

  /// What a page draws of the histograms.
  private static let drawn: [Metric] = [.runsPerDay, .phoneRunsPerDay, .dataAge, .pushToView, .budgetExhaustedHour]

  /// Minutes of the measured period, the last one begun.
  private var clockMinutes: Int { Int((scenario.clock.duration.milliseconds + 59_999) / 60_000) }

  func histograms(_ bytes: [UInt8]) throws(StoredFileError) -> ([StoredGroup], phoneDays: CountHistogram) {
    var csv = try CSVReader(bytes, file: StoredRun.Files.distribution, columns: StoredColumns.distribution)
    let cohorts = indices(scenario.fleet.cohorts.map(\.name))
    let kinds = indices(scenario.kinds.map(\.name))
    var groups: [[Int]: StoredGroup] = [:]
    var phones = StoredGroup(cohort: 0, kind: 0)
    var total = StoredTotal()
    while try csv.next() {
      _ = try replication(csv)
      guard let metric = Metric(rawValue: try csv.text(1)) else { throw csv.damaged("an unknown metric") }
      let (cohort, kind) = (cohorts[csv.raw(2)], kinds[csv.raw(3)])
      guard cohort != nil || csv.isBlank(2), kind != nil || csv.isBlank(3) else {
        throw csv.damaged("a cohort or kind that the scenario does not have")
      }
      guard csv.isBlank(4), csv.isBlank(5), Self.drawn.contains(metric) else { continue }
      try total.add(csv.count(9, scale), csv, 9)
      if metric == .phoneRunsPerDay {
        try phones.add(csv, metric, scale)
        continue
      }
      guard let cohort, let kind else { throw csv.damaged("a cohort or kind is missing") }
      try groups[[cohort, kind], default: StoredGroup(cohort: cohort, kind: kind)].add(csv, metric, scale)
    }
    return (StoredGroup.ordered(groups.values), phones.runsPerDay.trimmed)
  }

  /// The replication of a row, counted from 0.
  private func replication(_ csv: CSVReader) throws(StoredFileError) -> Int {
    let number = try csv.integer(0)
    guard number <= Int64(replications) else { throw csv.damaged("there is no replication \(number)", 0) }
    return Int(number - 1)
  }

  private func indices(_ names: [String]) -> [ArraySlice<UInt8>: Int] {
    Dictionary(names.enumerated().map { (CSVText.field($1)[...], $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension StoredLoad {
  /// A row of load.csv.
  fileprivate mutating func add(_ csv: CSVReader, _ scale: Scale, behindCDN: Bool) throws(StoredFileError) {
    arrivals.append(try csv.count(3, scale))
    failures.append(try csv.count(5, scale))
    // All steps have what the first one has.
    if behindCDN, arrivals.count == 1 ? !csv.isBlank(4) : !origin.isEmpty { origin.append(try csv.number(4)) }
    guard arrivals.count == 1 ? !csv.isBlank(7) : !queue.isEmpty else {
      if !csv.isBlank(7) { throw csv.damaged("the first step has no queue", 7) }
      return
    }
    queue.append(
      StoredQueueStep(
        reached: try csv.number(7), base: try csv.number(8), room: try csv.isBlank(9) ? .infinity : csv.number(9),
        capacity: try csv.isBlank(10) ? .infinity : csv.number(10), refused: try csv.number(11),
        backlog: try csv.number(6)))
  }

  /// Checks that in the last step no more requests fail than arrive.
  fileprivate func checkFailures(_ csv: CSVReader) throws(StoredFileError) {
    guard let failed = failures.last, let arrived = arrivals.last, failed > arrived else { return }
    throw csv.damaged("more failures than arrivals", 5)
  }
}

extension StoredGroup {
  /// A row of distribution.csv.
  fileprivate mutating func add(_ csv: CSVReader, _ metric: Metric, _ scale: Scale) throws(StoredFileError) {
    let (from, to) = (try csv.number(7), try csv.number(8))
    let count = try csv.count(9, scale)
    guard to > from else { throw csv.damaged("a bin that is none", 8) }
    switch metric {
    case .runsPerDay, .phoneRunsPerDay:
      guard from < 1_000_000 else { throw csv.damaged("more runs than a day has room for", 7) }
      runsPerDay += CountHistogram(counts: Array(repeating: 0, count: Int(from)) + [count])
    case .dataAge, .pushToView:
      let bin = SpanBins.Bin(from: Int64((from * 1_000).rounded()), to: Int64((to * 1_000).rounded()), count: count)
      guard bin.to > bin.from else { throw csv.damaged("a bin that is none", 8) }
      if metric == .dataAge { dataAge.add(bin) } else { pushToView.add(bin) }
    case .budgetExhaustedHour:
      guard from < 24 else { throw csv.damaged("an hour beyond the day", 7) }
      exhaustedHours[Int(from)] += count
    default: break
    }
  }
}
