import DeviceModel
import SimulationKernel

/// The offset of a parked device's state within its shard's memory, in cache lines.
struct DeviceOffset: BitwiseCopyable, Hashable {
  private var units: UInt32

  init(offset: Int) { units = UInt32(offset / Self.unit) }

  static let unit = 64

  @inline(__always)
  var offset: Int { Int(units) &* Self.unit }
}

/// A timing wheel that groups a thread's devices by the step of their next turn.
///
/// Slots are reused, so a device whose step lies beyond the number of slots is checked once per rotation. Each slot
/// lists its devices on leaves, each of which is one cache line long. As a result, collecting the devices of a step
/// reads little memory, and none of the devices' state.
struct TimingWheel: ~Copyable {
  private static let slotCount = 4_096

  private let slots: UnsafeMutablePointer<Slot>
  private let leaves: UnsafeMutablePointer<Leaf>
  private let unused: UnsafeMutablePointer<UnusedLeaves>

  /// A list of devices on leaves; all leaves except the first are full.
  private struct Slot: BitwiseCopyable {
    var first = LeafNumber.none
    var count: UInt32 = 0
  }

  private struct LeafNumber: BitwiseCopyable, Equatable {
    var number: UInt32

    static let none = LeafNumber(number: .max)
  }

  private struct Entry: BitwiseCopyable {
    var device: DeviceOffset
    var step: Int32
  }

  private struct Leaf: BitwiseCopyable {
    var next: LeafNumber
    /// Padding that extends the leaf to a whole cache line.
    private let padding: UInt32
    private let entries: (Entry, Entry, Entry, Entry, Entry, Entry, Entry)

    static let capacity: UInt32 = 7
    static let entryOffset = 8
  }

  /// The unused leaves: a chain of returned leaves, followed by leaves that were never used.
  private struct UnusedLeaves: BitwiseCopyable {
    var first = LeafNumber.none
    var fresh: UInt32 = 0
  }

  /// Creates a wheel without devices.
  ///
  /// - Parameter devices: the maximum number of devices on the wheel.
  init(devices: Int) {
    slots = .allocate(capacity: Self.slotCount)
    slots.initialize(repeating: Slot(), count: Self.slotCount)
    // Each slot may have one partially filled leaf, and one further leaf is being read.
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

  /// The approximate number of bytes that the wheel needs per device.
  static var bytesPerDevice: Int { MemoryLayout<Leaf>.stride / Int(Leaf.capacity) + 1 }

  /// Adds a device to the slot of a step; the device must not be on the wheel already.
  @inline(__always)
  func park(_ device: DeviceOffset, until step: Int) {
    let slot = slots + (step & (Self.slotCount - 1))
    let place = slot.pointee.count % Leaf.capacity
    if place == 0 { slot.pointee.first = newLeaf(before: slot.pointee.first) }
    entries(of: slot.pointee.first)[Int(place)] = Entry(device: device, step: Int32(truncatingIfNeeded: step))
    slot.pointee.count &+= 1
  }

  /// Removes the devices that have a turn in a step.
  ///
  /// - Parameter due: memory that receives the removed devices and has space for all devices.
  /// - Returns: the number of removed devices.
  func take(_ step: Int, into due: UnsafeMutablePointer<DeviceOffset>) -> Int {
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

  /// Returns the number of devices in the slot of a step, including devices that are due in a later rotation.
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
