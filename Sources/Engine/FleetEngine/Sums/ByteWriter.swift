/// A writer that encodes numbers and strings in little-endian byte order, preceded by the total number of bytes.
package struct ByteWriter {
  private var bytes = [UInt8](repeating: 0, count: 8)

  package init() {}

  @inline(__always)
  mutating func write<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ texts: [String]) {
    write(texts.count)
    for text in texts {
      write(text.utf8.count)
      bytes += Array(text.utf8)
    }
  }

  package mutating func write(_ more: [UInt8]) { bytes += more }

  /// Writes a number in as few bytes as possible: seven bits of the number per byte, with a final bit for the sign.
  package mutating func write(short number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a number in as few bytes as possible if it is an integer, otherwise in nine bytes.
  package mutating func write(real number: Double) {
    if let whole = Int64(exactly: number), whole.magnitude < 1 << 53, number.bitPattern != (-0.0).bitPattern {
      return write(short: whole << 1 | 1)
    }
    write(short: 0)
    write(number.bitPattern)
  }

  /// Writes values by copying their memory representation.
  mutating func write<Value: BitwiseCopyable>(memoryOf values: ArraySlice<Value>) {
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Returns all bytes written so far, preceded by their number.
  ///
  /// - Parameter more: the number of bytes that will follow in the reader's input.
  package consuming func finished(followedBy more: Int = 0) -> [UInt8] {
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: UInt64($0.count + more).littleEndian, as: UInt64.self) }
    return bytes
  }
}

/// The reason why bytes could not be read.
package enum ByteError: Error, Hashable, Sendable {
  /// The number of bytes differs from the number that was written.
  case cut
  /// The bytes do not represent the expected value.
  case foreign
}

/// A reader for bytes written by a `ByteWriter`. After a failure, all numbers are read as 0.
package struct ByteReader {
  private let bytes: [UInt8]
  private var place = 0
  private var failure: ByteError?

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    expect(bytes.count)
    if hasFailed { failure = .cut }
  }

  /// Creates a reader for the bytes of rows, which are not preceded by a byte count.
  package init(rowsIn bytes: [UInt8]) { self.bytes = bytes }

  package var hasFailed: Bool { failure != nil }

  /// Records a failure; only the first failure is kept.
  package mutating func fail(_ reason: ByteError) { failure = failure ?? reason }

  @inline(__always)
  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() -> Number {
    let size = MemoryLayout<Number>.size
    guard failure == nil, bytes.count - place >= size else {
      fail(.cut)
      return 0
    }
    defer { place += size }
    return Number(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) })
  }

  /// Reads a number written by `write(short:)`.
  package mutating func shortNumber() -> Int64 {
    var (rest, shift) = (UInt64(0), UInt64(0))
    while true {
      guard failure == nil, place < bytes.count, shift < 64 else {
        fail(.cut)
        return 0
      }
      rest |= UInt64(bytes[place] & 0x7F) << shift
      place += 1
      if bytes[place - 1] < 0x80 { break }
      shift += 7
    }
    return Int64(bitPattern: rest >> 1) ^ -Int64(rest & 1)
  }

  /// Reads a number written by `write(real:)`.
  package mutating func real() -> Double {
    let whole = shortNumber()
    return whole & 1 == 1 ? Double(whole >> 1) : Double(bitPattern: number())
  }

  /// Reads a number, and fails if it differs from `number`.
  mutating func expect(_ number: Int) { if self.number() != number { fail(.foreign) } }

  /// Reads the number of elements that follow, each at least `size` bytes long; returns 0 after a failure.
  mutating func count(ofBytes size: Int) -> Int {
    let count: Int = number()
    guard count >= 0, count <= (bytes.count - place) / size else {
      fail(.foreign)
      return 0
    }
    return count
  }

  /// Reads `count` values by copying their memory representation; returns an empty array after a failure.
  mutating func values<Value: BitwiseCopyable>(_ count: Int, like blank: Value) -> [Value] {
    let size = MemoryLayout<Value>.stride
    guard failure == nil, count <= (bytes.count - place) / size else {
      fail(.cut)
      return []
    }
    // All empty arrays share one memory location, which threads must not write to, even if its value stays the same.
    guard count > 0 else { return [] }
    defer { place += count * size }
    return Array(unsafeUninitializedCapacity: count) { values, initialized in
      values.initialize(repeating: blank)
      UnsafeMutableRawBufferPointer(values).copyBytes(from: bytes[place..<place + count * size])
      initialized = count
    }
  }

  mutating func texts() -> [String] {
    (0..<count(ofBytes: 8)).map { _ in
      let end = place + 8
      let length = count(ofBytes: 1)
      defer { place += length }
      return String(decoding: hasFailed ? [] : bytes[end..<end + length], as: UTF8.self)
    }
  }

  /// Reads `count` bytes; returns an empty slice after a failure.
  package mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
    guard failure == nil, count >= 0, count <= bytes.count - place else {
      fail(.cut)
      return []
    }
    defer { place += count }
    return bytes[place..<place + count]
  }

  /// The number of unread bytes.
  package var left: Int { bytes.count - place }

  /// Reads all remaining bytes.
  mutating func rest() -> [UInt8] {
    defer { place = bytes.count }
    return Array(bytes[place...])
  }

  /// Checks that all bytes have been read.
  ///
  /// - Throws: the error of an earlier failure, or an error if unread bytes are left.
  package func end() throws(ByteError) {
    if let failure { throw failure }
    guard place == bytes.count else { throw .foreign }
  }
}
