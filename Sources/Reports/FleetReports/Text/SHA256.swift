internal import CNettle

/// The SHA-256 hash function (FIPS 180-4), as implemented by Nettle.
///
/// The message can be added in several pieces.
package struct SHA256 {
  static let length = Int(SHA256_DIGEST_SIZE)

  private var context: sha256_ctx

  package init() {
    context = sha256_ctx()
    nettle_sha256_init(&context)
  }

  /// Adds the next piece of the message.
  package mutating func add(_ piece: [UInt8]) {
    guard !piece.isEmpty else { return }
    nettle_sha256_update(&context, piece.count, piece)
  }

  /// The digest of the message added so far, which is 32 bytes long.
  package var digest: [UInt8] {
    var whole = context
    return Array(unsafeUninitializedCapacity: Self.length) { bytes, count in
      wf_sha256_digest(&whole, bytes.baseAddress)
      count = Self.length
    }
  }

  /// The digest of the message added so far, in lower-case hexadecimal.
  package var hexadecimal: String { digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  /// Returns the digest of `message`, which is 32 bytes long.
  package static func digest(of message: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.add(message)
    return hash.digest
  }

  /// Returns the digest of `message`, in lower-case hexadecimal.
  package static func hexadecimal(of message: [UInt8]) -> String {
    var hash = SHA256()
    hash.add(message)
    return hash.hexadecimal
  }

  /// Returns the digest of `message` in Base64, as required by content security policies.
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
}
