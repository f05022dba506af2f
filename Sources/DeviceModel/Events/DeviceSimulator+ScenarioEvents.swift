import Scenario
import SimulationKernel

/// What comes over devices from outside: pushes, changes of the system, looks at the gallery (MODEL.md 2.1, 4.2).
extension DeviceSimulator {
  mutating func beginEvents() {
    for event in 0..<plan.events.count {
      switch plan.events[event].timing {
      case .once(let instant): comeOver(event, day: 0, at: instant)
      case .daily: scheduleDate(of: event, after: plan.beginning - .milliseconds(1))
      case .perDevice: if isAmong(event, day: 0) { schedulePush(event, after: plan.beginning) }
      }
    }
  }

  /// The date of a daily event, or the instant of a device's own push.
  mutating func occasionComes(_ event: Int, at now: Instant) {
    switch plan.events[event].timing {
    case .once: return
    case .daily(let calendar):
      comeOver(event, day: dayNumber(in: calendar, at: now), at: now)
      scheduleDate(of: event, after: now)
    case .perDevice:
      receivePush(event, at: now)
      schedulePush(event, after: now)
    }
  }

  /// A number for each date of a daily event: two dates in another zone may fall on one local day.
  private func dayNumber(in calendar: CalendarPlan, at now: Instant) -> Int {
    let dates = calendar.dates[device.zone]
    let first = Int(wall.reading(at: dates[0]).day.number)
    return first + dates.prefixLength { $0 < now }
  }

  private mutating func scheduleDate(of event: Int, after now: Instant) {
    guard case .daily(let calendar) = plan.events[event].timing else { return }
    let date = calendar.date(1, after: now, zone: device.zone)
    if date < plan.end { schedule(.occasion(event: UInt16(truncatingIfNeeded: event)), at: date) }
  }

  /// The next of a device's own pushes; their ordinals count what was received.
  private mutating func schedulePush(_ event: Int, after now: Instant) {
    guard case .perDevice(let gap) = plan.events[event].timing else { return }
    let ordinal = Int(ordinals[plan.reloads.count + event])
    let uniform = stream.block(.pushGap, part: plan.events[event].number, index: ordinal).first
    schedule(.occasion(event: UInt16(truncatingIfNeeded: event)), at: now + gap.span(at: uniform))
  }

  /// Whether the device is in the audience; a named group is the same in all its events.
  private mutating func isAmong(_ event: Int, day: Int) -> Bool {
    let plan = plan.events[event]
    let draws =
      plan.group.map { stream.block(.audienceGroup, part: $0) }
      ?? stream.block(.audience, part: plan.number, index: day)
    return plan.audience.happens(at: draws.first)
  }

  /// An event comes over the device within its time, if the device is among its audience.
  private mutating func comeOver(_ event: Int, day: Int, at instant: Instant) {
    guard isAmong(event, day: day) else { return }
    let draws = stream.block(.eventTime, part: plan.events[event].number, index: day)
    let at = instant + SpanSampler.part(of: plan.events[event].over, at: draws.first)
    let number = UInt16(truncatingIfNeeded: event)
    switch plan.events[event].action {
    case .silentPush, .widgetPush: schedule(.push(event: number), at: at)
    case .systemChange:
      schedule(.systemRuns, at: at + SpanSampler.part(of: ModelConstants.systemSpread, at: draws.second))
    case .gallery: schedule(.gallery(event: number), at: at)
    }
  }

  /// A change of the system reloads every widget freely.
  mutating func runForSystem(at now: Instant) {
    for slot in 0..<device.instanceCount where instances[slot].isPlaced { requestFree(slot, cause: .system, at: now) }
  }
}
