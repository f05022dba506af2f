import DeviceModel
import SimulationKernel

/// Where what is kept of a resting device begins in its shard's memory, in cache lines.
struct DevicePlace: BitwiseCopyable, Hashable {
  private var units: UInt32

  init(offset: Int) { units = UInt32(offset / Self.unit) }

  static let unit = 64

  @inline(__always)
  var offset: Int { Int(units) &* Self.unit }
}

/// The devices of a thread by the step in which they have their next turn.
///
/// Slots go round: a device whose step lies further ahead than there are slots is looked at once in every round. Those on
/// a slot stand on leaves, a cache line each: to lay them out costs little memory, and none of the devices' own.
struct TimingWheel: ~Copyable {
  private static let slotCount = 4_096

  private let slots: UnsafeMutablePointer<Slot>
  private let leaves: UnsafeMutablePointer<Leaf>
  private let unused: UnsafeMutablePointer<UnusedLeaves>

  /// Devices on a slot: all leaves but the first are full.
  private struct Slot: BitwiseCopyable {
    var first = LeafNumber.none
    var count: UInt32 = 0
  }

  private struct LeafNumber: BitwiseCopyable, Equatable {
    var number: UInt32

    static let none = LeafNumber(number: .max)
  }

  private struct Entry: BitwiseCopyable {
    var device: DevicePlace
    var step: Int32
  }

  private struct Leaf: BitwiseCopyable {
    var next: LeafNumber
    /// Makes it a whole cache line.
    private let padding: UInt32
    private let entries: (Entry, Entry, Entry, Entry, Entry, Entry, Entry)

    static let capacity: UInt32 = 7
    static let entryOffset = 8
  }

  /// Leaves that are on no slot: those given back, of which each names the next, then those that never were on one.
  private struct UnusedLeaves: BitwiseCopyable {
    var first = LeafNumber.none
    var fresh: UInt32 = 0
  }

  /// - Parameter devices: how many may be on the wheel at once.
  init(devices: Int) {
    slots = .allocate(capacity: Self.slotCount)
    slots.initialize(repeating: Slot(), count: Self.slotCount)
    // Of every slot one may be in part full, and one is being read.
    let count = devices / Int(Leaf.capacity) + Self.slotCount + 1
    leaves = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Leaf>.stride, alignment: 64)
      .bindMemory(to: Leaf.self, capacity: count)
    unused = .allocate(capacity: 1)
    unused.initialize(to: UnusedLeaves())
  }

  deinit {
    slots.deallocate()
    leaves.deallocate()
    unused.deallocate()
  }

  /// Bytes for a device on it.
  static var bytesPerDevice: Int { MemoryLayout<Leaf>.stride / Int(Leaf.capacity) + 1 }

  /// Puts a device that is on no slot on that of a step.
  @inline(__always)
  func park(_ device: DevicePlace, until step: Int) {
    let slot = slots + (step & (Self.slotCount - 1))
    let place = slot.pointee.count % Leaf.capacity
    if place == 0 { slot.pointee.first = newLeaf(before: slot.pointee.first) }
    entries(of: slot.pointee.first)[Int(place)] = Entry(device: device, step: Int32(truncatingIfNeeded: step))
    slot.pointee.count &+= 1
  }

  /// Takes the devices off the wheel that have their turns in a step.
  ///
  /// - Parameter due: has room for all of them.
  /// - Returns: how many there are.
  func take(_ step: Int, into due: UnsafeMutablePointer<DevicePlace>) -> Int {
    let slot = slots[step & (Self.slotCount - 1)]
    slots[step & (Self.slotCount - 1)] = Slot()
    var (leaf, left, count) = (slot.first, slot.count, 0)
    while leaf != .none {
      let next = leaves[Int(leaf.number)].next
      if next != .none { Prefetch.line(leaves + Int(next.number)) }
      let filled = (left &- 1) % Leaf.capacity + 1
      for place in 0..<Int(filled) {
        let entry = entries(of: leaf)[place]
        if Int(entry.step) == step {
          due[count] = entry.device
          count += 1
        } else {
          park(entry.device, until: Int(entry.step))
        }
      }
      left &-= filled
      leaves[Int(leaf.number)].next = unused.pointee.first
      unused.pointee.first = leaf
      leaf = next
    }
    return count
  }

  /// How many devices are on a step's slot, those included that are looked at once more in a later round.
  func count(_ step: Int) -> Int { Int(slots[step & (Self.slotCount - 1)].count) }

  private func newLeaf(before next: LeafNumber) -> LeafNumber {
    var leaf = unused.pointee.first
    if leaf == .none {
      leaf = LeafNumber(number: unused.pointee.fresh)
      unused.pointee.fresh += 1
    } else {
      unused.pointee.first = leaves[Int(leaf.number)].next
    }
    leaves[Int(leaf.number)].next = next
    return leaf
  }

  @inline(__always)
  private func entries(of leaf: LeafNumber) -> UnsafeMutablePointer<Entry> {
    (UnsafeMutableRawPointer(leaves + Int(leaf.number)) + Leaf.entryOffset).assumingMemoryBound(to: Entry.self)
  }
}
