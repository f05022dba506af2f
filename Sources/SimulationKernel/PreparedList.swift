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
