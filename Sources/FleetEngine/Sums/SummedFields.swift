/// A sum of several fields, each of which is named once: its `+=`, its bytes and their reader follow from the list.
package protocol SummedFields: Summed {
  /// Names every stored field, in the order of the bytes.
  static func list(_ fields: inout some FieldList<Self>)
}

/// What is done with each field of a value: it is added, written or read.
package protocol FieldList<Root> {
  associatedtype Root

  /// A field that is added up.
  mutating func sum<Value: Summed>(_ field: WritableKeyPath<Root, Value>)
  /// Counts whose last ones may be left out where they are 0: the sum has as many as the longer list.
  mutating func sumOpen(_ field: WritableKeyPath<Root, [Int64]>)
  /// Rows in ascending order of their places, of which each part has some; those of the same place are added up.
  mutating func merge<Row: SummedRow>(_ field: WritableKeyPath<Root, [Row]>)
  /// What a row is about.
  mutating func place<Number: FixedWidthInteger & BitwiseCopyable>(_ field: WritableKeyPath<Root, Number>)
  mutating func place<Name: RawRepresentable<UInt8>>(_ field: WritableKeyPath<Root, Name>)
  /// What the fields are about: a sum keeps that of its left side, and bytes are read only where it is the same.
  mutating func label(_ field: KeyPath<Root, Int>)
  /// A field that is made of the whole sum, and is neither added up nor written.
  mutating func derived<Value>(_ field: WritableKeyPath<Root, Value>)
}

/// A row of a list of which each part of a sum has some.
package protocol SummedRow: SummedFields {
  /// Counts nothing, at any place.
  static var blank: Self { get }
  /// Whether the place of one comes before that of the other.
  func precedes(_ other: Self) -> Bool
  /// Writes rows one after the other.
  static func write(_ rows: ArraySlice<Self>, to bytes: inout ByteWriter)
  /// Reads so many rows; fewer where there are no more.
  static func rows(_ count: Int, from bytes: inout ByteReader) -> [Self]
  /// Bytes that a row takes at least.
  static var leastBytes: Int { get }
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

  package static var leastBytes: Int { 1 }
}

extension SummedFields {
  package static func += (left: inout Self, right: Self) { left.add(right) }

  package mutating func add(_ other: Self) {
    var sum = FieldSum(left: consume self, right: other)
    Self.list(&sum)
    self = sum.left
  }
}

/// The addition of a value's fields to those of another.
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
