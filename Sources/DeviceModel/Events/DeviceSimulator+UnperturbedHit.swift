import Scenario
import SimulationKernel

/// Free runs that a cache answers before anything else happens on the phone, from the start to the next ticket in one
/// step (MODEL.md 4.2-4.6, 5.2).
///
/// As with `liveUnperturbed`, nobody sees where such a run stands in between. Any other takes the long way, which does
/// the same.
extension DeviceSimulator {
  /// Lives a free run of an instance that has none in progress.
  ///
  /// - Returns: whether nothing disturbs it; otherwise nothing has been counted, nor anything of the run written down.
  mutating func liveUnperturbedHit(_ slot: Int, cause: Cause, at now: Instant) -> Bool {
    let instance = instances + slot
    let kind = plan.kinds.pointer(at: Int(instance.pointee.kind))
    guard kind.pointee.mayHitCache, observed == nil, let cache = kind.pointee.cache else { return false }
    let stored = caches[cacheIndex(of: slot, cache.scope)]
    let end = now + kind.pointee.cpu
    guard stored.isFresh(at: now, ttl: cache.ttl), isUnperturbed(slot, from: now, to: end) else { return false }
    // The network first, for what it changes is charged.
    advanceNetwork(to: now)
    guard !energy.owes(batteryReserve, after: ProcessorPower.busy * kind.pointee.cpu) else { return false }

    // Its end, and what would have started with it.
    tally.eventCount &+= 2
    countRun(slot, cause: cause, at: now)
    if plan.isMeasured(now) { tally.recordCacheHit(cohort: device.cohort, kind: Int(instance.pointee.kind)) }
    countSaved(of: slot, kind, at: now)
    let ordinal = beginRun(slot, at: now)
    if instance.pointee.ticket.exists { cancelTicket(slot) }
    instance.pointee.run.flight = Flight(cause: cause, at: end)
    energy.spendProcessor(slot, kind.pointee.cpu, inSession: device.presence.isInSession)
    let uniform = kind.pointee.drawsDate ? providerDraws(slot, ordinal).second : 0
    followTimeline(slot, kind, dataTime: stored.storedAt, hasFailed: false, uniform: uniform, at: end)
    return true
  }

  /// Whether nothing happens on the phone until the end of a run, and no ticket starts with it.
  @inline(__always)
  private mutating func isUnperturbed(_ slot: Int, from now: Instant, to end: Instant) -> Bool {
    // A run without processor time ends among what else happens at its instant.
    guard end > now, queue.nextInstant > end else { return false }
    let window = cohort.pointee.system.coalescingWindow
    guard window > .zero else { return true }
    for other in 0..<device.instanceCount where other != slot {
      let planned = instances[other].ticket.planned
      guard planned <= now || planned > now + window else { return false }
    }
    return true
  }
}
