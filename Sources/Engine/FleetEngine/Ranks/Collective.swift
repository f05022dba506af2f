/// Ranks that simulate one fleet together: each lives its own share of the devices (`DeviceShare`).
///
/// All ranks make the same calls in the same order, and wait in each until all have made it. One thread of a rank calls
/// at a time, not always the same one.
package protocol Collective: Sendable {
  /// This rank's number, counted from 0.
  var rank: Int { get }
  /// How many ranks there are.
  var size: Int { get }

  /// Replaces each number with its sum over all ranks.
  ///
  /// - Throws: when another rank has ended, as all calls do.
  func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) throws(CollectiveError)

  /// Hands the bytes of every other rank to rank 0, one rank after the other by their numbers.
  ///
  /// - Parameter take: called at rank 0 alone; what a rank sent need not be kept beside that of the others.
  func gather(_ bytes: [UInt8], _ take: (_ rank: Int, _ bytes: [UInt8]) -> Void) throws(CollectiveError)

  /// - Parameter bytes: those of rank 0 count.
  /// - Returns: the bytes of rank 0.
  func broadcast(_ bytes: [UInt8]) throws(CollectiveError) -> [UInt8]

  /// Ends all ranks: the calls in which they wait, or that they make later, throw.
  func abort()
}

/// Why ranks cannot go on together.
package struct CollectiveError: Error, Hashable, Sendable {
  /// One sentence for the user, without a full stop.
  package var message: String

  package init(_ message: String) { self.message = message }
}

/// The only rank: the threads of one machine.
package struct Alone: Collective {
  package init() {}

  package var rank: Int { 0 }
  package var size: Int { 1 }
  package func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) {}
  package func gather(_ bytes: [UInt8], _ take: (_ rank: Int, _ bytes: [UInt8]) -> Void) {}
  package func broadcast(_ bytes: [UInt8]) -> [UInt8] { bytes }
  package func abort() {}
}

/// What rank 0 tells the other ranks to do next.
package enum RankOrder: Hashable, Sendable {
  /// Look whether a file is there, and keep from now on in its folder what is done.
  case keep(JournalPlace)
  /// Live the own share of a replication.
  case live(ReplicationOrder)
  /// Nothing is left to do; the program ends with this status.
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
      self = .keep(JournalPlace(folder: texts[0], mark: texts[1], attempt: attempt))
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

/// Where the ranks keep what they have done.
package struct JournalPlace: Hashable, Sendable {
  /// A path that begins at the root.
  package var folder: String
  /// What a file in it says that rank 0 has just written.
  package var mark: String
  /// Which try this is, counted from 1; 0: nothing is kept, ranks only tell each other that they live.
  package var attempt: Int

  package init(folder: String, mark: String, attempt: Int) {
    self.folder = folder
    self.mark = mark
    self.attempt = attempt
  }
}

/// A replication that all ranks live together.
package struct ReplicationOrder: Hashable, Sendable {
  package var scenario: [UInt8] = []
  package var replication: Int
  /// Whether rows of devices.csv are wanted.
  package var keepsRows = true
  /// What arrived at each endpoint in the steps that are known.
  package var arrivals: [Int64] = []
  /// Shards that are through.
  package var finished = ShardSet()

  var name: ReplicationName {
    ReplicationName(scenario: scenario, replication: replication, keepsRows: keepsRows)
  }
}
