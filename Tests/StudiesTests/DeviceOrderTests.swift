import FleetEngine
import Testing

@testable import Studies

/// The worst-served phone, and the median one.
struct DeviceOrderTests {
  private static func row(_ device: UInt32, stale: UInt32, runs: UInt32, widgets: UInt32 = 1) -> DeviceTable.Row {
    var row = DeviceTable.Row()
    row.device = device
    row.counts.staleViews = stale
    row.counts.runs[0] = runs
    row.counts.instances = widgets
    return row
  }

  @Test func staleViewsThenReloadsPerWidgetThenNumber() {
    let order = DeviceOrder(
      DeviceTable(rows: [
        Self.row(0, stale: 2, runs: 9), Self.row(1, stale: 5, runs: 40), Self.row(2, stale: 2, runs: 10, widgets: 2),
        Self.row(3, stale: 2, runs: 9), Self.row(4, stale: 0, runs: 1),
      ]))
    // 5 stale views; among those with 2, first 10 reloads of 2 widgets, then 9 of 1.
    #expect(order.devices == [1, 2, 0, 3, 4])
    #expect(order.worst == 1 && order.median == 0)
  }

  @Test func kindsOfOneDeviceCountTogether() {
    let order = DeviceOrder(
      DeviceTable(rows: [
        Self.row(7, stale: 1, runs: 1), Self.row(7, stale: 2, runs: 1), Self.row(9, stale: 2, runs: 0),
      ]))
    #expect(order.devices == [7, 9] && order.median == 7)
  }

  @Test func nobody() {
    let order = DeviceOrder(DeviceTable())
    #expect(order.worst == nil && order.median == nil)
  }
}
