/// A value prepared once per scenario, read where it lies: a copy of a large one at every use would cost.
///
/// As with `PreparedList`, the memory belongs to a `SamplerStorage`, which must outlive it.
@dynamicMemberLookup
public struct Prepared<Value: BitwiseCopyable>: BitwiseCopyable, Equatable {
  @usableFromInline let location: UnsafePointer<Value>

  @inlinable @inline(__always) public init(at location: UnsafePointer<Value>) { self.location = location }

  /// The whole of it, for what it does rather than what it holds.
  @inlinable @inline(__always) public var value: Value { _read { yield location.pointee } }

  @inlinable @inline(__always) public subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part {
    location.pointee[keyPath: part]
  }
}
