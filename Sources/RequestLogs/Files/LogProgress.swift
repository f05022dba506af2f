package import Synchronization

/// What others may know and say while logs are read.
package final class LogProgress: Sendable {
  /// Bytes of the files as they lie on the disk.
  package let bytesRead = Atomic(0)
  /// Set from outside: reading ends soon, with what it has.
  package let isCancelled = Atomic(false)

  package init() {}

  func add(_ bytes: Int) { bytesRead.wrappingAdd(bytes, ordering: .relaxed) }
}
