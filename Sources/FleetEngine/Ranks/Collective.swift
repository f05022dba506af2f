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
