package import FleetEngine
package import Scenario
package import SimulationKernel

/// The day of a phone that stands for many: the first day of the measured period, in the first replication.
package struct TypicalPhone: Hashable, Sendable {
  /// A refresh of one of its widgets.
  package struct Refresh: Hashable, Sendable {
    package var at: Instant
    package var cause: Cause
  }

  /// Its place among the phones, those with fewer refreshes first: `p50`, `p95` or `max`.
  package var place: Statistic
  /// Its number within the fleet.
  package var device: Int
  /// In the order of time.
  package var refreshes: [Refresh]

  /// The median phone, the 95th of a hundred, and the one with most refreshes in the measured period; of equal ones that
  /// with the lowest number. Empty where there are no rows of devices.
  ///
  /// - Parameter engine: that made the result.
  package static func all(_ result: RunResult, _ engine: Engine) throws(DiaryError) -> [TypicalPhone] {
    guard let replication = result.replications.first else { return [] }
    let order = Self.order(replication.devices)
    guard !order.isEmpty else { return [] }
    let last = Double(order.count - 1)
    let places: [(Statistic, Int)] = [.p50, .p95, .max].map { place in
      (place, order[Int(((place.probability ?? 1) * last).rounded())])
    }
    let end = min(result.scenario.clock.end, .start + .day)
    let diaries = try engine.diaries(
      ofDevices: places.map(\.1), conditions: engine.conditions(of: replication), until: end)
    return zip(places, diaries).map { place, diary in
      TypicalPhone(
        place: place.0, device: place.1,
        refreshes: diary.entries.compactMap { entry in
          guard case .run(_, let cause, _, _) = entry.note else { return nil }
          return Refresh(at: entry.at, cause: cause)
        })
    }
  }

  /// Phones by their refreshes, the fewest first.
  private static func order(_ table: DeviceTable) -> [Int] {
    var runs: [(device: Int, count: Int64)] = []
    for row in 0..<table.rowCount {
      let device = Int(table[row, .device])
      if runs.last?.device != device { runs.append((device, 0)) }
      runs[runs.count - 1].count += Cause.allCases.reduce(0) { $0 + table[row, runs: $1] }
    }
    return runs.sorted { ($0.count, $1.device) < ($1.count, $0.device) }.map(\.device)
  }
}
