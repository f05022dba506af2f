import Scenario
import SimulationKernel

/// The network as a device finds it when it looks (MODEL.md 3.1, 7.1).
extension DeviceSimulator {
  /// Brings the network up to `now`; before anything is told to the energy account.
  @inline(__always)
  mutating func advanceNetwork(to now: Instant) {
    if !device.network.isUpToDate(at: now) { changeNetwork(upTo: now) }
  }

  private mutating func changeNetwork(upTo now: Instant) {
    while let instant = device.network.changeInterface(
      upTo: now, cohort.pointee.network, stream: device.stream, wall: wall)
    {
      energy.changeInterface(to: device.network.interface, at: instant)
    }
    device.network.turn(upTo: now, cohort.pointee.network, stream: device.stream)
  }
}
