/// A size in bytes.
public struct ByteCount: BitwiseCopyable, Hashable, Comparable, Sendable {
  public var bytes: Int64

  @inlinable public init(bytes: Int64) { self.bytes = bytes }

  @inlinable public static var zero: ByteCount { ByteCount(bytes: 0) }

  @inlinable public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}
