internal import CProcessor

/// Allocates memory for `count` values whose bytes are all 0; the caller deallocates it.
///
/// The system provides the pages of a large block only when they are first written.
package func zeroed<Value: BitwiseCopyable>(_ count: Int) -> UnsafeMutablePointer<Value> {
  wf_zeroed(max(count, 1), MemoryLayout<Value>.stride).bindMemory(to: Value.self, capacity: max(count, 1))
}
