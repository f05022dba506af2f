public import CProcessor

/// A value that is prepared once per scenario and read in place, because copying a large value on every use would be
/// slow.
///
/// As with `PreparedList`, the memory belongs to a `SamplerStorage`, which must outlive it.
@dynamicMemberLookup
public struct Prepared<Value: BitwiseCopyable>: BitwiseCopyable, Equatable {
  @usableFromInline let location: UnsafePointer<Value>

  @inlinable @inline(__always) public init(at location: UnsafePointer<Value>) { self.location = location }

  /// The whole value, for calling its methods.
  @inlinable @inline(__always) public var value: Value { _read { yield location.pointee } }

  @inlinable @inline(__always) public subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part {
    location.pointee[keyPath: part]
  }
}

/// A list prepared once per scenario and read by every thread, as a view that does not own its memory.
///
/// The memory belongs to a `SamplerStorage`, which must outlive it.
public struct PreparedList<Element: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  // This type is `@unchecked` because of the pointer. Its memory is written before the list is created and never
  // changed.

  @usableFromInline let start: UnsafePointer<Element>
  public let count: Int

  public init(start: UnsafePointer<Element>, count: Int) {
    self.start = start
    self.count = count
  }

  @inlinable public var indices: Range<Int> { 0..<count }

  @inlinable public var isEmpty: Bool { count == 0 }

  @inlinable public subscript(index: Int) -> Element {
    assert(index >= 0 && index < count, "index out of range")
    return start[index]
  }

  /// Returns an element in place, for elements that are too large to copy cheaply.
  @inlinable public func element(at index: Int) -> Prepared<Element> {
    assert(index >= 0 && index < count, "index out of range")
    return Prepared(at: start + index)
  }

  /// Returns the number of leading elements for which `belongs` returns `true`, in O(log count). An element for which
  /// `belongs` returns `true` must not follow one for which it returns `false`.
  @inlinable public func prefixLength(where belongs: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if belongs(start[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

/// Prefetch instructions, which let the CPU do other work while it waits for memory.
public enum Prefetch {
  @usableFromInline static var lineBytes: Int { Int(WF_CACHE_LINE) }

  /// Prefetches the cache line at an address; any address is valid.
  @inlinable @inline(__always)
  public static func line(_ address: UnsafeMutableRawPointer) { wf_prefetch(address) }

  /// Prefetches the cache lines of a block with any alignment.
  @inlinable @inline(__always)
  public static func block(_ start: UnsafeMutableRawPointer, bytes: Int) {
    var offset = 0
    while offset < bytes {
      wf_prefetch(start + offset)
      offset &+= lineBytes
    }
    wf_prefetch(start + (bytes &- 1))
  }
}
