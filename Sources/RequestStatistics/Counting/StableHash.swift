/// A hash without a secret that is the same in every process.
package enum StableHash {
  /// FNV-1a of 64 bits, mixed so that every bit of the result depends on every byte.
  ///
  /// Source: the FNV draft of Eastlake and others; the finaliser of MurmurHash3.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }
}
