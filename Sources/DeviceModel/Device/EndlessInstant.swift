package import SimulationKernel

/// A device at which events follow each other without time passing.
package struct EndlessInstant: Error, Hashable, Sendable {
  /// Number of the device within the fleet.
  package var device: Int
  package var cohort: Int
  package var instant: Instant
  /// What happens over and over, in the order in which it does.
  package var events: [String]

  /// Events of one device at one instant that are taken for no accident.
  package static let mostEvents = 100_000

  package init(device: Int, cohort: Int, instant: Instant, events: [String]) {
    self.device = device
    self.cohort = cohort
    self.instant = instant
    self.events = events
  }
}

extension Device {
  /// What the present device does over and over, seen from its next hundred events.
  mutating func endlessInstant(at now: Instant) -> EndlessInstant {
    var names: [String] = []
    for _ in 0..<100 {
      guard let name = widgets.phone.queue.soonest?.name else { break }
      if !names.contains(name) { names.append(name) }
      guard step()?.at == now else { break }
    }
    return EndlessInstant(
      device: widgets.phone.number, cohort: widgets.phone.cohortIndex.place, instant: now, events: names)
  }
}

extension DeviceEvent {
  /// For messages.
  fileprivate var name: String {
    switch self {
    case .placement: "placement"
    case .eligible: "reload becomes eligible"
    case .start: "planned start"
    case .answers, .downloadEnd: "answers"
    case .arrival: "requests arrive"
    case .resend: "next try of a request"
    case .occasion, .push, .pushDelivery: "push"
    case .systemRuns: "system change"
    case .gallery: "gallery"
    case .runEnd: "end of a run"
    case .coalescing: "coalescing"
    case .backgroundRefresh: "background refresh"
    case .midnight, .energyDayEnd: "midnight"
    case .plug, .unplug: "charger"
    case .batteryCheck, .topUpEnd: "battery check"
    case .sessionStart, .sessionEnd: "session"
    case .homeVisit: "home screen visit"
    case .glance: "glance"
    case .appOpen, .appClose: "app visit"
    case .audioStart, .audioEnd: "audio session"
    case .appCall, .audioCall: "call of the app"
    case .foregroundRun: "run asked for in the foreground"
    case .locationChange: "location change"
    case .burst, .tap: "tap"
    }
  }
}
