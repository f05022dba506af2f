import SimulationKernel
import Testing

@testable import DeviceModel

@Suite struct BatteryShareTests {
  /// The short division gives the same result as the long one, even where it does not apply.
  @Test(
    arguments: [1, 7, 46_728_000_000_000, .max] as [Int64],
    [0, 1, 23_456_789_012, 46_728_000_000_001, .max] as [Int64])
  func billionthsOfABattery(capacity: Int64, spent: Int64) {
    let share = BatteryShareTally.billionths(of: Energy(nanojoules: capacity), Energy(nanojoules: spent))
    #expect(share == Int128(spent) * 1_000_000_000 / Int128(capacity))
  }
}
