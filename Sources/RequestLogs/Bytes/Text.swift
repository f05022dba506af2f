internal import Platform

/// A part of a buffer of bytes that lives as long as the block of lines that it is in.
struct Text: BitwiseCopyable {
  let start: UnsafePointer<UInt8>
  let count: Int

  init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    assert(count >= 0)
    self.start = start
    self.count = count
  }

  /// Unsafe by its type alone: written before anybody has it, never again, and never freed, any thread may read it.
  private nonisolated(unsafe) static let nowhere: UnsafePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
  }()

  static let emptyStart = Address(nowhere)

  /// No bytes.
  static var empty: Text { Text(emptyStart.pointer, 0) }

  var isEmpty: Bool { count == 0 }
  var end: UnsafePointer<UInt8> { start + count }

  @inline(__always) subscript(index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return start[index]
  }

  /// The bytes from one place up to before another.
  @inline(__always) func slice(_ from: Int, _ to: Int) -> Text {
    assert(from >= 0 && from <= to && to <= count)
    return Text(start + from, to - from)
  }

  @inline(__always) func from(_ place: Int) -> Text { slice(place, count) }
  @inline(__always) func upTo(_ place: Int) -> Text { slice(0, place) }

  /// Where a byte comes next; nil: no more.
  @inline(__always) func place(of byte: UInt8, from: Int = 0) -> Int? {
    assert(from >= 0 && from <= count)
    guard let found = memchr(start + from, Int32(byte), count - from) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  func place(of word: StaticString) -> Int? { place(of: Text(word.utf8Start, word.utf8CodeUnitCount)) }

  /// Where some bytes come next; nil: no more.
  func place(of part: Text, from: Int = 0) -> Int? {
    guard !part.isEmpty else { return from }
    var place = from
    while place + part.count <= count, let found = self.place(of: part[0], from: place) {
      if found + part.count <= count, memcmp(start + found, part.start, part.count) == 0 { return found }
      place = found + 1
    }
    return nil
  }

  @inline(__always) static func == (left: Text, right: Text) -> Bool {
    left.count == right.count && memcmp(left.start, right.start, left.count) == 0
  }

  @inline(__always) func hasPrefix(_ word: StaticString) -> Bool {
    word.utf8CodeUnitCount <= count && memcmp(start, word.utf8Start, word.utf8CodeUnitCount) == 0
  }

  func hasSuffix(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    return length <= count && memcmp(end - length, word.utf8Start, length) == 0
  }

  @inline(__always) static func == (left: Text, right: StaticString) -> Bool {
    left.count == right.utf8CodeUnitCount && memcmp(left.start, right.utf8Start, left.count) == 0
  }

  func contains(_ word: StaticString) -> Bool {
    place(of: word) != nil
  }

  /// Whether a word in small letters is in the text, in letters of any size.
  func containsAnyCase(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard length <= count else { return false }
    return (0...count - length).contains { place in
      (0..<length).allSatisfy { Letters.lower(start[place + $0]) == word.utf8Start[$0] }
    }
  }

  /// Without spaces and tabs at either end.
  var trimmed: Text {
    var (from, to) = (0, count)
    while from < to, Letters.isSpace(start[from]) { from += 1 }
    while to > from, Letters.isSpace(start[to - 1]) { to -= 1 }
    return slice(from, to)
  }

  /// What formats write where they have no value.
  var isNone: Bool { isEmpty || count == 1 && start[0] == UInt8(ascii: "-") }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
  var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// A place in memory that every thread may know.
///
/// Unchecked for its pointer alone: what it points to is written before anybody has it, never again, and never freed.
struct Address: @unchecked Sendable {
  let pointer: UnsafePointer<UInt8>

  init(_ pointer: UnsafePointer<UInt8>) { self.pointer = pointer }
}

/// Letters and digits of ASCII.
enum Letters {
  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
  @inline(__always) static func lower(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }
  @inline(__always) static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
  static func isLetter(_ byte: UInt8) -> Bool { lower(byte) &- UInt8(ascii: "a") < 26 }

  /// The value of a hexadecimal digit; nil: it is none.
  @inline(__always) static func hex(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte - UInt8(ascii: "0") }
    let letter = lower(byte) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }
}

extension StaticString {
  var text: Text { Text(utf8Start, utf8CodeUnitCount) }
}

extension [UInt8] {
  /// Calls with the bytes as a text, which lives as long as the call.
  func withText<Result, Failure: Error>(_ body: (Text) throws(Failure) -> Result) throws(Failure) -> Result {
    try withUnsafeBufferPointer { bytes throws(Failure) in
      guard let start = bytes.baseAddress else { return try body(.empty) }
      return try body(Text(start, bytes.count))
    }
  }
}
