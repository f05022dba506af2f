import SimulationKernel

/// Where a device's block lies in its shard's memory, in cache lines.
package struct DevicePlace: BitwiseCopyable, Equatable, Sendable {
  private var units: UInt32

  package init(offset: Int) { units = UInt32(offset / DeviceBlock.alignment) }

  package var offset: Int { Int(units) * DeviceBlock.alignment }
}

/// A block of memory with a device that rests.
package struct DeviceBlock: BitwiseCopyable {
  package let start: UnsafeMutableRawPointer

  package static let alignment = 64

  package init(_ start: UnsafeMutableRawPointer) { self.start = start }
}

/// What stands at the beginning of a device's block.
struct RestingDevice: BitwiseCopyable {
  /// Between two turns.
  var queue: DeviceQueue<DeviceEvent>
  var radio: Radio
  var state: DeviceState
}
