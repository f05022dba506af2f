import Scenario
import SimulationKernel

/// A consistency check at the end of a replication, which compares counts from different sources (RELIABILITY.md).
struct CountCheck {
  let result: ReplicationResult
  let scenario: Scenario
  /// Whether the result contains rows of devices.csv for every device.
  private let keepsEveryRow: Bool
  /// Whether the engine accounts for energy.
  private let keepsEnergy: Bool

  init(_ result: ReplicationResult, of engine: Engine) {
    self.init(
      result, of: engine.scenario, keepsEveryRow: engine.rowSelection == .all, keepsEnergy: engine.plan.keepsEnergy)
  }

  init(_ result: ReplicationResult, of scenario: Scenario, keepsEveryRow: Bool, keepsEnergy: Bool = true) {
    self.keepsEnergy = keepsEnergy
    self.result = result
    self.scenario = scenario
    self.keepsEveryRow = keepsEveryRow
  }

  /// Descriptions of contradictory counts, one sentence per contradiction; empty if the counts are consistent.
  var contradictions: [String] {
    let all =
      result.groups.flatMap(runs) + result.groups.flatMap(traffic) + result.groups.flatMap(views)
      + result.groups.flatMap(follow) + phones()
      + scenario.endpoints.indices.flatMap(series) + (keepsEnergy ? energy() : []) + (keepsEveryRow ? rows() : [])
    return all.compactMap { $0 }
  }

  /// Returns a sentence if two counts differ; `nil` if they are equal.
  func same(_ name: String, _ left: Int128, _ right: Int128) -> String? {
    left == right ? nil : name + ": \(left) and \(right)"
  }

  /// Returns a sentence if a part is larger than its whole; `nil` otherwise.
  func within(_ name: String, _ part: Int64, _ whole: Int64) -> String? {
    part <= whole ? nil : name + ": \(part) of \(whole)"
  }

  func name(_ group: GroupResult) -> String {
    "kind \(scenario.kinds[group.kind].name), cohort \(scenario.fleet.cohorts[group.cohort].name)"
  }

  // MARK: Runs

  /// Compares phones' runs on whole days with the runs of the widgets on these phones, by cohort.
  private func phones() -> [String?] {
    result.phoneDays.enumerated().map { cohort, days in
      let ofWidgets = result.groups.filter { $0.cohort == cohort }.reduce(Int128(0)) { $0 + $1.runsPerDay.sum }
      return same(
        "runs by day of phones and of widgets, cohort \(scenario.fleet.cohorts[cohort].name)", days.sum, ofWidgets)
    }
  }

  /// Compares the numbers of charged runs, free runs and runs by cause, on whole days and in total.
  private func runs(of group: GroupResult) -> [String?] {
    let days = scenario.clock.duration.milliseconds / TimeAmount.day.milliseconds
    let isWholeDays = scenario.clock.duration.milliseconds % TimeAmount.day.milliseconds == 0
    // In a fleet that grows or shrinks, some devices exist for only part of a day.
    let isConstant = scenario.fleet.growthLogarithm == 0
    let expected = isConstant ? group.instances * days : group.wholeDays
    let onDays = group.runsPerDay.sum
    let place = ", " + name(group)
    return [
      same("days, counted and expected" + place, Int128(group.runsPerDay.total), Int128(expected)),
      same("runs and the sum over their causes" + place, onDays, group.runsPerDayByCause.reduce(0) { $0 + $1.sum }),
      same(
        "runs and those charged and free" + place, onDays, group.chargedRunsPerDay.sum + group.freeRunsPerDay.sum),
      isWholeDays && isConstant ? same("runs by cause and by day" + place, total(group.runs), onDays) : nil,
      within("cache hits among the runs" + place, group.cacheHits, group.runs.reduce(0, +)),
    ]
  }

  // MARK: Requests

  /// Compares the number of requests with the number of responses and failures.
  private func traffic(of group: GroupResult) -> [String?] {
    group.traffic.flatMap { causes in
      causes.map { traffic in
        let ended = Int128(traffic.successes) + Int128(traffic.failedRequests)
        return same("requests and their ends, " + name(group), Int128(traffic.requests), ended)
      }
    }
  }

  /// Compares an endpoint's requests by time step, by minute and by kind.
  private func series(of endpoint: Int) -> [String?] {
    let place = ", endpoint " + scenario.endpoints[endpoint].name
    let load = result.load[endpoint]
    let byKind = result.groups.reduce(into: Traffic()) { sum, group in
      for traffic in group.traffic[endpoint] { sum += traffic }
    }
    let byMinute = result.causeMinutes.reduce(into: Traffic()) { sum, minute in
      if minute.endpoint == endpoint { sum += minute.traffic }
    }
    return [
      same("requests by step and by kind" + place, total(load.arrivals), Int128(byKind.requests)),
      same("failures by step and by kind" + place, total(load.failures), Int128(byKind.failedRequests)),
      same("requests by minute and by kind" + place, Int128(byMinute.requests), Int128(byKind.requests)),
      same("retries by minute and by kind" + place, Int128(byMinute.retries), Int128(byKind.retries)),
      same("failures by minute and by kind" + place, total(byMinute.failures), total(byKind.failures)),
      same("bytes up by minute and by kind" + place, Int128(byMinute.bytesUp), Int128(byKind.bytesUp)),
      same("bytes down by minute and by kind" + place, Int128(byMinute.bytesDown), Int128(byKind.bytesDown)),
    ]
  }

  private func total(_ counts: [some FixedWidthInteger]) -> Int128 { counts.reduce(Int128(0)) { $0 + Int128($1) } }

  // MARK: Views

  private func views(of group: GroupResult) -> [String?] {
    [
      within("views of data among the views, " + name(group), group.dataAge.total, group.views),
      within("stale views among the views, " + name(group), group.staleViews, group.views),
    ]
  }
}

/// A comparison of each group's counts with the sums over the group's rows, by cohort and kind.
extension CountCheck {
  /// The counts that are recorded both in groups and in rows.
  private struct Sums {
    var instances: Int64 = 0
    var runs: Int64 = 0
    var charged: Int64 = 0
    var requests: Int64 = 0
    var views: Int64 = 0
    var staleViews: Int64 = 0
    var cacheHits: Int64 = 0
    var nanojoules: Int128 = 0
  }

  private func rows() -> [String?] {
    let sums = rowSums()
    return result.groups.flatMap { group -> [String?] in
      let sum = sums[group.cohort * scenario.kinds.count + group.kind]
      let place = " in rows and in all, " + name(group)
      let requests = group.traffic.joined().reduce(Int128(0)) { $0 + Int128($1.requests) }
      return [
        same("instances" + place, Int128(sum.instances), Int128(group.instances)),
        same("runs" + place, Int128(sum.runs), total(group.runs)),
        same("charged runs" + place, Int128(sum.charged), Int128(group.charged)),
        same("requests" + place, Int128(sum.requests), requests),
        same("views" + place, Int128(sum.views), Int128(group.views)),
        same("stale views" + place, Int128(sum.staleViews), Int128(group.staleViews)),
        same("cache hits" + place, Int128(sum.cacheHits), Int128(group.cacheHits)),
        same("energy" + place, sum.nanojoules, group.energy.total),
      ]
    }
  }

  /// Returns the sums over the rows, indexed by cohort and then by kind.
  private func rowSums() -> [Sums] {
    var sums = Array(repeating: Sums(), count: scenario.fleet.cohorts.count * scenario.kinds.count)
    for row in result.devices.rows {
      let group = Int(row.cohort) * scenario.kinds.count + Int(row.kind)
      sums[group].instances += Int64(row.counts.instances)
      sums[group].charged += Int64(row.counts.charged)
      sums[group].requests += Int64(row.counts.requests)
      sums[group].views += Int64(row.counts.views)
      sums[group].staleViews += Int64(row.counts.staleViews)
      sums[group].cacheHits += Int64(row.counts.cacheHits)
      sums[group].nanojoules += Int128(row.counts.nanojoules)
      for cause in row.counts.runs.indices { sums[group].runs += Int64(row.counts.runs[cause]) }
    }
    return sums
  }
}

extension GroupResult {
  /// The number of runs with a charged cause.
  fileprivate var charged: Int64 {
    Cause.allCases.filter(\.isCharged).reduce(0) { $0 + runs[Int($1.rawValue)] }
  }
}

/// A check that the energy of all owners adds up to the integral of power, and that no energy is negative (MODEL.md
/// 7.3).
///
/// While a phone is not charging, its battery supplies all of the energy.
extension CountCheck {
  func energy() -> [String?] {
    let widgets = result.groups.reduce(Int128(0)) { $0 + $1.energy.total }
    let phones = result.energy
    return [
      same(
        "energy of widgets, people and systems, and of phones", widgets + phones.person + phones.system,
        phones.integral),
      same(
        "energy from batteries, from chargers and owed, and used by the phones that have a battery",
        phones.fromBattery + phones.fromCharger + phones.undrawn, phones.lifelong),
      phones.person < 0 || phones.system < 0 || phones.fromBattery < 0 || phones.fromCharger < 0
        ? "negative energy of people, systems, batteries or chargers" : nil,
    ] + result.groups.flatMap(energy)
  }

  private func energy(of group: GroupResult) -> [String?] {
    let place = ", " + name(group)
    return EnergyComponent.allCases.map { component in
      group.energy[component] < 0 ? "negative energy of \(component.name)" + place : nil
    } + [group.energy.inSessions > group.energy.total ? "more energy in sessions than in all" + place : nil]
  }
}

/// A check of the counts of followed widgets, by category of time and by local hour, against all other counts (MODEL.md
/// 8.3).
extension CountCheck {
  func follow(_ group: GroupResult) -> [String?] {
    let (followed, place) = (group.followed, ", " + name(group))
    let hours = followed.hours
    func sum(_ count: (HourResult) -> Int64) -> Int128 { hours.reduce(Int128(0)) { $0 + Int128(count($1)) } }
    let runs = Int128(followed.policyRuns) + Int128(followed.otherRuns)
    let pushes =
      [
        within("waits for a push's first view among the pushes" + place, followed.pushes.waits, followed.pushes.pushes)
      ]
      + followed.eventPushes.map { event in
        same(
          "pushes of \(scenario.events[event.event].name) and waits for them" + place, Int128(event.pushes.pushes),
          Int128(event.pushes.waits))
      }
    let own =
      pushes + [
        same("time of followed widgets and its parts" + place, Int128(followed.milliseconds), followed.sumOfParts),
        same("time of followed widgets and its hours" + place, Int128(followed.milliseconds), sum(\.milliseconds)),
        same("runs of followed widgets and those by hour" + place, runs, sum(\.runs)),
      ]
    // If all phones are followed, the counts of followed phones must equal those of all phones.
    guard followed.milliseconds > 0, followed.milliseconds == group.milliseconds else { return own }
    return own + [
      same("runs and those by hour" + place, Int128(group.runs.reduce(0, +)), sum(\.runs)),
      same("views and those by hour" + place, Int128(group.views), sum(\.views)),
      same("stale views and those by hour" + place, Int128(group.staleViews), sum(\.staleViews)),
      same("views of data and those by hour" + place, Int128(group.dataAge.total), sum(\.agedViews)),
      same("the ages of data and those by hour" + place, group.dataAge.sumMilliseconds, sum128(hours)),
    ]
  }

  private func sum128(_ hours: [HourResult]) -> Int128 { hours.reduce(Int128(0)) { $0 + $1.ageMilliseconds } }
}
