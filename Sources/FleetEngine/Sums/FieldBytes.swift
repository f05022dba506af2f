extension SummedFields {
  /// The byte form: its own length, then the fields in their order.
  package var bytes: [UInt8] {
    var bytes = ByteWriter()
    write(to: &bytes)
    return (consume bytes).finished()
  }

  /// Takes the fields from their byte form, written of a value of the same shape.
  ///
  /// - Throws: where the bytes are not all there, or are of something else; the value is then of no use.
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
    let rows = Row.rows(bytes.count(ofBytes: Row.leastBytes), from: &bytes)
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
