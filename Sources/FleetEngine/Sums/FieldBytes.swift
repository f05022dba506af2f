extension SummedFields {
  /// The byte form: its own length, then the fields in their order.
  package var bytes: [UInt8] {
    var bytes = ByteWriter()
    write(to: &bytes)
    return bytes.finished
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
    withUnsafePointer(to: self) { root in
      withUnsafeMutablePointer(to: &bytes) { bytes in
        var writer = FieldWriter(root: root, bytes: bytes)
        Self.list(&writer)
      }
    }
  }

  package mutating func read(from bytes: inout ByteReader) {
    withUnsafeMutablePointer(to: &self) { root in
      withUnsafeMutablePointer(to: &bytes) { bytes in
        var reader = FieldReader(root: root, bytes: bytes)
        Self.list(&reader)
      }
    }
  }
}

private struct FieldWriter<Root>: FieldList {
  let root: UnsafePointer<Root>
  let bytes: UnsafeMutablePointer<ByteWriter>

  @inline(__always)
  func sum<Value: Summed>(_ field: WritableKeyPath<Root, Value>) {
    root.pointee[keyPath: field].write(to: &bytes.pointee)
  }

  func sumOpen(_ field: WritableKeyPath<Root, [Int64]>) { root.pointee[keyPath: field].write(to: &bytes.pointee) }

  func merge<Row: SummedRow>(_ field: WritableKeyPath<Root, [Row]>) {
    root.pointee[keyPath: field].write(to: &bytes.pointee)
  }

  @inline(__always)
  func place<Number: FixedWidthInteger & BitwiseCopyable>(_ field: WritableKeyPath<Root, Number>) {
    bytes.pointee.write(root.pointee[keyPath: field])
  }

  @inline(__always)
  func place<Name: RawRepresentable<UInt8>>(_ field: WritableKeyPath<Root, Name>) {
    bytes.pointee.write(root.pointee[keyPath: field].rawValue)
  }

  func label(_ field: KeyPath<Root, Int>) { bytes.pointee.write(root.pointee[keyPath: field]) }
  func derived<Value>(_ field: WritableKeyPath<Root, Value>) {}
}

private struct FieldReader<Root>: FieldList {
  let root: UnsafeMutablePointer<Root>
  let bytes: UnsafeMutablePointer<ByteReader>

  @inline(__always)
  func sum<Value: Summed>(_ field: WritableKeyPath<Root, Value>) {
    root.pointee[keyPath: field].read(from: &bytes.pointee)
  }

  func sumOpen(_ field: WritableKeyPath<Root, [Int64]>) {
    var counts = Array(repeating: Int64(0), count: bytes.pointee.count(ofBytes: 8))
    for index in counts.indices { counts[index] = bytes.pointee.number() }
    root.pointee[keyPath: field] = counts
  }

  func merge<Row: SummedRow>(_ field: WritableKeyPath<Root, [Row]>) {
    let count = bytes.pointee.count(ofBytes: 1)
    var rows: [Row] = []
    for _ in 0..<count where !bytes.pointee.hasFailed {
      var row = Row.blank
      row.read(from: &bytes.pointee)
      if let last = rows.last, !last.precedes(row) { bytes.pointee.fail(.foreign) }
      rows.append(row)
    }
    root.pointee[keyPath: field] = rows
  }

  @inline(__always)
  func place<Number: FixedWidthInteger & BitwiseCopyable>(_ field: WritableKeyPath<Root, Number>) {
    root.pointee[keyPath: field] = bytes.pointee.number()
  }

  @inline(__always)
  func place<Name: RawRepresentable<UInt8>>(_ field: WritableKeyPath<Root, Name>) {
    guard let name = Name(rawValue: bytes.pointee.number()) else { return bytes.pointee.fail(.foreign) }
    root.pointee[keyPath: field] = name
  }

  func label(_ field: KeyPath<Root, Int>) { bytes.pointee.expect(root.pointee[keyPath: field]) }
  func derived<Value>(_ field: WritableKeyPath<Root, Value>) {}
}
