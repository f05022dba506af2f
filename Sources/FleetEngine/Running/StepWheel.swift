/// The devices of a shard by the step in which they have their next turn.
///
/// Slots go round: a device whose step lies further ahead than there are slots is looked at once in every round.
struct StepWheel: ~Copyable {
  private static let slots = 4_096

  /// By slot: its first device; -1 where there is none.
  private let first: UnsafeMutablePointer<Int32>
  /// By device: the next one of its slot, and its step.
  private let next: UnsafeMutablePointer<Int32>
  private let steps: UnsafeMutablePointer<Int32>

  init(devices: Int) {
    first = .allocate(capacity: Self.slots)
    first.initialize(repeating: -1, count: Self.slots)
    next = .allocate(capacity: devices)
    next.initialize(repeating: -1, count: devices)
    steps = .allocate(capacity: devices)
    steps.initialize(repeating: -1, count: devices)
  }

  deinit {
    first.deallocate()
    next.deallocate()
    steps.deallocate()
  }

  /// Bytes that each device of a shard adds.
  static let bytesPerDevice = 2 * MemoryLayout<Int32>.stride

  /// Puts a device that is on no slot on that of a step.
  mutating func park(_ device: Int, until step: Int) {
    let slot = step & (Self.slots - 1)
    steps[device] = Int32(truncatingIfNeeded: step)
    next[device] = first[slot]
    first[slot] = Int32(truncatingIfNeeded: device)
  }

  /// Takes the devices of a step's slot off the wheel: the first of a chain.
  mutating func take(_ step: Int) -> Chain {
    let slot = step & (Self.slots - 1)
    let chain = Chain(device: first[slot])
    first[slot] = -1
    return chain
  }

  /// What is left of a slot.
  struct Chain: BitwiseCopyable {
    fileprivate var device: Int32
  }

  /// The next device of a chain whose turn a step is; those of other rounds go back on the wheel.
  mutating func nextDevice(of chain: inout Chain, in step: Int) -> Int? {
    while chain.device >= 0 {
      let device = Int(chain.device)
      chain.device = next[device]
      if steps[device] == step { return device }
      park(device, until: Int(steps[device]))
    }
    return nil
  }
}
