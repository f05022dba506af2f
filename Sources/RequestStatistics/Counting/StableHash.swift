/// A hash without a secret that is the same in every process.
///
/// FNV-1a of 64 bits, mixed so that every bit of the result depends on every byte. Source: the FNV draft of Eastlake and
/// others; the finaliser of MurmurHash3.
package struct StableHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  /// Its four bytes, the lowest first.
  package mutating func add(_ word: UInt32) {
    for place in 0..<4 { add(UInt8(truncatingIfNeeded: word >> (8 * place))) }
  }

  package var value: UInt64 {
    var hash = (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }

  package static func of(_ bytes: [UInt8]) -> UInt64 {
    var hash = Self()
    for byte in bytes { hash.add(byte) }
    return hash.value
  }

  package static func of(_ words: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)) -> UInt64 {
    var hash = Self()
    hash.add(words.0)
    hash.add(words.1)
    hash.add(words.2)
    hash.add(words.3)
    hash.add(words.4)
    hash.add(words.5)
    return hash.value
  }

  package static func of(_ word: UInt32) -> UInt64 {
    var hash = Self()
    hash.add(word)
    return hash.value
  }
}
