package import FleetEngine
import Scenario

/// The simulated phones of a replication that have a widget, worst served first.
///
/// They are sorted by number of stale views (descending), then by number of reloads per widget (ascending), then by
/// device number. All counts cover the measured period and all kinds.
package struct DeviceOrder: Sendable {
  private struct Served {
    var device: Int
    var staleViews: Int64 = 0
    var runs: Int64 = 0
    var widgets: Int64 = 0

    func isWorse(than other: Served) -> Bool {
      if staleViews != other.staleViews { return staleViews > other.staleViews }
      let (own, others) = (runs * max(other.widgets, 1), other.runs * max(widgets, 1))
      return own == others ? device < other.device : own < others
    }
  }

  /// The numbers of the phones within the fleet, worst served first.
  package let devices: [Int]

  /// - Parameter table: the rows of all devices, sorted by device.
  package init(_ table: DeviceTable) {
    var served: [Served] = []
    for row in 0..<table.rowCount {
      let device = Int(table[row, .device])
      if served.last?.device != device { served.append(Served(device: device)) }
      var sum = served.removeLast()
      sum.staleViews += table[row, .staleViews]
      sum.runs += Cause.allCases.reduce(0) { $0 + table[row, runs: $1] }
      sum.widgets += table[row, .instances]
      served.append(sum)
    }
    devices = served.sorted { $0.isWorse(than: $1) }.map(\.device)
  }

  /// The worst-served phone; `nil` if no phone has a widget.
  package var worst: Int? { devices.first }

  /// The median phone, or the worse of the middle two; `nil` if no phone has a widget.
  package var median: Int? { devices.isEmpty ? nil : devices[(devices.count - 1) / 2] }
}
