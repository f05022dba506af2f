public import CProcessor

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

/// A list prepared once per scenario and read by every thread: a view that retains nothing.
///
/// The memory belongs to a `SamplerStorage`, which must outlive it.
///
/// Unchecked for its pointer alone: what it points to is written before anybody has it, and never again.
public struct PreparedList<Element: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer: what it points to is written before the list exists and never changed.

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

  /// An element where it lies, for elements so large that a copy of them costs.
  @inlinable public func element(at index: Int) -> Prepared<Element> {
    assert(index >= 0 && index < count, "index out of range")
    return Prepared(at: start + index)
  }

  /// The number of elements that `belongs` accepts at the front of a list that is partitioned by it; O(log count).
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

/// Asks for memory ahead of its use, so that waiting for it and working on something else overlap.
public enum Prefetch {
  @usableFromInline static var lineBytes: Int { Int(WF_CACHE_LINE) }

  /// The line of an address; no address is wrong.
  @inlinable @inline(__always)
  public static func line(_ address: UnsafeMutableRawPointer) { wf_prefetch(address) }

  /// The lines of a block, wherever it begins.
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
