import Scenario
import SimulationKernel

/// Charging, the battery's level, and Low Power Mode (MODEL.md 3.2).
extension DeviceSimulator {
  /// Plans the nights on the charger; a phone on mains has no level to watch.
  mutating func beginPower() {
    guard hasBattery else { return }
    if cohort.pointee.power.chargesOvernight { beginNights() }
    batteryCalm = device.battery.calmUntil
    watchBattery(at: plan.beginning)
  }

  private mutating func beginNights() {
    charging.initialize(to: ChargingSchedule(wall: wall, beginning: plan.beginning))
    schedulePlug(after: plan.beginning)
    guard charging.pointee.isCharging(at: plan.beginning, cohort.pointee.power, stream: stream, wall: wall) else {
      return
    }
    device.battery.isPlugged = true
    schedule(.unplug, at: charging.pointee.unplugged)
  }

  @inline(__always)
  private var hasBattery: Bool {
    if case .battery = cohort.pointee.power { true } else { false }
  }

  private mutating func schedulePlug(after now: Instant) {
    let plug = charging.pointee.nextPlug(after: now, cohort.pointee.power, stream: stream, wall: wall)
    if plug < .never { schedule(.plug, at: plug) }
  }

  mutating func plugIn(at now: Instant) {
    changeBattery(at: now) { $0.isPlugged = true }
    schedule(.unplug, at: charging.pointee.unplugged)
    endWaitsForCharger(at: now)
  }

  mutating func unplug(at now: Instant) {
    changeBattery(at: now) { $0.isPlugged = false }
    schedulePlug(after: now)
    watchBattery(at: now)
  }

  /// Brings the level up to date before anything changes what drains or charges it.
  mutating func advanceBattery(to now: Instant) {
    advanceNetwork(to: now)
    let reloads = energy.takeFromBattery(at: now)
    let used = device.battery.advance(to: now, isInSession: device.presence.isInSession, reloads: reloads)
    if device.battery.capacity > .zero { tally.energy.supply(used, fromCharger: device.battery.isCharging) }
    batteryCalm = device.battery.calmUntil
  }

  /// Whether a check before an instant would find nothing, whatever the person does until then.
  ///
  /// It need not be known how full the battery is: when it last was, there was enough for all that time.
  @inline(__always)
  mutating func isBatteryCalm(until instant: Instant, at now: Instant) -> Bool {
    guard hasBattery else { return true }
    guard instant <= batteryCalm, !device.isBatteryWatched else { return false }
    // 2 % in all, of which a reserve is 1.
    return energy.drawn(at: now) - batteryReserve <= batteryReserve
  }

  /// Something changes what drains or charges the battery.
  private mutating func changeBattery(at now: Instant, _ change: (inout Battery) -> Void) {
    advanceBattery(to: now)
    change(&device.battery)
    batteryCalm = device.battery.calmUntil
  }

  /// Reloads have drawn so much that the next check may have to come sooner.
  @inline(never)
  mutating func reconsiderBattery(at now: Instant) {
    advanceBattery(to: now)
    if device.isBatteryWatched { queue.cancel(.batteryCheck) }
    device.isBatteryWatched = false
    watchBattery(at: now)
  }

  /// Plans the next check of a quarter hour that may find something before the state changes again.
  mutating func watchBattery(at now: Instant) {
    guard needsWatch(at: now) else { return }
    let concern = device.battery.nextConcern(isInSession: device.presence.isInSession)
    device.isBatteryWatched = true
    schedule(.batteryCheck, at: accrualClock.quarter(after: max(concern - .milliseconds(1), now)))
  }

  /// Whether a check must be planned that is not.
  @inline(__always)
  mutating func needsWatch(at now: Instant) -> Bool {
    guard hasBattery, !device.isBatteryWatched else { return false }
    return device.battery.hasConcern(before: nextPowerChange(after: now), isInSession: device.presence.isInSession)
  }

  /// When the present drain ends for sure: with the session, at the next one, or on the charger.
  mutating func nextPowerChange(after now: Instant) -> Instant {
    let session =
      cohort.pointee.hasPeople ? (device.presence.isInSession ? person.session.end : person.session.start) : .never
    let plug = cohort.pointee.power.chargesOvernight ? charging.pointee.plugged : .never
    return min(session > now ? session : .never, plug > now ? plug : .never)
  }

  mutating func checkBattery(at now: Instant) {
    guard case .battery(let power) = cohort.pointee.power else { return }
    let draws = stream.block(.battery, index: Int(truncatingIfNeeded: accrualClock.quarterNumber(at: now)))
    var startsTopUp = false
    changeBattery(at: now) {
      let verdict = $0.check(
        topUp: power.topUp.happens(at: draws.first), saving: power.lowPowerMode.happens(at: draws.second))
      startsTopUp = verdict.startsTopUp
    }
    if startsTopUp { startTopUp(at: now) }
    device.isBatteryWatched = false
    watchBattery(at: now)
  }

  private mutating func startTopUp(at now: Instant) {
    changeBattery(at: now) { $0.isToppingUp = true }
    schedule(.topUpEnd, at: now + device.battery.topUpTime)
    endWaitsForCharger(at: now)
  }

  mutating func endTopUp(at now: Instant) {
    changeBattery(at: now) { $0.endTopUp() }
    watchBattery(at: now)
  }

  /// On the charger a balance of 0 is enough: tickets that wait for their budget are looked at again.
  private mutating func endWaitsForCharger(at now: Instant) {
    for slot in 0..<device.instanceCount where instances[slot].wait.reason == .budget { lookAgain(at: slot, now) }
  }

  /// The end of a ticket's wait for Low Power Mode; in the past when it is off or the phone charges.
  @inline(__always)
  mutating func lowPowerEnd(_ slot: Int) -> Instant {
    guard device.battery.isSaving, !device.battery.isCharging else { return .longAgo }
    // 15 min x (0.9 + 0.1 U).
    let variation = TimeAmount.milliseconds(
      ModelConstants.lowPowerWait.milliseconds / 100 * ModelConstants.lowPowerVariation)
    let spread = SpanSampler.part(of: variation, at: scheduleDraws(slot).first)
    return eligible(slot) + (ModelConstants.lowPowerWait - variation) + spread
  }
}
