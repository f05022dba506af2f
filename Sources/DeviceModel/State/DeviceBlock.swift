import SimulationKernel

/// Where a device's block lies in its shard's memory, in units of 16 bytes.
package struct DevicePlace: BitwiseCopyable, Equatable, Sendable {
  private var units: UInt32

  package init(offset: Int) { units = UInt32(offset / DeviceBlock.alignment) }

  private init(units: UInt32) { self.units = units }

  package static var none: DevicePlace { DevicePlace(units: .max) }

  package var offset: Int { Int(units) * DeviceBlock.alignment }
}

/// A block of memory with a device that rests.
package struct DeviceBlock: BitwiseCopyable {
  package let start: UnsafeMutableRawPointer

  package static let alignment = 16

  package init(_ start: UnsafeMutableRawPointer) { self.start = start }

  private var resting: UnsafeMutablePointer<RestingDevice> { start.assumingMemoryBound(to: RestingDevice.self) }

  /// Lets the device rest until its turn in a step, ahead of others on the same slot.
  package func park(until step: Int, before next: DevicePlace) {
    resting.pointee.step = Int32(truncatingIfNeeded: step)
    resting.pointee.next = next
  }

  /// Of the next turn.
  package var step: Int { Int(resting.pointee.step) }
  /// The next device on the same slot.
  package var next: DevicePlace { resting.pointee.next }

  /// Where the device's rows of devices.csv begin in the shard's; nil where they are not kept.
  package var rowPlace: Int? {
    get { resting.pointee.rowPlace < 0 ? nil : Int(resting.pointee.rowPlace) }
    nonmutating set { resting.pointee.rowPlace = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
  }
}

/// What stands at the beginning of a device's block.
struct RestingDevice: BitwiseCopyable {
  /// Between two turns.
  var queue: DeviceQueue<DeviceEvent>
  var next: DevicePlace
  var step: Int32
  var rowPlace: Int32
  var radio: Radio
  var state: DeviceState
}
