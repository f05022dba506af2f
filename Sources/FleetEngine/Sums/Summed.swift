/// What adds up in any order, and how it is written as bytes and read again.
///
/// Integers, and what is made of integers alone: whoever adds the parts, the bytes of the sum are the same.
package protocol Summed {
  mutating func add(_ other: Self)
  func write(to bytes: inout ByteWriter)
  /// Takes what was written of a value of the same shape.
  mutating func read(from bytes: inout ByteReader)
}

extension Summed where Self: FixedWidthInteger & BitwiseCopyable {
  @inline(__always)
  package mutating func add(_ other: Self) { self += other }

  @inline(__always)
  package func write(to bytes: inout ByteWriter) { bytes.write(self) }

  @inline(__always)
  package mutating func read(from bytes: inout ByteReader) { self = bytes.number() }
}

extension UInt32: Summed {}
extension Int64: Summed {}
extension Int128: Summed {}

/// As many elements in every part.
extension Array: Summed where Element: Summed {
  package mutating func add(_ other: [Element]) {
    precondition(count == other.count, "parts of one sum have the same shape")
    for index in indices { self[index].add(other[index]) }
  }

  package func write(to bytes: inout ByteWriter) {
    bytes.write(count)
    for element in self { element.write(to: &bytes) }
  }

  package mutating func read(from bytes: inout ByteReader) {
    bytes.expect(count)
    for index in indices where !bytes.hasFailed { self[index].read(from: &bytes) }
  }
}

extension InlineArray: Summed where Element: Summed {
  package mutating func add(_ other: Self) {
    for index in indices { self[index].add(other[index]) }
  }

  package func write(to bytes: inout ByteWriter) {
    for index in indices { self[index].write(to: &bytes) }
  }

  package mutating func read(from bytes: inout ByteReader) {
    for index in indices { self[index].read(from: &bytes) }
  }
}
