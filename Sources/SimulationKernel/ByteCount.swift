/// A size in bytes.
package struct ByteCount: BitwiseCopyable, Hashable, Comparable, Sendable {
  package var bytes: Int64

  @inlinable package init(bytes: Int64) { self.bytes = bytes }

  package static let zero = ByteCount(bytes: 0)

  @inlinable package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}
