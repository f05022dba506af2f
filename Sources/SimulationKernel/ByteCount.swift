/// A size in bytes.
@usableFromInline package struct ByteCount: BitwiseCopyable, Hashable, Comparable, Sendable {
  @usableFromInline package var bytes: Int64

  @inlinable package init(bytes: Int64) { self.bytes = bytes }

  @inlinable package static var zero: ByteCount { ByteCount(bytes: 0) }

  @inlinable package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}
