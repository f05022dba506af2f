/// Where ranks keep what they have done of a replication, so that a later try goes on with it, with any number of ranks.
///
/// With feedback rank 0 keeps what arrived in each step: the backend follows from that, and devices live through known
/// steps without waiting for each other. Without feedback each rank keeps the sums of shards that are through.
package protocol Journal: Sendable {
  /// What earlier tries have kept; asked by rank 0.
  func past(of replication: ReplicationName) throws(JournalError) -> Past

  /// Tells what comes next is of another replication; each rank says so.
  func begin(_ replication: ReplicationName)

  /// Keeps a step of rank 0: what arrived at each endpoint, of all ranks.
  func keep(step arrivals: UnsafeBufferPointer<Int64>)

  /// Whether it is time to keep the shards that are through.
  var isDue: Bool { get }

  /// Keeps what this rank has done in this try, in place of what it kept before.
  func keep(_ part: KeptPart)

  /// Keeps the sums of the whole replication, which rank 0 has put together, if they are worth it.
  ///
  /// - Parameter bytes: that it takes, about.
  func finish(bytes: Int, _ whole: () -> KeptPart)

  /// Why something could not be kept, if so.
  var failure: JournalError? { get }
}

/// What a replication is called in a journal.
package struct ReplicationName: Hashable, Sendable {
  /// The scenario as text: every key that makes a difference.
  package var scenario: [UInt8]
  /// Counted from 0.
  package var replication: Int
  /// Whether its sums have rows of devices.csv.
  package var keepsRows: Bool
}

/// What earlier tries of a replication have kept.
package struct Past: Sendable {
  /// What arrived at each endpoint, step by step from the first on.
  package var arrivals: [Int64] = []
  /// Sums of shards, of which no two parts have the same.
  package var parts: [KeptPart] = []
  /// The sums of all shards; nil: it is not through.
  package var whole: KeptPart?

  package init() {}

  /// The shards that are through.
  var finished: ShardSet { parts.reduce(into: ShardSet()) { $0.formUnion($1.shards) } }
}

/// Sums of some shards, with the rows of their devices.
package struct KeptPart: Sendable {
  package var shards: ShardSet
  /// The byte form of a `PartialResult` without rows.
  private var sums: [UInt8]
  private var rows: [DeviceTable.Row]

  init(shards: ShardSet, _ part: PartialResult) {
    var part = part
    self.shards = shards
    rows = part.result.devices.rows
    part.result.devices.rows = []
    sums = part.bytes
  }

  /// Rows that are written at once.
  private static let piece = 8_192

  /// Bytes of the sums that are written at once.
  private static let bytesAtOnce = 1 << 20

  /// Gives its bytes piece by piece: whoever takes them copies them, and the sums of a day are tens of megabytes.
  package func write(_ append: ([UInt8]) -> Void) {
    var head = ByteWriter()
    shards.write(to: &head)
    head.write(rows.count)
    append(head.finished(followedBy: sums.count))
    for first in stride(from: 0, to: sums.count, by: Self.bytesAtOnce) {
      append(Array(sums[first..<min(first + Self.bytesAtOnce, sums.count)]))
    }
    for first in stride(from: 0, to: rows.count, by: Self.piece) {
      var piece = ByteWriter()
      piece.write(memoryOf: rows[first..<min(first + Self.piece, rows.count)])
      append(Array(piece.finished().dropFirst(8)))
    }
  }

  /// Reads all of its bytes.
  package init(_ bytes: [UInt8]) throws(ByteError) {
    guard bytes.count >= 8 else { throw .cut }
    let length = bytes.withUnsafeBytes { Int(truncatingIfNeeded: $0.load(as: UInt64.self).littleEndian) }
    guard (0...bytes.count).contains(length) else { throw .cut }
    var head = ByteReader(Array(bytes[..<length]))
    shards = ShardSet(from: &head)
    let count: Int = head.number()
    sums = head.rest()
    try head.end()
    var rest = ByteReader(rowsIn: Array(bytes[length...]))
    rows = rest.values(max(count, 0), like: .blank)
    try rest.end()
  }

  /// Its sums as a value.
  ///
  /// - Parameter blank: a part of the same scenario, whatever it counts.
  func part(like blank: PartialResult) throws(ByteError) -> PartialResult {
    var part = blank
    try part.read(sums)
    part.result.devices.rows = rows
    return part
  }
}

/// Why a journal cannot be read or written.
package struct JournalError: Error, Hashable, Sendable {
  /// One sentence for the user, without a full stop.
  package var message: String
  /// Whether what lies there is of something else, or damaged: nothing was simulated.
  package var isUnsuitable: Bool

  package init(_ message: String, isUnsuitable: Bool) {
    self.message = message
    self.isUnsuitable = isUnsuitable
  }
}
