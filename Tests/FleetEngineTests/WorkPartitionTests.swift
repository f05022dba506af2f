import SimulationKernel
import Testing

@testable import DeviceModel
@testable import FleetEngine

/// Every device belongs either to one thread or to all.
@Suite struct WorkPartitionTests {
  @Test(arguments: [1, 2, 3, 8, WorkPartition.maxThreads], [0, 1, 63, 1_000])
  func eachDeviceIsAssignedOnce(threads: Int, devices: Int) {
    let deal = WorkPartition(devices: devices, threads: threads)
    let own = (0..<threads).map(deal.own)
    let all = (own.joined() + deal.shared).map(deal.devices).joined()
    #expect(all.sorted() == Array(0..<devices))
    #expect(own.allSatisfy { !$0.isEmpty })
    #expect(deal.shared.isEmpty == (threads == 1))
  }

  /// Of two failed devices the lower is named, whichever failed first.
  @Test func lowestFailedDeviceIsReported() {
    let (low, high) = (
      DeviceFailure(device: 1, cohort: 0, instant: .start, reason: .livelock(events: [])),
      DeviceFailure(device: 3, cohort: 0, instant: .start, reason: .livelock(events: []))
    )
    #expect(low.orLower(high) == low && high.orLower(low) == low && high.orLower(nil) == high)
  }
}
