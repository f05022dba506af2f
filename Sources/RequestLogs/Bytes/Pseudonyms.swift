/// What turns what a line says of its sender into a number that says nothing to who lacks the key.
package struct Pseudonyms: Sendable {
  let hash: SipHash

  /// A key that nobody knows and that ends with the process.
  package static func random() -> Pseudonyms {
    var source = SystemRandomNumberGenerator()
    return Pseudonyms(hash: SipHash(key0: source.next(), key1: source.next()))
  }

  /// The key of a file: 16 bytes, or 32 hexadecimal digits that white space may follow; nil: it is neither.
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

  /// The number of a sender, never 0.
  @inline(__always) func sender(_ text: Text) -> UInt64 { max(hash(text), 1) }
}
