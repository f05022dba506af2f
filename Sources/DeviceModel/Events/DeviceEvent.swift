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
  /// A visit of the home screen down to a page; the session's first also shows the lock screen.
  case homeVisit(depth: UInt16, isFirst: Bool)
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
}
