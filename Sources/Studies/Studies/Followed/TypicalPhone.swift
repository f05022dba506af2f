package import FleetEngine
package import Scenario
package import SimulationKernel

/// One day of a representative phone, which is the first measured day of the first replication.
package struct TypicalPhone: Hashable, Sendable {
  /// A refresh of one of the phone's widgets.
  package struct Refresh: Hashable, Sendable {
    package var at: Instant
    package var cause: Cause
  }

  /// The phone's rank by number of refreshes: `p50`, `p95` or `max`.
  package var place: Statistic
  /// The phone's number within the fleet.
  package var device: Int
  /// The refreshes of the phone's widgets during the day, in chronological order.
  package var refreshes: [Refresh]

  /// Returns the median phone, the 95th-percentile phone, and the phone with the most refreshes in the measured period.
  ///
  /// If several phones tie, the one with the lowest number is chosen. The result is empty if there are no device rows.
  ///
  /// - Parameter engine: the engine that produced the result.
  package static func all(_ result: RunResult, _ engine: Engine) throws(DiaryError) -> [TypicalPhone] {
    guard let replication = result.replications.first else { return [] }
    let places = Self.places(replication.devices)
    let end = min(result.scenario.clock.end, .start + .day)
    let diaries = try engine.diaries(
      ofDevices: places.map(\.1), conditions: replication.backend?.conditions, until: end)
    return zip(places, diaries).map { place, diary in
      TypicalPhone(
        place: place.0, device: place.1,
        refreshes: diary.entries.compactMap { entry in
          guard case .run(_, let cause, _, _) = entry.note else { return nil }
          return Refresh(at: entry.at, cause: cause)
        })
    }
  }

  /// Returns the phone at each rank, without building a list of all phones; empty if there are none.
  private static func places(_ table: DeviceTable) -> [(Statistic, Int)] {
    var counts = CountHistogram()
    forEach(table) { _, refreshes in
      if counts.counts.count <= refreshes {
        counts.counts += Array(repeating: 0, count: refreshes + 1 - counts.counts.count)
      }
      counts.counts[refreshes] += 1
    }
    guard counts.total > 0 else { return [] }
    let wanted = [Statistic.p50, .p95, .max].map { place in
      (place, counts.value(atRank: Int64(((place.probability ?? 1) * Double(counts.total - 1)).rounded())))
    }
    var found: [Int: Int] = [:]
    forEach(table) { device, refreshes in
      if found[refreshes] == nil, wanted.contains(where: { $0.1 == refreshes }) { found[refreshes] = device }
    }
    return wanted.compactMap { place, refreshes in found[refreshes].map { (place, $0) } }
  }

  private static func forEach(_ table: DeviceTable, _ body: (_ device: Int, _ refreshes: Int) -> Void) {
    var (device, refreshes) = (-1, 0)
    for row in 0..<table.rowCount {
      let next = Int(table[row, .device])
      if next != device {
        if device >= 0 { body(device, refreshes) }
        (device, refreshes) = (next, 0)
      }
      refreshes += Cause.allCases.reduce(0) { $0 + Int(table[row, runs: $1]) }
    }
    if device >= 0 { body(device, refreshes) }
  }
}
