import Testing

@testable import FleetReports

/// The test vectors of FIPS 180-4 and NIST's CAVP, and lengths around the block size.
struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func published(_ message: String, _ digest: String) {
    #expect(SHA256.hexadecimal(of: Array(message.utf8)) == digest)
  }

  @Test(arguments: [
    (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
    (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
  ])
  func messagesAroundABlockAreHashed(_ length: Int, _ digest: String) {
    #expect(SHA256.hexadecimal(of: Array(repeating: UInt8(ascii: "a"), count: length)) == digest)
  }

  /// Pieces that end before, at and after a block boundary.
  @Test(arguments: [1, 7, 55, 63, 64, 65, 1_000]) func piecewiseMessageHasTheSameDigest(_ length: Int) {
    let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 37) }
    var hash = SHA256()
    for start in stride(from: 0, to: message.count, by: length) {
      hash.add(Array(message[start..<min(start + length, message.count)]))
    }
    #expect(hash.hexadecimal == SHA256.hexadecimal(of: message))
  }

  @Test func base64() {
    #expect(SHA256.base64(of: Array("abc".utf8)) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
  }
}
