/// A store for the completed work of a replication, from which a later attempt can resume with any number of ranks.
///
/// With feedback, rank 0 stores the arrivals of each step. The arrivals determine the backend's state, so devices can
/// repeat known steps without waiting for each other. Without feedback, each rank stores the sums over its completed
/// shards.
package protocol Journal: Sendable {
  /// Returns the work stored by earlier attempts; called only on rank 0.
  func past(of replication: ReplicationName) throws(JournalError) -> Past

  /// Starts the journal of a replication; called on every rank.
  func begin(_ replication: ReplicationName)

  /// Stores a step; called only on rank 0, with the arrivals from all ranks at each endpoint.
  func keep(step arrivals: UnsafeBufferPointer<Int64>)

  /// Whether completed shards should be stored again now.
  var isDue: Bool { get }

  /// Stores the work of this rank in this attempt, replacing what this attempt stored before.
  func keep(_ part: SavedPart)

  /// Stores the sums over the whole replication, as merged by rank 0, if they are worth storing.
  ///
  /// - Parameter bytes: the approximate size of the sums.
  func finish(bytes: Int, _ whole: () -> SavedPart)

  /// The reason why storing failed; `nil` if no failure has occurred.
  var failure: JournalError? { get }
}

/// The key under which a journal stores a replication.
package struct ReplicationName: Hashable, Sendable {
  /// The scenario's text in UTF-8, including all keys that can affect the result.
  package var scenario: [UInt8]
  /// The number of the replication, counted from 0.
  package var replication: Int
  /// Whether the sums include rows of devices.csv.
  package var keepsRows: Bool
}

/// The work stored by earlier attempts at a replication.
package struct Past: Sendable {
  /// The arrivals at each endpoint in each step, starting with the first step.
  package var arrivals: [Int64] = []
  /// The sums over disjoint sets of shards.
  package var parts: [SavedPart] = []
  /// The sums over all shards; `nil` if any shard is missing.
  package var whole: SavedPart?

  package init() {}

  var finished: ShardSet { parts.reduce(into: ShardSet()) { $0.formUnion($1.shards) } }
}

/// The sums over a set of shards, together with the rows of their devices.
package struct SavedPart: Sendable {
  package var shards: ShardSet
  /// The serialized `PartialResult`, without rows.
  private var sums: [UInt8]
  private var rows: [DeviceTable.Row]

  init(shards: ShardSet, _ part: PartialResult) {
    var part = part
    self.shards = shards
    rows = part.result.devices.rows
    part.result.devices.rows = []
    sums = part.bytes
  }

  /// The number of rows written per chunk.
  private static let piece = 8_192

  /// The number of bytes of the sums written per chunk.
  private static let bytesAtOnce = 1 << 20

  /// Writes the bytes in chunks to a function that copies them, because the sums of one simulated day need tens of
  /// megabytes.
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

  /// Reads the part from its complete serialized form.
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

  /// Returns the deserialized sums.
  ///
  /// - Parameter blank: a partial result with the dimensions of the same scenario; its counts are ignored.
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
  /// Whether the stored journal is for a different run or is corrupted; no devices have then been simulated.
  package var isUnsuitable: Bool

  package init(_ message: String, isUnsuitable: Bool) {
    self.message = message
    self.isUnsuitable = isUnsuitable
  }
}
