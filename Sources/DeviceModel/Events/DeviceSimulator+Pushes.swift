import Scenario
import SimulationKernel

/// Pushes: how they reach a device and what they start (MODEL.md 4.2).
extension DeviceSimulator {
  /// A push comes to the device, which may be out of reach: of several of one event the last is delivered.
  mutating func receivePush(_ event: Int, at now: Instant) {
    let ordinal = ordinals[plan.reloads.count + event]
    ordinals[plan.reloads.count + event] = ordinal &+ 1
    if case .silentPush = plan.events[event].action {
      let draws = stream.block(.pushDelivery, part: plan.events[event].number, index: Int(ordinal))
      guard cohort.pointee.system.silentPushDelivered.happens(at: draws.first) else { return }
    }
    advanceNetwork(to: now)
    guard device.network.isOffline else { return deliverPush(event, at: now) }
    let number = UInt16(truncatingIfNeeded: event)
    queue.cancel(.pushDelivery(event: number))
    schedule(.pushDelivery(event: number), at: device.network.turn)
  }

  /// The device has a network.
  mutating func deliverPush(_ event: Int, at now: Instant) {
    advanceNetwork(to: now)
    switch plan.events[event].action {
    case .widgetPush(let restarts): reloadByWidgetPush(restarts: restarts, at: now)
    case .silentPush(let effect): if takesSilentPush(at: now) { reload(effect, at: now) }
    case .systemChange, .gallery: return
    }
  }

  /// A widget push reloads all widgets of the app, of whatever kind.
  private mutating func reloadByWidgetPush(restarts: Bool, at now: Instant) {
    guard cohort.pointee.system.takesWidgetPushes else { return }
    for slot in 0..<device.instanceCount where instances[slot].isPlaced {
      if restarts { instances[slot].phase = 0 }
      requestScheduled(slot, due: now, cause: .widgetPush, at: now)
    }
  }

  /// Whether fewer pushes than the limit were delivered in the last 60 min; then this one counts among them.
  private mutating func takesSilentPush(at now: Instant) -> Bool {
    let limit = cohort.pointee.system.silentPushesPerHour
    guard limit > 0 else { return false }
    // The ring holds the last deliveries; its next place is the oldest of them.
    let delivered = ordinals + (plan.ordinals - 1)
    let place = parts.pushes + Int(delivered.pointee) % limit
    if Int(delivered.pointee) >= limit, place.pointee + ModelConstants.silentPushWindow > now { return false }
    place.pointee = now
    delivered.pointee &+= 1
    return true
  }
}
