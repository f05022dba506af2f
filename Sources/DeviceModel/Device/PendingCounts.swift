import SimulationKernel

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
