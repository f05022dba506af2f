import Scenario
import Testing

@testable import FleetEngine

@Suite struct DeviceTableTests {
  private static func rows(_ devices: Range<UInt32>) -> [DeviceTable.Row] {
    devices.map { device in
      var row = DeviceTable.Row()
      row.device = device
      return row
    }
  }

  /// Parts arrive in the order in which threads finish.
  @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]])
  func partsInAnyOrder(order: [Int]) {
    let parts = [Self.rows(0..<2), [], Self.rows(2..<7), Self.rows(7..<8)]
    var assembly = RowAssembly(expecting: 4)
    for number in order { assembly.add(parts[number], number: number) }
    #expect(assembly.rows.map(\.device) == Array(0..<8))
  }

  /// Any difference makes two rows unequal, and each column returns the value it names.
  @Test func everyCountDistinguishesRows() {
    let none = DeviceTable.Row()
    var row = none
    row.counts.bytesDown = 1 << 40
    #expect(row != none && row[.bytesDown] == 1 << 40)
    row = none
    row.counts.runs[Int(Cause.tap.rawValue)] = 3
    #expect(row != none && DeviceTable(rows: [none, row])[1, runs: .tap] == 3)
    row = none
    row.counts.waits[Int(WaitReason.budget.rawValue)] = 4
    #expect(row != none && DeviceTable(rows: [row])[0, waits: .budget] == 4)
    #expect(none == DeviceTable.Row())
  }

  @Test func deviceRowFitsTwoCacheLines() { #expect(MemoryLayout<DeviceTable.Row>.stride == 128) }
}
