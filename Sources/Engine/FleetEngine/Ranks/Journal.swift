/// A store for the finished work of a replication, which a later attempt can resume with any number of ranks.
///
/// If there is feedback, rank 0 stores the arrivals of each step. The arrivals determine the backend, so devices pass
/// through known steps without waiting for each other. If there is no feedback, each rank stores the sums over finished
/// shards.
package protocol Journal: Sendable {
  /// Returns the stored work of earlier attempts; called on rank 0.
  func past(of replication: ReplicationName) throws(JournalError) -> Past

  /// Starts another replication; called on each rank.
  func begin(_ replication: ReplicationName)

  /// Stores a step on rank 0, given the arrivals from all ranks at each endpoint.
  func keep(step arrivals: UnsafeBufferPointer<Int64>)

  /// Whether it is time to store the finished shards.
  var isDue: Bool { get }

  /// Stores this rank's work in this attempt, replacing the part stored earlier.
  func keep(_ part: SavedPart)

  /// Stores the sums over the whole replication, merged by rank 0, if this is worthwhile.
  ///
  /// - Parameter bytes: their approximate size.
  func finish(bytes: Int, _ whole: () -> SavedPart)

  /// The reason why something could not be stored; `nil` if there was no failure.
  var failure: JournalError? { get }
}

/// The name of a replication in a journal.
package struct ReplicationName: Hashable, Sendable {
  /// The scenario as UTF-8 text, with all keys that affect the result.
  package var scenario: [UInt8]
  /// The number, counted from 0.
  package var replication: Int
  /// Whether the sums include rows of devices.csv.
  package var keepsRows: Bool
}

/// The stored work of earlier attempts at a replication.
package struct Past: Sendable {
  /// The arrivals at each endpoint, step by step from the first step.
  package var arrivals: [Int64] = []
  /// The sums over shards; no shard is in more than one part.
  package var parts: [SavedPart] = []
  /// The sums over all shards; `nil` if some shards are missing.
  package var whole: SavedPart?

  package init() {}

  var finished: ShardSet { parts.reduce(into: ShardSet()) { $0.formUnion($1.shards) } }
}

/// The sums over some shards, with the rows of their devices.
package struct SavedPart: Sendable {
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

  /// The number of rows per write.
  private static let piece = 8_192

  /// The number of bytes of the sums per write.
  private static let bytesAtOnce = 1 << 20

  /// Writes the bytes piece by piece to a function that copies them, because the sums of a day take tens of megabytes.
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

  /// Reads the part from all of its bytes.
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

  /// Returns the sums as a value.
  ///
  /// - Parameter blank: a part of the same scenario, with any counts.
  func part(like blank: PartialResult) throws(ByteError) -> PartialResult {
    var part = blank
    try part.read(sums)
    part.result.devices.rows = rows
    return part
  }
}

/// The reason why a journal cannot be read or written.
package struct JournalError: Error, Hashable, Sendable {
  /// The message for the user, as one sentence without a full stop.
  package var message: String
  /// Whether the stored journal belongs to something else or is corrupted, so that nothing was simulated.
  package var isUnsuitable: Bool

  package init(_ message: String, isUnsuitable: Bool) {
    self.message = message
    self.isUnsuitable = isUnsuitable
  }
}
