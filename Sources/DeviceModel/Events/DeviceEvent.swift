import SimulationKernel

/// What may be pending in a device's queue; instances by their slot on the device.
enum DeviceEvent: BitwiseCopyable, Equatable {
  case placement(UInt8)
  /// The ticket of an instance becomes eligible, which fixes its start delay.
  case eligible(UInt8)
  /// The planned start of an instance's ticket, or the end of what withholds it.
  case start(UInt8)
  /// The answers of a run are in, and its cache can hold them.
  case answers(UInt8)
  /// The end of a run.
  case runEnd(UInt8)
  /// A free run has started: tickets that may start with it do so after all views and taps of the instant.
  case coalescing(starter: UInt8)
  /// A background refresh of the app, by its index, with its ordinal.
  case backgroundRefresh(UInt8, ordinal: UInt32)
  case midnight
  case plug
  case unplug
  case batteryCheck
  case topUpEnd
  case sessionStart
  case sessionEnd
  /// A visit of the home screen, by its ordinal in the session; the first also shows the lock screen.
  case homeVisit(UInt16)
  case glance
  case appOpen
  case appClose
  case audioStart
  case audioEnd
  /// The app asks for the reload of this index.
  case appCall(UInt8)
  /// As `appCall`, repeated in an audio session.
  case audioCall(UInt8)
  /// The runs that a call of the active app asked for, for one kind.
  case foregroundRun(kind: UInt16)
  case locationChange(kind: UInt16)
  /// A burst of taps on an instance begins with a view.
  case burst(UInt8)
  /// A tap, with the taps that follow in its burst.
  case tap(UInt8, left: UInt16)

  /// The place among events of one instant (MODEL.md 1.3).
  var rank: Int64 {
    switch self {
    case .midnight, .plug, .unplug, .batteryCheck, .topUpEnd: 0
    case .answers, .runEnd: 1
    case .sessionStart, .sessionEnd, .appOpen, .appClose, .audioStart, .audioEnd: 2
    case .backgroundRefresh, .appCall, .audioCall, .foregroundRun, .locationChange: 3
    case .placement, .homeVisit, .glance, .burst, .tap: 4
    case .eligible, .start, .coalescing: 5
    }
  }

  /// Of every case, by `number`.
  static let names = [
    "placement", "eligible", "start", "answers", "end of a run", "coalescing", "background refresh", "midnight",
    "plug", "unplug", "battery check", "end of a charge", "session", "end of a session", "home screen visit",
    "glance", "app opened", "app closed", "audio", "end of audio", "call of the app", "call of audio",
    "foreground run", "location change", "burst of taps", "tap",
  ]

  var number: UInt8 {
    switch self {
    case .placement: 0
    case .eligible: 1
    case .start: 2
    case .answers: 3
    case .runEnd: 4
    case .coalescing: 5
    case .backgroundRefresh: 6
    case .midnight: 7
    case .plug: 8
    case .unplug: 9
    case .batteryCheck: 10
    case .topUpEnd: 11
    case .sessionStart: 12
    case .sessionEnd: 13
    case .homeVisit: 14
    case .glance: 15
    case .appOpen: 16
    case .appClose: 17
    case .audioStart: 18
    case .audioEnd: 19
    case .appCall: 20
    case .audioCall: 21
    case .foregroundRun: 22
    case .locationChange: 23
    case .burst: 24
    case .tap: 25
    }
  }
}
