import SimulationKernel

/// What may be pending in a device's queue; instances by their slot on the device.
enum DeviceEvent: BitwiseCopyable, Equatable {
  case placement(UInt8)
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

  /// The place among events of one instant (MODEL.md 1.3).
  var rank: Int64 {
    switch self {
    // 0: network and power
    case .answers, .runEnd: 1
    // 2: session and app state
    case .backgroundRefresh: 3
    case .placement: 4
    case .start, .coalescing: 5
    }
  }

  /// Of every case, by `number`.
  static let names = ["placement", "start", "answers", "end of a run", "coalescing", "background refresh"]

  var number: UInt8 {
    switch self {
    case .placement: 0
    case .start: 1
    case .answers: 2
    case .runEnd: 3
    case .coalescing: 4
    case .backgroundRefresh: 5
    }
  }
}
