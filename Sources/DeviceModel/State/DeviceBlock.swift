import SimulationKernel

/// A block of memory with a device that rests.
package struct DeviceBlock: BitwiseCopyable {
  package let start: UnsafeMutableRawPointer

  package init(_ start: UnsafeMutableRawPointer) { self.start = start }
}

/// What stands at the beginning of a device's block.
struct RestingDevice: BitwiseCopyable {
  /// Between two turns.
  var queue: EventQueue<DeviceEvent>
  var radio: Radio
  var state: DeviceState
}
