/// A value that consists of several summed fields. A single list of the fields defines addition with `+=`,
/// serialization and deserialization.
package protocol SummedFields: Summed {
  /// Lists all stored fields in the order of their serialization.
  static func list(_ fields: inout some FieldList<Self>)
}

/// An operation applied to each field of a value, such as addition, writing or reading.
package protocol FieldList<Root> {
  associatedtype Root

  /// Handles a field whose values are summed.
  mutating func sum<Value: Summed>(_ field: WritableKeyPath<Root, Value>)
  /// Handles a list of counts without trailing zeros. The sum of two lists is as long as the longer one.
  mutating func sumOpen(_ field: WritableKeyPath<Root, [Int64]>)
  /// Handles rows sorted by position, of which each summand may contain only some. Rows at the same position are
  /// summed.
  mutating func merge<Row: SummedRow>(_ field: WritableKeyPath<Root, [Row]>)
  /// Handles a field that is part of a row's position.
  mutating func place<Number: FixedWidthInteger & BitwiseCopyable>(_ field: WritableKeyPath<Root, Number>)
  mutating func place<Name: RawRepresentable<UInt8>>(_ field: WritableKeyPath<Root, Name>)
  /// Handles a field that identifies the value. A sum keeps the left operand's value, and a reader checks that the
  /// values match.
  mutating func label(_ field: KeyPath<Root, Int>)
  /// Handles a field that is derived from the complete sum, and is neither summed nor serialized.
  mutating func derived<Value>(_ field: WritableKeyPath<Root, Value>)
}

/// A row of a list in which each summand may contain only some of the rows.
package protocol SummedRow: SummedFields {
  /// A row with all counts zero, at an arbitrary position.
  static var blank: Self { get }
  /// Whether this row's position precedes that of another row.
  func precedes(_ other: Self) -> Bool
  /// Writes rows one after another.
  static func write(_ rows: ArraySlice<Self>, to bytes: inout ByteWriter)
  /// Reads `count` rows, or all remaining rows if there are fewer.
  static func rows(_ count: Int, from bytes: inout ByteReader) -> [Self]
  /// The minimum size of a row in bytes.
  static var minBytes: Int { get }
}

extension SummedRow {
  package static func write(_ rows: ArraySlice<Self>, to bytes: inout ByteWriter) {
    for row in rows { row.write(to: &bytes) }
  }

  package static func rows(_ count: Int, from bytes: inout ByteReader) -> [Self] {
    var rows: [Self] = []
    for _ in 0..<count where !bytes.hasFailed {
      var row = blank
      row.read(from: &bytes)
      rows.append(row)
    }
    return rows
  }

  package static var minBytes: Int { 1 }
}

extension SummedFields {
  package static func += (left: inout Self, right: Self) { left.add(right) }

  package mutating func add(_ other: Self) {
    var sum = FieldSum(left: consume self, right: other)
    Self.list(&sum)
    self = sum.left
  }

  /// The serialized value: its length, followed by its fields in order.
  package var bytes: [UInt8] {
    var bytes = ByteWriter()
    write(to: &bytes)
    return (consume bytes).finished()
  }

  /// Reads the fields from the serialized form of a value with the same dimensions.
  ///
  /// - Throws: an error if bytes are missing or represent a different kind of value. The value must not be used
  ///   afterwards.
  package mutating func read(_ bytes: [UInt8]) throws(ByteError) {
    var reader = ByteReader(bytes)
    read(from: &reader)
    try reader.end()
  }

  package func write(to bytes: inout ByteWriter) {
    var writer = FieldWriter(root: self, bytes: consume bytes)
    Self.list(&writer)
    bytes = writer.bytes
  }

  package mutating func read(from bytes: inout ByteReader) {
    var reader = FieldReader(root: consume self, bytes: consume bytes)
    Self.list(&reader)
    self = reader.root
    bytes = reader.bytes
  }
}

/// An operation that adds the fields of one value to those of another value.
private struct FieldSum<Root>: FieldList {
  var left: Root
  let right: Root

  @inline(__always)
  mutating func sum<Value: Summed>(_ field: WritableKeyPath<Root, Value>) {
    left[keyPath: field].add(right[keyPath: field])
  }

  mutating func sumOpen(_ field: WritableKeyPath<Root, [Int64]>) {
    Self.addOpen(right[keyPath: field], to: &left[keyPath: field])
  }

  private static func addOpen(_ right: [Int64], to left: inout [Int64]) {
    if left.count < right.count { left += Array(repeating: 0, count: right.count - left.count) }
    for index in right.indices { left[index] += right[index] }
  }

  mutating func merge<Row: SummedRow>(_ field: WritableKeyPath<Root, [Row]>) {
    left[keyPath: field] = Self.merged(left[keyPath: field], right[keyPath: field])
  }

  private static func merged<Row: SummedRow>(_ left: [Row], _ right: [Row]) -> [Row] {
    guard !left.isEmpty, !right.isEmpty else { return left.isEmpty ? right : left }
    var rows: [Row] = []
    rows.reserveCapacity(max(left.count, right.count))
    var rest = right[...]
    for row in left {
      while let next = rest.first, next.precedes(row) {
        rows.append(next)
        rest = rest.dropFirst()
      }
      rows.append(row)
      guard let next = rest.first, !row.precedes(next) else { continue }
      rows[rows.count - 1] += next
      rest = rest.dropFirst()
    }
    return rows + rest
  }

  func place<Number: FixedWidthInteger & BitwiseCopyable>(_ field: WritableKeyPath<Root, Number>) {}
  func place<Name: RawRepresentable<UInt8>>(_ field: WritableKeyPath<Root, Name>) {}

  func label(_ field: KeyPath<Root, Int>) {}
  func derived<Value>(_ field: WritableKeyPath<Root, Value>) {}
}

/// A value that can be serialized, and summed in any order.
///
/// It consists only of integers, so the serialized form of a sum does not depend on the order of summation.
package protocol Summed {
  mutating func add(_ other: Self)
  func write(to bytes: inout ByteWriter)
  /// Reads this value from the serialized form of a value with the same dimensions.
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

/// Arrays are summed element by element, and must have the same number of elements in each summand.
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

private struct FieldWriter<Root>: FieldList {
  let root: Root
  var bytes: ByteWriter

  @inline(__always)
  mutating func sum<Value: Summed>(_ field: WritableKeyPath<Root, Value>) {
    root[keyPath: field].write(to: &bytes)
  }

  mutating func sumOpen(_ field: WritableKeyPath<Root, [Int64]>) { root[keyPath: field].write(to: &bytes) }

  mutating func merge<Row: SummedRow>(_ field: WritableKeyPath<Root, [Row]>) {
    let rows = root[keyPath: field]
    bytes.write(rows.count)
    Row.write(rows[...], to: &bytes)
  }

  @inline(__always)
  mutating func place<Number: FixedWidthInteger & BitwiseCopyable>(_ field: WritableKeyPath<Root, Number>) {
    bytes.write(root[keyPath: field])
  }

  @inline(__always)
  mutating func place<Name: RawRepresentable<UInt8>>(_ field: WritableKeyPath<Root, Name>) {
    bytes.write(root[keyPath: field].rawValue)
  }

  mutating func label(_ field: KeyPath<Root, Int>) { bytes.write(root[keyPath: field]) }
  func derived<Value>(_ field: WritableKeyPath<Root, Value>) {}
}

private struct FieldReader<Root>: FieldList {
  var root: Root
  var bytes: ByteReader

  @inline(__always)
  mutating func sum<Value: Summed>(_ field: WritableKeyPath<Root, Value>) {
    root[keyPath: field].read(from: &bytes)
  }

  mutating func sumOpen(_ field: WritableKeyPath<Root, [Int64]>) {
    var counts = Array(repeating: Int64(0), count: bytes.count(ofBytes: 8))
    for index in counts.indices { counts[index] = bytes.number() }
    root[keyPath: field] = counts
  }

  mutating func merge<Row: SummedRow>(_ field: WritableKeyPath<Root, [Row]>) {
    let rows = Row.rows(bytes.count(ofBytes: Row.minBytes), from: &bytes)
    if rows.indices.dropFirst().contains(where: { !rows[$0 - 1].precedes(rows[$0]) }) { bytes.fail(.foreign) }
    root[keyPath: field] = rows
  }

  @inline(__always)
  mutating func place<Number: FixedWidthInteger & BitwiseCopyable>(_ field: WritableKeyPath<Root, Number>) {
    root[keyPath: field] = bytes.number()
  }

  @inline(__always)
  mutating func place<Name: RawRepresentable<UInt8>>(_ field: WritableKeyPath<Root, Name>) {
    guard let name = Name(rawValue: bytes.number()) else { return bytes.fail(.foreign) }
    root[keyPath: field] = name
  }

  mutating func label(_ field: KeyPath<Root, Int>) { bytes.expect(root[keyPath: field]) }
  func derived<Value>(_ field: WritableKeyPath<Root, Value>) {}
}
