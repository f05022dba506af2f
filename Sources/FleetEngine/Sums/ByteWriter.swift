/// Numbers and texts as bytes, least significant byte first, after the number of all bytes.
package struct ByteWriter {
  private var bytes = [UInt8](repeating: 0, count: 8)

  init() {}

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

  mutating func write(_ more: [UInt8]) { bytes += more }

  /// Writes values as they lie in memory.
  mutating func write<Value: BitwiseCopyable>(memoryOf values: ArraySlice<Value>) {
    values.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// All that was written.
  ///
  /// - Parameter more: bytes that its reader gets behind it.
  consuming func finished(followedBy more: Int = 0) -> [UInt8] {
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: UInt64($0.count + more).littleEndian, as: UInt64.self) }
    return bytes
  }
}

/// Why bytes cannot be read.
package enum ByteError: Error, Hashable, Sendable {
  /// There are fewer or more than were written.
  case cut
  /// They are of something else.
  case foreign
}

/// Reads what a `ByteWriter` wrote; after a failure all numbers are 0.
package struct ByteReader {
  private let bytes: [UInt8]
  private var place = 0
  private var failure: ByteError?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    expect(bytes.count)
    if hasFailed { failure = .cut }
  }

  /// Reads values alone, before which nothing says how many bytes there are.
  init(rowsIn bytes: [UInt8]) { self.bytes = bytes }

  var hasFailed: Bool { failure != nil }

  /// Keeps the first reason.
  mutating func fail(_ reason: ByteError) { failure = failure ?? reason }

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

  /// Reads a number that must be this one.
  mutating func expect(_ number: Int) { if self.number() != number { fail(.foreign) } }

  /// How many elements follow, each of at least so many bytes; 0 after a failure.
  mutating func count(ofBytes size: Int) -> Int {
    let count: Int = number()
    guard count >= 0, count <= (bytes.count - place) / size else {
      fail(.foreign)
      return 0
    }
    return count
  }

  /// Reads so many values as they lay in memory; none after a failure.
  mutating func values<Value: BitwiseCopyable>(_ count: Int, like blank: Value) -> [Value] {
    let size = MemoryLayout<Value>.stride
    guard failure == nil, count <= (bytes.count - place) / size else {
      fail(.cut)
      return []
    }
    // All empty arrays are one in memory, which threads must not write to, be it the same.
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

  /// All that is left.
  mutating func rest() -> [UInt8] {
    defer { place = bytes.count }
    return Array(bytes[place...])
  }

  /// - Throws: why something could not be read, or that something is left.
  func end() throws(ByteError) {
    if let failure { throw failure }
    guard place == bytes.count else { throw .foreign }
  }
}
