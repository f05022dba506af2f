internal import Platform

/// SipHash-2-4, a hash with a 128-bit key. Without the key, hashes can be neither computed nor reversed by trial and
/// error.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012.
package struct SipHash: Sendable {
  private let key0: UInt64
  private let key1: UInt64

  package init(key0: UInt64, key1: UInt64) { (self.key0, self.key1) = (key0, key1) }

  package func callAsFunction(_ bytes: [UInt8]) -> UInt64 { bytes.withText { self($0) } }

  @inline(__always) func callAsFunction(_ text: Text) -> UInt64 {
    var state = State(key0, key1)
    let raw = UnsafeRawPointer(text.start)
    let whole = text.count & ~7
    var place = 0
    while place < whole {
      state.absorb(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place += 8
    }
    var last = UInt64(truncatingIfNeeded: text.count) << 56
    var shift: UInt64 = 0
    while place < text.count {
      last |= UInt64(text.start[place]) << shift
      (place, shift) = (place + 1, shift + 8)
    }
    state.absorb(last)
    return state.finish()
  }

  private struct State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    @inline(__always) init(_ key0: UInt64, _ key1: UInt64) {
      v0 = key0 ^ 0x736f_6d65_7073_6575
      v1 = key1 ^ 0x646f_7261_6e64_6f6d
      v2 = key0 ^ 0x6c79_6765_6e65_7261
      v3 = key1 ^ 0x7465_6462_7974_6573
    }

    @inline(__always) mutating func absorb(_ word: UInt64) {
      v3 ^= word
      turn()
      turn()
      v0 ^= word
    }

    @inline(__always) mutating func turn() {
      v0 = v0 &+ v1
      v1 = v1 << 13 | v1 >> 51
      v1 ^= v0
      v0 = v0 << 32 | v0 >> 32
      v2 = v2 &+ v3
      v3 = v3 << 16 | v3 >> 48
      v3 ^= v2
      v0 = v0 &+ v3
      v3 = v3 << 21 | v3 >> 43
      v3 ^= v0
      v2 = v2 &+ v1
      v1 = v1 << 17 | v1 >> 47
      v1 ^= v2
      v2 = v2 << 32 | v2 >> 32
    }

    @inline(__always) mutating func finish() -> UInt64 {
      v2 ^= 0xff
      turn()
      turn()
      turn()
      turn()
      return v0 ^ v1 ^ v2 ^ v3
    }
  }
}

/// A map from the sender of a line to a number that is meaningless without the key.
package struct Pseudonyms: Sendable {
  let hash: SipHash

  /// Returns pseudonyms with a random key that is not stored and is lost when the process ends.
  package static func random() -> Pseudonyms {
    var source = SystemRandomNumberGenerator()
    return Pseudonyms(hash: SipHash(key0: source.next(), key1: source.next()))
  }

  /// Creates pseudonyms with a key from a file that contains 16 bytes, or 32 hexadecimal digits and optional white
  /// space; `nil` for anything else.
  package init?(key: [UInt8]) {
    guard let bytes = key.count == 16 ? key : Self.hexadecimal(key) else { return nil }
    let words = [bytes[..<8], bytes[8...]].map { half in
      half.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    hash = SipHash(key0: words[0], key1: words[1])
  }

  private init(hash: SipHash) { self.hash = hash }

  private static func hexadecimal(_ key: [UInt8]) -> [UInt8]? {
    let digits = key.prefix { Letters.hex($0) != nil }.compactMap(Letters.hex)
    guard digits.count == 32, key.dropFirst(32).allSatisfy({ Letters.isSpace($0) || $0 == 0x0A || $0 == 0x0D })
    else { return nil }
    return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Returns the number for a sender, which is never 0.
  @inline(__always) func sender(_ text: Text) -> UInt64 { max(hash(text), 1) }
}

/// A single-threaded cache of results, keyed by the bytes of texts, in which new entries replace old ones.
struct ByteCache<Value: BitwiseCopyable> {
  /// The maximum length of a cached text in bytes; results for longer texts are not cached.
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
  ///   - logarithm: the binary logarithm of the number of entries.
  ///   - unknown: any value, which is stored in unused entries.
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

  /// Returns the cached value for a text; `nil` if there is none.
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

  /// Adds the result for a text to the cache.
  func keep(_ value: Value, of text: Text) {
    guard text.count <= Self.longest else { return }
    let hash = Self.hash(text)
    let place = Int(hash >> 20 & bits)
    entries[place] = Entry(hash: hash, count: Int32(text.count), value: value)
    memcpy(keys + place * Self.longest, text.start, text.count)
  }

  /// Hashes eight bytes at a time; the last eight may overlap the previous ones.
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
