/// One of a few values, each with its share of the uniforms of 64 bits.
///
/// A view: the memory belongs to a `SamplerStorage`, which must outlive it. Values ascend, so that a larger uniform
/// never gives a smaller value. Linear in the number of values.
///
/// Unchecked for its pointer alone: what it points to is written before anybody has it, and never again.
public struct ChoiceTable<Value: BitwiseCopyable & Sendable>: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer: what it points to is written before the table exists and never changed.

  /// A value and the uniform from which on the next value is meant.
  public struct Entry: BitwiseCopyable, Sendable {
    public var value: Value
    /// The first uniform that belongs to a later entry; not looked at in the last entry.
    public var end: UInt64

    @inlinable public init(value: Value, end: UInt64) {
      self.value = value
      self.end = end
    }
  }

  @usableFromInline let entries: UnsafePointer<Entry>
  @usableFromInline let last: Int

  /// A view of `count` entries, at least one, with ascending ends.
  public init(entries: UnsafePointer<Entry>, count: Int) {
    precondition(count > 0, "a choice has at least one value")
    self.entries = entries
    last = count - 1
  }

  /// The value that the uniform `u` falls on.
  @inlinable public func value(at u: UInt64) -> Value {
    var index = 0
    while index < last && u >= entries[index].end { index &+= 1 }
    return entries[index].value
  }
}
