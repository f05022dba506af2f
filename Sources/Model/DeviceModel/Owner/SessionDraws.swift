import SimulationKernel

/// The draws that most sessions need, which are generated in one call. Generating eight draws takes as long as
/// generating two (`Philox.makeEight`).
struct SessionDraws: ~Copyable {
  /// The position of each draw within the batch of eight.
  private enum Lane {
    static var session: Int { 0 }
    static var firstVisit: Int { 1 }
    static var nextUnlock: Int { 4 }
    static var firstSlot: Int { 5 }
  }
  /// The numbers of visits and slots whose draws are part of the batch.
  static var visits: Int { 3 }
  static var slots: Int { 3 }

  // Pointers avoid copies: a value stored in a struct would be copied whenever another field changes.
  private let blocks: UnsafeMutablePointer<Philox.EightBlocks>
  private let steps: UnsafeMutablePointer<Philox.EightSteps>

  init() {
    blocks = .allocate(capacity: 1)
    blocks.initialize(to: Philox.EightBlocks())
    steps = .allocate(capacity: 1)
    steps.initialize(to: Philox.EightSteps())
    steps.pointee[Lane.session] = (UInt32(Purpose.session.rawValue), 0, 0)
    for visit in 0..<Self.visits {
      steps.pointee[Lane.firstVisit + visit] = (UInt32(Purpose.homeVisit.rawValue), 0, UInt32(visit))
    }
    steps.pointee[Lane.nextUnlock] = (UInt32(Purpose.unlock.rawValue), 1, 0)
  }

  deinit {
    blocks.deallocate()
    steps.deallocate()
  }

  /// Assigns the draws of a slot, which must be one of the first, to a member of the cohort for the next device.
  func setMember(ofSlot slot: Slot, to member: MemberIndex) {
    guard slot.place < Self.slots else { return }
    steps.pointee[Lane.firstSlot + slot.place] = (UInt32(Purpose.taps.rawValue), 0, UInt32(member.place))
  }

  /// Generates the draws of the session with this key.
  func make(_ key: Int, stream: DeviceStream) {
    stream.makeEight(blocks, part: UInt32(truncatingIfNeeded: key), steps: steps)
  }

  /// The draws for the number of visits after the first one, and for whether the app is opened.
  var session: UniformPair { self[Lane.session] }
  /// Returns the draws for the time and depth of one of the first `visits` visits.
  func visit(_ number: Int) -> UniformPair { self[Lane.firstVisit + number] }
  /// Returns the draw for the number of tap bursts on an instance in one of the first `slots` slots.
  func bursts(on slot: Slot) -> UInt64 { blocks.pointee.firsts[Lane.firstSlot + slot.place] }
  /// The draws for the unlock whose key follows the session's key.
  var nextUnlock: UniformPair { self[Lane.nextUnlock] }

  private subscript(lane: Int) -> UniformPair {
    @inline(__always) get { UniformPair(first: blocks.pointee.firsts[lane], second: blocks.pointee.seconds[lane]) }
  }
}
