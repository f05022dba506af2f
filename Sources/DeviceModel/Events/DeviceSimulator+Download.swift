import Scenario
import SimulationKernel

/// Background sessions: a download between two runs (MODEL.md 5.6).
extension DeviceSimulator {
  /// A run takes what a download has brought, or begins one and shows the data that it has.
  mutating func provideInBackground(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, _ source: FlightSource, at now: Instant
  ) {
    let flights = kindFlights + source.kind
    instances[slot].run.flight.end = instances[slot].dataTime
    if flights.pointee.downloaded > instances[slot].dataTime {
      instances[slot].run.flight.end = flights.pointee.downloaded
    } else if device.network.isOffline {
      var flight = instances[slot].run.flight
      failOffline(&flight, source, at: now)
      instances[slot].run.flight = flight
    } else if !flights.pointee.isDownloading {
      beginDownload(slot, source, at: now)
    }
    schedule(.runEnd(UInt8(slot)), at: now + kind.pointee.cpu)
  }

  /// One download at a time for each kind.
  private mutating func beginDownload(_ slot: Int, _ source: FlightSource, at now: Instant) {
    let flights = kindFlights + source.kind
    flights.pointee.isDownloading = true
    flights.pointee.starter = UInt8(slot)
    flights.pointee.starterRun = source.ordinal
    var flight = Flight(cause: source.cause, at: now)
    launch(.download(kind: source.kind), &flight, source, at: now)
    flights.pointee.download = flight
    if flight.pending == 0 {
      schedule(.downloadEnd(kind: UInt16(truncatingIfNeeded: source.kind)), at: flight.end)
    }
  }

  /// The data are there: every instance of the kind is to take them in a charged run from the background.
  mutating func endDownload(of kind: Int, at now: Instant) {
    kindFlights[kind].isDownloading = false
    guard !kindFlights[kind].download.fails else { return }
    kindFlights[kind].downloaded = now
    requestInBackground(kind: kind, at: now)
  }

  /// Asks for a scheduled run of every placed instance of a kind.
  mutating func requestInBackground(kind: Int, at now: Instant) {
    for slot in 0..<device.instanceCount where instances[slot].kind == kind && instances[slot].isPlaced {
      requestScheduled(slot, due: now, cause: .background, at: now)
    }
  }
}
