package import SimulationKernel

/// What may be pending in a device's queue; instances by their slot on the device.
///
/// It fills a word, which is read and written in one piece: seven bytes would be put together of three.
enum DeviceEvent: BitwiseCopyable, Equatable {
  case placement(Slot)
  /// The ticket of an instance becomes eligible, which fixes its start delay.
  case eligible(Slot)
  /// The planned start of an instance's ticket, or the end of what withholds it.
  case start(Slot)
  /// The answers of a run are in, and its cache can hold them.
  case answers(Slot)
  /// The end of a run.
  case runEnd(Slot)
  /// Requests of a flight arrive at a backend that answers back: one by its number, or all.
  ///
  /// `changes`: of the interface, when they were sent; whether that was in a session is told too.
  case arrival(FlightNumber, request: UInt16, attempt: UInt16, changes: UInt8, isInSession: Bool)
  /// The next try of a request, by its number in the flight.
  case resend(FlightNumber, request: UInt16, attempt: UInt8)
  /// All answers of a background session's download are in.
  case downloadEnd(kind: KindIndex)
  /// A free run has started: tickets that may start with it do so after all views and taps of the instant.
  case coalescing(starter: Slot)
  /// A background refresh of the app, by its index.
  case backgroundRefresh(ReloadIndex)
  /// The date of a daily event of the scenario, or a push of the device's own.
  case occasion(event: EventIndex)
  case push(event: EventIndex)
  /// A push reaches the device, which was offline when it came.
  case pushDelivery(event: EventIndex)
  /// The runs that a change of the system starts.
  case systemRuns
  case gallery(event: EventIndex)
  case midnight
  /// The end of a day in which energy is counted.
  case energyDayEnd
  case plug
  case unplug
  case batteryCheck
  case topUpEnd
  case sessionStart
  case sessionEnd
  /// A visit of the home screen down to a page; the session's first also shows the lock screen.
  case homeVisit(depth: UInt16, isFirst: Bool)
  case glance
  case appOpen
  case appClose
  case audioStart
  case audioEnd
  /// The app asks for the reload of this index.
  case appCall(ReloadIndex)
  /// As `appCall`, repeated in an audio session.
  case audioCall(ReloadIndex)
  /// The runs that a call of the active app asked for, for one kind.
  case foregroundRun(kind: KindIndex)
  case locationChange(kind: KindIndex)
  /// A burst of taps on an instance begins with a view.
  case burst(Slot)
  /// A tap, with the taps that follow in its burst.
  case tap(Slot, left: UInt16)

  /// In place of a request's number.
  static let allRequests = Int(UInt16.max)

  /// The place among events of one instant (MODEL.md 1.3).
  ///
  /// Answers stand by instance, whenever they were scheduled: when that is depends on how the engine runs.
  @inline(__always)
  var rank: Int64 {
    switch self {
    case .midnight, .energyDayEnd, .plug, .unplug, .batteryCheck, .topUpEnd, .arrival: 0
    case .answers(let slot), .runEnd(let slot): 1 << 8 | Int64(slot.place)
    case .resend(let flight, _, _): 1 << 8 | Int64(flight.number & 0xFF)
    case .downloadEnd: 1 << 8 | 0xFF
    case .sessionStart, .sessionEnd, .appOpen, .appClose, .audioStart, .audioEnd: 2 << 8
    case .backgroundRefresh, .appCall, .audioCall, .foregroundRun, .locationChange, .occasion, .push, .pushDelivery,
      .systemRuns, .gallery:
      3 << 8
    case .placement, .homeVisit, .glance, .burst, .tap: 4 << 8
    case .eligible, .start, .coalescing: 5 << 8
    }
  }

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

/// What is pending on a phone, counted in one pass: for the checks of debug builds, which come after every event.
struct PendingCounts {
  /// By slot: when its ticket is looked at; ends of its run.
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
