import Scenario
import SimulationKernel

/// Snapshots for the widget gallery: requests like those of a run, and nothing else (MODEL.md 4.2).
extension DeviceSimulator {
  /// The gallery shows every kind of the app once.
  mutating func showGallery(_ event: Int, at now: Instant) {
    guard case .gallery(let network) = plan.events[event].action else { return }
    advanceNetwork(to: now)
    for kind in 0..<plan.kinds.count where !plan.kinds.pointer(at: kind).pointee.requests.isEmpty {
      let ordinal = kindFlights[kind].snapshots
      kindFlights[kind].snapshots = ordinal &+ 1
      let draws = stream.block(.gallery, part: kind, index: Int(ordinal))
      guard network.happens(at: draws.first) else { continue }
      var flight = Flight(cause: .gallery, at: now)
      let source = snapshotSource(kind)
      if device.network.isOffline {
        failOffline(&flight, source, at: now)
      } else {
        launch(.snapshot(kind: kind), &flight, source, at: now)
      }
      kindFlights[kind].snapshot = flight
    }
  }

  /// The small family of the kind's present snapshot.
  @inline(__always)
  func snapshotSource(_ kind: Int) -> FlightSource {
    FlightSource(
      kind: kind, family: .small, cause: .gallery, purpose: .snapshotLatency, part: kind,
      ordinal: kindFlights[kind].snapshots &- 1)
  }
}
