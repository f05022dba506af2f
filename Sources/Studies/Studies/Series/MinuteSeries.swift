import FleetEngine
package import Scenario
import SimulationKernel

/// The fleet's requests per second by minute of the day (UTC), over all endpoints, days and replications.
package struct MinutesOfDay: Sendable {
  /// The rate in each minute; `nil` if the minute was not measured.
  package var rates: [Double?]

  /// Creates the rates; `nil` if the time step does not divide a minute.
  package init?(_ result: StoredRun) {
    let clock = result.scenario.clock
    let loads = result.replications.compactMap {
      WindowedLoad($0.stepCounts(endpoint: nil), window: .minute, clock: clock)
    }
    guard loads.contains(where: { !$0.counts.isEmpty }), let factor = RateFactor(.minute, Scale(of: result)) else {
      return nil
    }
    let offset = Int(clock.startUnixMilliseconds.floorDivided(by: 60_000) % 1_440) + 1_440
    var sums = Array(repeating: 0.0, count: 1_440)
    var windows = Array(repeating: 0, count: 1_440)
    for load in loads {
      for index in load.counts.indices {
        sums[(index + offset) % 1_440] += Double(load.counts[index])
        windows[(index + offset) % 1_440] += 1
      }
    }
    rates = zip(sums, windows).map { $1 > 0 ? factor.rate(of: $0 / Double($1)) : nil }
  }

  /// The number of hours with at least one measured minute.
  package var hours: Int { (0..<24).count { hour in rates[hour * 60..<hour * 60 + 60].contains { $0 != nil } } }
}

extension StoredRun {
  /// Returns the fleet's mean requests per second over all replications, for each measured minute and cause.
  package func ratesByMinute(_ causes: [Cause]) -> [[Double]] {
    var counts = Array(repeating: Array(repeating: Int64(0), count: causes.count), count: scenario.clock.minutes)
    let places = Dictionary(causes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for row in replications.lazy.flatMap(\.minutes) {
      if let place = places[row.cause], counts.indices.contains(row.minute) {
        counts[row.minute][place] += row.requests
      }
    }
    let scale = Scale(of: self)
    let seconds = 60 * Double(replications.count) * Double(scale.simulated)
    return counts.map { $0.map { Double($0) * Double(scale.fleet) / seconds } }
  }
}

/// Returns the busiest_minute rows: each cause's share of the requests in the busiest minute (the first one if several
/// tie).
func busiestMinuteRows(of result: RunResult) -> [SummaryRow] {
  let shares = result.replications.map { replication -> [Cause: Quantity] in
    var minutes: [Int: Int64] = [:]
    for row in replication.causeMinutes { minutes[row.minute, default: 0] += row.traffic.requests }
    guard let busiest = minutes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), busiest.value > 0 else {
      return [:]
    }
    var causes: [Cause: Int128] = [:]
    for row in replication.causeMinutes where row.minute == busiest.key {
      causes[row.cause, default: 0] += Int128(row.traffic.requests)
    }
    return causes.compactMapValues { Quantity($0, over: Int128(busiest.value)) }
  }
  return result.causesSeen.map { cause in
    SummaryRow(
      .busiestMinute, Labels().with(\.cause, cause.name), .share,
      replications: shares.map { $0.isEmpty ? nil : $0[cause] ?? .whole(0) })
  }
}
