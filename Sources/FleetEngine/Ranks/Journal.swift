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
  func finish(_ sums: () -> [UInt8])

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
  package var whole: [UInt8]?

  package init() {}

  /// The shards that are through.
  var finished: ShardSet { parts.reduce(into: ShardSet()) { $0.formUnion($1.shards) } }
}

/// Sums of some shards.
package struct KeptPart: Sendable {
  package var shards: ShardSet
  /// The byte form of a `PartialResult`.
  var sums: [UInt8]

  init(shards: ShardSet, sums: [UInt8]) {
    self.shards = shards
    self.sums = sums
  }

  package var bytes: [UInt8] {
    var bytes = ByteWriter()
    shards.write(to: &bytes)
    bytes.write(sums)
    return bytes.finished
  }

  package init(_ bytes: [UInt8]) throws(ByteError) {
    var bytes = ByteReader(bytes)
    shards = ShardSet(from: &bytes)
    sums = bytes.rest()
    try bytes.end()
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
