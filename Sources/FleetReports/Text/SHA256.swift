/// SHA-256 as FIPS 180-4 defines it (sections 4.1.2, 5.1.1, 6.2).
///
/// A message may come piece by piece.
package struct SHA256 {
  private var state: InlineArray<8, UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// What does not make a whole block yet.
  private var rest: [UInt8] = []
  /// Bytes that came, in all.
  private var count: UInt64 = 0

  package init() {}

  /// Takes the next piece of the message.
  package mutating func add(_ piece: [UInt8]) {
    count += UInt64(piece.count)
    take(rest.isEmpty ? piece : rest + piece)
  }

  /// The digest of what came, 32 bytes.
  package var digest: [UInt8] {
    var whole = self
    whole.take(ending)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for index in whole.state.indices {
      for shift in stride(from: UInt32(24), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: whole.state[index] >> shift))
      }
    }
    return bytes
  }

  /// The digest of what came in lower-case hexadecimal.
  package var hexadecimal: String { digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  /// The digest of `message`, 32 bytes.
  package static func digest(of message: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.add(message)
    return hash.digest
  }

  /// The digest of `message` in lower-case hexadecimal.
  package static func hexadecimal(of message: [UInt8]) -> String {
    var hash = SHA256()
    hash.add(message)
    return hash.hexadecimal
  }

  /// The digest of `message` in base 64, as content security policies want it.
  package static func base64(of message: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let digest = digest(of: message)
    return stride(from: 0, to: digest.count, by: 3).map { start in
      let triple = (0..<3).map { start + $0 < digest.count ? Int(digest[start + $0]) : 0 }
      let bits = triple[0] << 16 | triple[1] << 8 | triple[2]
      let letters = [18, 12, 6, 0].map { alphabet[bits >> $0 & 63] }
      return String(letters.prefix(min(digest.count - start, 3) + 1)) + (start + 2 < digest.count ? "" : "=")
    }.joined()
  }

  /// Takes the whole blocks of some bytes, and keeps those after them.
  private mutating func take(_ bytes: [UInt8]) {
    // In place: a run with feedback seals every step.
    var words = InlineArray<64, UInt32>(repeating: 0)
    let constants = Self.constants
    let end = bytes.count / 64 * 64
    for block in stride(from: 0, to: end, by: 64) {
      Self.schedule(bytes, from: block, into: &words)
      Self.compress(words, constants, into: &state)
    }
    rest = end < bytes.count ? Array(bytes[end...]) : []
  }

  /// What is left of the message and what ends it: a whole number of blocks.
  private var ending: [UInt8] {
    var bytes = rest
    bytes.reserveCapacity(128)
    bytes.append(0x80)
    bytes.append(contentsOf: repeatElement(0, count: (119 - rest.count) % 64))
    let bits = count * 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    return bytes
  }

  private static func compress(
    _ words: InlineArray<64, UInt32>, _ constants: InlineArray<64, UInt32>, into state: inout InlineArray<8, UInt32>
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for round in 0..<64 {
      let first = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (e & f ^ ~e & g)
      let one = first &+ constants[round] &+ words[round]
      let two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  private static func schedule(_ message: [UInt8], from start: Int, into words: inout InlineArray<64, UInt32>) {
    for index in 0..<16 {
      let byte = start + 4 * index
      words[index] =
        UInt32(message[byte]) << 24 | UInt32(message[byte + 1]) << 16 | UInt32(message[byte + 2]) << 8
        | UInt32(message[byte + 3])
    }
    for index in 16..<64 {
      let (near, far) = (words[index - 2], words[index - 15])
      let small = rotate(far, 7) ^ rotate(far, 18) ^ far >> 3
      let large = rotate(near, 17) ^ rotate(near, 19) ^ near >> 10
      words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
    }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  private static let constants: InlineArray<64, UInt32> = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
