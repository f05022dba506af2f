/// The ranks that simulate one fleet together, each responsible for a disjoint share of the devices (`DeviceShare`).
///
/// All ranks make the same calls in the same order, and each call waits until all ranks have made it. Calls may come
/// from different threads, but only one thread per rank may make a call at a time.
package protocol Collective: Sendable {
  /// The number of this rank, starting at 0.
  var rank: Int { get }
  /// The total number of ranks.
  var size: Int { get }

  /// Replaces each number with its sum across all ranks.
  ///
  /// - Throws: an error if another rank has terminated; this applies to all collective calls.
  func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) throws(CollectiveError)

  /// Sends the bytes of all other ranks to rank 0, in rank order.
  ///
  /// - Parameter take: a function called on rank 0 once per rank, so that the bytes of only one rank need to be in
  ///   memory at a time.
  func gather(_ bytes: [UInt8], _ take: (_ rank: Int, _ bytes: [UInt8]) -> Void) throws(CollectiveError)

  /// Sends bytes from rank 0 to all other ranks.
  ///
  /// - Parameter bytes: the bytes to send; ignored on all ranks except rank 0.
  /// - Returns: the bytes that rank 0 sent.
  func broadcast(_ bytes: [UInt8]) throws(CollectiveError) -> [UInt8]

  /// Terminates all ranks, so that pending and later calls throw an error.
  func abort()
}

/// The reason why the ranks cannot continue together.
package struct CollectiveError: Error, Hashable, Sendable {
  /// The message for the user, as one sentence without a full stop.
  package var message: String

  package init(_ message: String) { self.message = message }
}

/// A collective that consists of a single rank, for running threads on one machine.
package struct SingleRank: Collective {
  package init() {}

  package var rank: Int { 0 }
  package var size: Int { 1 }
  package func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) {}
  package func gather(_ bytes: [UInt8], _ take: (_ rank: Int, _ bytes: [UInt8]) -> Void) {}
  package func broadcast(_ bytes: [UInt8]) -> [UInt8] { bytes }
  package func abort() {}
}

/// An order that rank 0 sends to the other ranks.
package enum RankOrder: Hashable, Sendable {
  /// An order to check that a journal file is accessible, and to store completed work in its folder from then on.
  case keep(JournalLocation)
  /// An order to simulate the rank's share of a replication.
  case live(ReplicationOrder)
  /// An order to exit with the given status, because no work is left.
  case end(Int32)

  private enum Name: UInt8 {
    case keep, live, end
  }

  package var bytes: [UInt8] {
    var bytes = ByteWriter()
    switch self {
    case .keep(let place):
      bytes.write(Name.keep.rawValue)
      bytes.write(place.attempt)
      bytes.write([place.folder, place.mark])
    case .live(let order):
      bytes.write(Name.live.rawValue)
      bytes.write(order.replication)
      bytes.write(UInt8(order.keepsRows ? 1 : 0))
      order.finished.write(to: &bytes)
      bytes.write(order.arrivals.count)
      for count in order.arrivals { bytes.write(count) }
      bytes.write(order.scenario)
    case .end(let status):
      bytes.write(Name.end.rawValue)
      bytes.write(status)
    }
    return bytes.finished()
  }

  package init(_ bytes: [UInt8]) throws(ByteError) {
    var bytes = ByteReader(bytes)
    guard let name = Name(rawValue: bytes.number()) else { throw .foreign }
    switch name {
    case .keep:
      let attempt: Int = bytes.number()
      let texts = bytes.texts()
      guard texts.count == 2 else { throw .foreign }
      self = .keep(JournalLocation(folder: texts[0], mark: texts[1], attempt: attempt))
    case .live:
      let replication: Int = bytes.number()
      let kept: UInt8 = bytes.number()
      guard kept <= 1 else { throw .foreign }
      let finished = ShardSet(from: &bytes)
      let arrivals: [Int64] = (0..<bytes.count(ofBytes: 8)).map { _ in bytes.number() }
      self = .live(
        ReplicationOrder(
          scenario: bytes.rest(), replication: replication, keepsRows: kept == 1,
          arrivals: arrivals, finished: finished))
    case .end: self = .end(bytes.number())
    }
    try bytes.end()
  }
}

/// The location in which the ranks store completed work.
package struct JournalLocation: Hashable, Sendable {
  /// The absolute path of the journal folder.
  package var folder: String
  /// The content of a file that rank 0 has just written to the folder, used to check that all ranks share the folder.
  package var mark: String
  /// The number of this attempt, starting at 1. It is 0 if nothing is stored and the ranks only send heartbeats.
  package var attempt: Int

  package init(folder: String, mark: String, attempt: Int) {
    self.folder = folder
    self.mark = mark
    self.attempt = attempt
  }
}

/// An order for all ranks to simulate their shares of a replication.
package struct ReplicationOrder: Hashable, Sendable {
  package var scenario: [UInt8] = []
  package var replication: Int
  /// Whether the rows of devices.csv are required.
  package var keepsRows = true
  /// The number of arrivals at each endpoint for the steps that are already known.
  package var arrivals: [Int64] = []
  /// The shards that are already complete and need not be simulated.
  package var finished = ShardSet()

  var name: ReplicationName {
    ReplicationName(scenario: scenario, replication: replication, keepsRows: keepsRows)
  }
}
