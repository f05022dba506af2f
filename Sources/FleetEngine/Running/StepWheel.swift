import DeviceModel

/// The devices of a shard by the step in which they have their next turn.
///
/// Slots go round: a device whose step lies further ahead than there are slots is looked at once in every round. The
/// chains of a slot run through the devices' own blocks, where the next one is read when it is needed anyway.
struct StepWheel: ~Copyable {
  private static let slots = 4_096

  /// By slot: the place of its first device.
  private let first: UnsafeMutablePointer<DevicePlace>

  init() {
    first = .allocate(capacity: Self.slots)
    first.initialize(repeating: .none, count: Self.slots)
  }

  deinit { first.deallocate() }

  /// Puts a device that is on no slot on that of a step.
  func park(_ block: DeviceBlock, at place: DevicePlace, until step: Int) {
    let slot = first + (step & (Self.slots - 1))
    block.park(until: step, before: slot.pointee)
    slot.pointee = place
  }

  /// The first device on a step's slot.
  func first(of step: Int) -> DevicePlace { first[step & (Self.slots - 1)] }

  /// Takes the devices of a step's slot off the wheel: the first of a chain.
  func take(_ step: Int) -> DevicePlace {
    let slot = first + (step & (Self.slots - 1))
    defer { slot.pointee = .none }
    return slot.pointee
  }
}
