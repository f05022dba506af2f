/// Shards of a fleet by their numbers, counted from 0 over all ranks.
package struct ShardSet: Hashable, Sendable {
  /// Bit i of word w: shard 64 w + i. The last word is not 0.
  private var words: [UInt64] = []

  package init() {}

  package var isEmpty: Bool { words.isEmpty }
  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  package func contains(_ shard: Int) -> Bool {
    shard / 64 < words.count && words[shard / 64] & 1 << UInt64(shard % 64) != 0
  }

  package mutating func insert(_ shard: Int) {
    if words.count <= shard / 64 { words += Array(repeating: 0, count: shard / 64 + 1 - words.count) }
    words[shard / 64] |= 1 << UInt64(shard % 64)
  }

  package mutating func formUnion(_ other: ShardSet) {
    if words.count < other.words.count { words += Array(repeating: 0, count: other.words.count - words.count) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  package func isDisjoint(with other: ShardSet) -> Bool { zip(words, other.words).allSatisfy { $0 & $1 == 0 } }

  /// The largest number in it; nil: there is none.
  var last: Int? { words.last.map { words.count * 64 - 1 - $0.leadingZeroBitCount } }
}

extension ShardSet {
  func write(to bytes: inout ByteWriter) {
    bytes.write(words.count)
    for word in words { bytes.write(word) }
  }

  init(from bytes: inout ByteReader) {
    for _ in 0..<bytes.count(ofBytes: 8) { words.append(bytes.number()) }
    if words.last == 0 { bytes.fail(.foreign) }
  }
}
