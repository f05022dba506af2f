package import Scenario
package import SimulationKernel

/// An event in a device's queue; instances are identified by their slot on the device.
///
/// An event fits in one word, so it is accessed in a single memory operation; an event of seven bytes would require
/// three.
enum DeviceEvent: BitwiseCopyable, Equatable {
  case placement(Slot)
  /// A named window begins or ends.
  case windowChange
  /// An instance's ticket becomes eligible; its start delay is then determined.
  case eligible(Slot)
  /// An instance's ticket reaches its planned start, or the reason for withholding it may have ended.
  case start(Slot)
  /// All answers of a run have arrived and can be cached.
  case answers(Slot)
  /// A run ends.
  case runEnd(Slot)
  /// Requests of a flight arrive at a backend with feedback: either a single request or, for `allRequests`, all of
  /// them.
  ///
  /// `changes` is the number of network interface changes at the time of sending; `isInSession` is true if a session
  /// was in progress then.
  case arrival(FlightNumber, request: UInt16, attempt: UInt16, changes: UInt8, isInSession: Bool)
  /// A request, identified by its number in the flight, is retried.
  case resend(FlightNumber, request: UInt16, attempt: UInt8)
  /// All requests of a tap have ended.
  case actionEnd(Slot)
  /// All answers to a background session's download have arrived.
  case downloadEnd(kind: KindIndex)
  /// A free run has started; eligible tickets may start together with it after all other views and taps at the same
  /// instant.
  case coalescing(starter: Slot)
  /// The app receives the background refresh with this index.
  case backgroundRefresh(ReloadIndex)
  /// A daily event of the scenario occurs, or a device-specific push is due.
  case occasion(event: EventIndex)
  case push(event: EventIndex)
  /// A push is delivered to the device, which was offline when the push was sent.
  case pushDelivery(event: EventIndex)
  /// The runs caused by a system change start.
  case systemRuns
  /// The phone restarts.
  case reboot
  case gallery(event: EventIndex)
  case midnight
  /// A day of the energy account ends.
  case energyDayEnd
  case plug
  case unplug
  case batteryCheck
  case topUpEnd
  case sessionStart
  case sessionEnd
  /// The user views the home screen pages up to `depth`; the first visit of a session also shows the lock screen.
  case homeVisit(depth: UInt16, isFirst: Bool)
  case glance
  case appOpen
  case appClose
  case audioStart
  case audioEnd
  /// The app requests the reload with this index.
  case appCall(ReloadIndex)
  /// The app repeats its reload requests during an audio session.
  case audioCall(ReloadIndex)
  /// The runs of a kind that the active app has requested start.
  case foregroundRun(kind: KindIndex)
  case locationChange(kind: KindIndex)
  /// A burst of taps on an instance starts; it begins with a view.
  case burst(Slot)
  /// A tap happens; `left` is the number of taps that follow it in its burst.
  case tap(Slot, left: UInt16)

  /// The request number that represents all requests of a flight.
  static let allRequests = Int(UInt16.max)

  /// The order of events at the same instant (MODEL.md 1.3).
  ///
  /// Answers are ordered by instance, because the order in which they are scheduled depends on how the engine runs.
  @inline(__always)
  var rank: Int64 {
    switch self {
    case .windowChange: 0
    case .midnight, .energyDayEnd, .plug, .unplug, .batteryCheck, .topUpEnd, .arrival: 1
    case .answers(let slot), .runEnd(let slot): 1 << 8 | Int64(slot.place)
    case .actionEnd(let slot): 1 << 8 | 0x80 | Int64(slot.place)
    case .resend(let flight, _, _): 1 << 8 | Int64(flight.number & 0xFF)
    case .downloadEnd: 1 << 8 | 0xFF
    case .sessionStart, .sessionEnd, .appOpen, .appClose, .audioStart, .audioEnd: 2 << 8
    case .backgroundRefresh, .appCall, .audioCall, .foregroundRun, .locationChange, .occasion, .push, .pushDelivery,
      .systemRuns, .reboot, .gallery:
      3 << 8
    case .placement, .homeVisit, .glance, .burst, .tap: 4 << 8
    case .eligible, .start, .coalescing: 5 << 8
    }
  }

  /// The name of the event in messages.
  fileprivate var name: String {
    switch self {
    case .placement: "placement"
    case .windowChange: "window"
    case .eligible: "reload becomes eligible"
    case .start: "planned start"
    case .answers, .downloadEnd, .actionEnd: "answers"
    case .arrival: "requests arrive"
    case .resend: "next attempt of a request"
    case .occasion, .push, .pushDelivery: "push"
    case .systemRuns, .reboot: "system change"
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
    case .appCall, .audioCall: "call by the app"
    case .foregroundRun: "run requested in the foreground"
    case .locationChange: "location change"
    case .burst, .tap: "tap"
    }
  }
}

/// An error thrown when the simulation of a device cannot continue.
package struct DeviceFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Events that follow one another without time advancing; `events` lists the names of the repeated ones in order.
    case livelock(events: [String])
    /// The provider of a kind has returned an unusable timeline.
    case timeline(KindFault)
  }

  /// The number of the device within the fleet.
  package var device: Int
  package var cohort: Int
  package var instant: Instant
  package var reason: Reason

  /// The number of events on one device at one instant above which this error is thrown.
  package static let maxEvents = 100_000
}

extension Device {
  /// Returns an error that lists the current device's repeated events, found among the next hundred events.
  mutating func eventLivelock(at now: Instant) -> DeviceFailure {
    var names: [String] = []
    for _ in 0..<100 {
      guard let name = widgets.phone.queue.soonest?.name else { break }
      if !names.contains(name) { names.append(name) }
      guard step()?.at == now else { break }
    }
    return DeviceFailure(
      device: widgets.phone.number, cohort: widgets.phone.cohortIndex.place, instant: now,
      reason: .livelock(events: names))
  }

  /// Throws the provider fault that has ended the current device's simulation.
  mutating func throwFault() throws(DeviceFailure) {
    guard let (fault, instant) = widgets.phone.fault else { return }
    widgets.phone.fault = nil
    widgets.phone.queue.free()
    throw DeviceFailure(
      device: widgets.phone.number, cohort: widgets.phone.cohortIndex.place, instant: instant,
      reason: .timeline(fault))
  }
}

/// An unusable timeline from a kind's provider.
package struct KindFault: Hashable, Sendable {
  /// The index of the kind within the scenario.
  package var kind: Int
  package var fault: TimelineFault

  package init(kind: Int, _ fault: TimelineFault) { (self.kind, self.fault) = (kind, fault) }
}

/// The numbers of a phone's pending events by type, counted in one pass for the checks in debug builds.
struct PendingCounts {
  /// The numbers of pending ticket checks and run ends for each slot.
  private var lookCounts = InlineArray<64, UInt8>(repeating: 0)
  private var endCounts = InlineArray<64, UInt8>(repeating: 0)
  private(set) var sessionEnds = 0
  private(set) var appCloses = 0
  private(set) var audioEnds = 0

  init(_ queue: EventQueue<DeviceEvent>) {
    queue.visit { event in
      switch event {
      case .start(let slot), .eligible(let slot): lookCounts[slot.place] += 1
      case .answers(let slot), .runEnd(let slot): endCounts[slot.place] += 1
      case .sessionEnd: sessionEnds += 1
      case .appClose: appCloses += 1
      case .audioEnd: audioEnds += 1
      default: break
      }
    }
  }

  func looks(at slot: Slot) -> Int { Int(lookCounts[slot.place]) }
  func ends(of slot: Slot) -> Int { Int(endCounts[slot.place]) }
}
