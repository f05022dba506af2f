/// The ranks that simulate one fleet together, each with its own share of the devices (`DeviceShare`).
///
/// All ranks make the same calls in the same order, and each call waits until all ranks have made it. Only one thread
/// per rank makes calls at a time, but not always the same thread.
package protocol Collective: Sendable {
  /// The number of this rank, starting at 0.
  var rank: Int { get }
  /// The number of ranks.
  var size: Int { get }

  /// Replaces each number with its sum over all ranks.
  ///
  /// - Throws: if another rank has ended; this applies to all calls.
  func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) throws(CollectiveError)

  /// Sends the bytes of every other rank to rank 0, one rank after another, in numerical order.
  ///
  /// - Parameter take: called only on rank 0; the bytes of several ranks need not be stored at the same time.
  func gather(_ bytes: [UInt8], _ take: (_ rank: Int, _ bytes: [UInt8]) -> Void) throws(CollectiveError)

  /// Sends the bytes of rank 0 to all ranks.
  ///
  /// - Parameter bytes: used only on rank 0.
  /// - Returns: the bytes of rank 0.
  func broadcast(_ bytes: [UInt8]) throws(CollectiveError) -> [UInt8]

  /// Ends all ranks; calls in progress and later calls will throw.
  func abort()
}

/// The reason why the ranks cannot continue together.
package struct CollectiveError: Error, Hashable, Sendable {
  /// The message for the user, as one sentence without a full stop.
  package var message: String

  package init(_ message: String) { self.message = message }
}

/// A collective with a single rank, for the threads of one machine.
package struct SingleRank: Collective {
  package init() {}

  package var rank: Int { 0 }
  package var size: Int { 1 }
  package func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) {}
  package func gather(_ bytes: [UInt8], _ take: (_ rank: Int, _ bytes: [UInt8]) -> Void) {}
  package func broadcast(_ bytes: [UInt8]) -> [UInt8] { bytes }
  package func abort() {}
}

/// An order from rank 0 to the other ranks.
package enum RankOrder: Hashable, Sendable {
  /// Checks that a file exists, and then stores finished work in its folder.
  case keep(JournalLocation)
  /// Simulates the rank's share of a replication.
  case live(ReplicationOrder)
  /// Ends the program with this status, because there is no more work.
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

/// The location in which the ranks store their finished work.
package struct JournalLocation: Hashable, Sendable {
  /// The absolute path of the folder.
  package var folder: String
  /// The content of a file in the folder, just written by rank 0.
  package var mark: String
  /// The number of this attempt, counted from 1; 0 if nothing is stored and ranks only report that they are alive.
  package var attempt: Int

  package init(folder: String, mark: String, attempt: Int) {
    self.folder = folder
    self.mark = mark
    self.attempt = attempt
  }
}

/// An order to simulate a replication on all ranks together.
package struct ReplicationOrder: Hashable, Sendable {
  package var scenario: [UInt8] = []
  package var replication: Int
  /// Whether rows of devices.csv are required.
  package var keepsRows = true
  /// The arrivals at each endpoint in the known steps.
  package var arrivals: [Int64] = []
  /// The finished shards.
  package var finished = ShardSet()

  var name: ReplicationName {
    ReplicationName(scenario: scenario, replication: replication, keepsRows: keepsRows)
  }
}
