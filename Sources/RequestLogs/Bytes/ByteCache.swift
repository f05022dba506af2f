internal import Platform

/// What was found out about texts, by their bytes: a table of one thread that forgets what others displace.
struct ByteCache<Value: BitwiseCopyable> {
  /// Bytes of a text that is kept; what is longer is found out each time.
  static var longest: Int { 256 }

  private struct Entry {
    var hash: UInt64
    var count: Int32
    var value: Value
  }

  private let bits: UInt64
  private let entries: UnsafeMutablePointer<Entry>
  private let keys: UnsafeMutablePointer<UInt8>
  private let count: Int

  /// - Parameters:
  ///   - logarithm: two to this power are kept.
  ///   - unknown: any value, for places that are free.
  init(logarithm: Int, unknown: Value) {
    count = 1 << logarithm
    bits = UInt64(count - 1)
    entries = .allocate(capacity: count)
    entries.initialize(repeating: Entry(hash: 0, count: -1, value: unknown), count: count)
    keys = .allocate(capacity: count * Self.longest)
  }

  func free() {
    entries.deallocate()
    keys.deallocate()
  }

  /// What is known of a text; nil: nothing, any more.
  @inline(__always) subscript(text: Text) -> Value? {
    guard text.count <= Self.longest else { return nil }
    let hash = Self.hash(text)
    let place = Int(hash >> 20 & bits)
    let entry = entries + place
    let isKnown =
      entry.pointee.hash == hash && Int(entry.pointee.count) == text.count
      && memcmp(keys + place * Self.longest, text.start, text.count) == 0
    return isKnown ? entry.pointee.value : nil
  }

  /// Keeps what was found out.
  func keep(_ value: Value, of text: Text) {
    guard text.count <= Self.longest else { return }
    let hash = Self.hash(text)
    let place = Int(hash >> 20 & bits)
    entries[place] = Entry(hash: hash, count: Int32(text.count), value: value)
    memcpy(keys + place * Self.longest, text.start, text.count)
  }

  /// Eight bytes at a time; the last eight may overlap those before.
  @inline(__always) private static func hash(_ text: Text) -> UInt64 {
    let raw = UnsafeRawPointer(text.start)
    var hash = UInt64(truncatingIfNeeded: text.count) &* 0x9E37_79B9_7F4A_7C15
    guard text.count >= 8 else {
      for index in 0..<text.count { hash = (hash ^ UInt64(text.start[index])) &* 0x0000_0100_0000_01B3 }
      return hash ^ hash >> 29
    }
    var place = 0
    while place + 8 < text.count {
      hash = (hash ^ raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
      place += 8
    }
    hash = (hash ^ raw.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 29
  }
}
