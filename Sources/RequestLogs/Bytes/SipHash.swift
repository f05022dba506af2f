/// SipHash-2-4: a hash under a key of 128 bits, which nobody without the key can compute or reverse by trying.
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
