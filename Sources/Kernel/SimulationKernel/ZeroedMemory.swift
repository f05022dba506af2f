internal import CProcessor

/// Allocates zero-filled memory for `count` values; the caller deallocates it.
///
/// The system allocates the pages of a large block only when they are first written.
package func zeroed<Value: BitwiseCopyable>(_ count: Int) -> UnsafeMutablePointer<Value> {
  wf_zeroed(max(count, 1), MemoryLayout<Value>.stride).bindMemory(to: Value.self, capacity: max(count, 1))
}
