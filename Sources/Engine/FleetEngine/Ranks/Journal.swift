/// A store for a replication's finished work, which a later attempt can resume with any number of ranks.
///
/// If there is feedback, rank 0 stores the arrivals of each step. Because the arrivals determine the backend, devices
/// can repeat known steps without waiting for each other. If there is no feedback, each rank stores the sums over its
/// finished shards.
package protocol Journal: Sendable {
  /// Returns the work that earlier attempts stored; this is called on rank 0.
  func past(of replication: ReplicationName) throws(JournalError) -> Past

  /// Starts another replication; this is called on every rank.
  func begin(_ replication: ReplicationName)

  /// Stores a step; this is called on rank 0 with the arrivals from all ranks at each endpoint.
  func keep(step arrivals: UnsafeBufferPointer<Int64>)

  /// Whether it is time to store finished shards again.
  var isDue: Bool { get }

  /// Stores the work of this rank in this attempt, replacing what was stored earlier.
  func keep(_ part: SavedPart)

  /// Stores the sums over the whole replication, which rank 0 has merged, unless this is not worthwhile.
  ///
  /// - Parameter bytes: the approximate size of the sums.
  func finish(bytes: Int, _ whole: () -> SavedPart)

  /// The reason why storing failed; `nil` if there was no failure.
  var failure: JournalError? { get }
}

/// The name under which a journal stores a replication.
package struct ReplicationName: Hashable, Sendable {
  /// The text of the scenario in UTF-8, with all keys that can affect the result.
  package var scenario: [UInt8]
  /// The number of the replication, counted from 0.
  package var replication: Int
  /// Whether the sums include rows of devices.csv.
  package var keepsRows: Bool
}

/// The work that earlier attempts at a replication stored.
package struct Past: Sendable {
  /// The arrivals at each endpoint, by step, beginning with the first step.
  package var arrivals: [Int64] = []
  /// The sums over disjoint sets of shards.
  package var parts: [SavedPart] = []
  /// The sums over all shards; `nil` if some shards are missing.
  package var whole: SavedPart?

  package init() {}

  var finished: ShardSet { parts.reduce(into: ShardSet()) { $0.formUnion($1.shards) } }
}

/// The sums over a set of shards, with the rows of their devices.
package struct SavedPart: Sendable {
  package var shards: ShardSet
  /// The byte form of a `PartialResult` from which the rows are excluded.
  private var sums: [UInt8]
  private var rows: [DeviceTable.Row]

  init(shards: ShardSet, _ part: PartialResult) {
    var part = part
    self.shards = shards
    rows = part.result.devices.rows
    part.result.devices.rows = []
    sums = part.bytes
  }

  /// The number of rows that are written at once.
  private static let piece = 8_192

  /// The number of bytes of the sums that are written at once.
  private static let bytesAtOnce = 1 << 20

  /// Writes the bytes in pieces to a function that copies them, because the sums for a day take tens of megabytes.
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

  /// Reads the part from its complete byte form.
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
  /// - Parameter blank: a part that belongs to the same scenario; its counts are ignored.
  func part(like blank: PartialResult) throws(ByteError) -> PartialResult {
    var part = blank
    try part.read(sums)
    part.result.devices.rows = rows
    return part
  }
}

/// The reason why a journal cannot be read or written.
package struct JournalError: Error, Hashable, Sendable {
  /// The message for the user, in one sentence without a full stop.
  package var message: String
  /// Whether the stored journal does not match or is corrupted, in which case nothing was simulated.
  package var isUnsuitable: Bool

  package init(_ message: String, isUnsuitable: Bool) {
    self.message = message
    self.isUnsuitable = isUnsuitable
  }
}
