import Scenario
import SimulationKernel

/// Background sessions: a download between two runs (MODEL.md 5.6).
extension DeviceSimulator {
  /// A run takes what a download has brought or the cache holds, or begins one and shows the data that it has.
  mutating func provideInBackground(
    _ slot: Int, _ kind: UnsafePointer<KindPlan>, _ source: FlightSource, at now: Instant
  ) {
    let flights = kindFlights + source.kind
    instances[slot].run.flight.end = instances[slot].dataTime
    if flights.pointee.downloaded > instances[slot].dataTime {
      instances[slot].run.flight.end = flights.pointee.downloaded
    } else if let index = freshCache(of: slot, kind, at: now) {
      return hitCache(index, slot, kind, at: now)
    } else if device.network.isOffline {
      var flight = instances[slot].run.flight
      failOffline(&flight, source, at: now)
      instances[slot].run.flight = flight
    } else if !flights.pointee.isDownloading {
      beginDownload(slot, source, at: now)
    }
    schedule(.runEnd(UInt8(slot)), at: now + kind.pointee.cpu)
  }

  /// The cache of an instance's kind, if there is one and it is fresh.
  private func freshCache(of slot: Int, _ kind: UnsafePointer<KindPlan>, at now: Instant) -> Int? {
    guard let cache = kind.pointee.cache else { return nil }
    let index = cacheIndex(of: slot, cache.scope)
    return caches[index].isFresh(at: now, ttl: cache.ttl) ? index : nil
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
    setCaches(of: kind, to: now)
    requestInBackground(kind: kind, at: now)
  }

  /// Asks for a scheduled run of every placed instance of a kind.
  mutating func requestInBackground(kind: Int, at now: Instant) {
    for slot in 0..<device.instanceCount where instances[slot].kind == kind && instances[slot].isPlaced {
      requestScheduled(slot, due: now, cause: .background, at: now)
    }
  }
}
