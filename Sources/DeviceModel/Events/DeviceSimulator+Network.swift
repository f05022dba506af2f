import Scenario
import SimulationKernel

/// The network as a device finds it when it looks (MODEL.md 3.1, 7.1).
extension DeviceSimulator {
  /// Brings the network up to `now`.
  @inline(__always)
  mutating func advanceNetwork(to now: Instant) {
    if !device.network.isUpToDate(at: now) { changeNetwork(upTo: now) }
  }

  private mutating func changeNetwork(upTo now: Instant) {
    let wall = device.clock.wall
    while let instant = device.network.changeInterface(
      upTo: now, cohort.pointee.network, stream: device.stream, wall: wall)
    {
      device.radio.changeInterface(at: instant)
    }
    device.network.turn(upTo: now, cohort.pointee.network, stream: device.stream)
  }

  /// Of a network that is up to date.
  @inline(__always)
  var interface: InterfacePlan {
    device.network.isOnWifi ? cohort.pointee.network.wifi : cohort.pointee.network.cellular
  }

  /// How long a request sent now waits for the radio, on a network that is up to date.
  @inline(__always)
  mutating func wakeRadio(at now: Instant) -> TimeAmount {
    device.radio.send(at: now, interface, lastSessionEnd: device.person.lastSessionEnd)
  }
}
