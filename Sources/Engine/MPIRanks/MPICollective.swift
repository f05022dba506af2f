package import FleetEngine
package import Synchronization

/// A collective whose ranks are the processes of an MPI job.
package final class MPICollective: Collective {
  package let rank: Int
  package let size: Int
  private let library: MPILibrary

  /// The number of completed collective calls.
  package let calls = Atomic<Int>(0)
  /// Whether this rank is currently waiting for other ranks in a call.
  package let isWaiting = Atomic<Bool>(false)

  /// The maximum number of values per call, equivalent to one gigabyte. The limit is needed because MPI uses 32-bit
  /// counts.
  private static let maxNumbers = 1 << 27

  /// Joins the MPI job started by the launcher.
  package init(_ library: MPILibrary) throws(MPIError) {
    self.library = library
    try library.start()
    rank = try library.rank()
    size = try library.size()
  }

  package func sum(_ numbers: UnsafeMutableBufferPointer<Int64>) throws(CollectiveError) {
    try waiting { () throws(MPIError) in try library.sum(numbers) }
  }

  package func gather(
    _ bytes: [UInt8], _ take: (_ rank: Int, _ bytes: [UInt8]) -> Void
  ) throws(CollectiveError) {
    guard rank == 0 else {
      return try waiting { () throws(MPIError) in
        var numbers = Numbers(bytes)
        try numbers.withLength { length throws(MPIError) in try library.send(UnsafeBufferPointer(length), to: 0) }
        try numbers.inPieces(of: Self.maxNumbers) { piece throws(MPIError) in
          try library.send(UnsafeBufferPointer(piece), to: 0)
        }
      }
    }
    for other in 1..<size {
      let received = try waiting { () throws(MPIError) -> [UInt8] in
        var numbers = Numbers([])
        try numbers.withLength { length throws(MPIError) in try library.receive(length, from: other) }
        try numbers.inPieces(of: Self.maxNumbers) { piece throws(MPIError) in
          try library.receive(piece, from: other)
        }
        return numbers.bytes()
      }
      take(other, received)
    }
  }

  package func broadcast(_ bytes: [UInt8]) throws(CollectiveError) -> [UInt8] {
    try waiting { () throws(MPIError) in
      var numbers = Numbers(rank == 0 ? bytes : [])
      try numbers.withLength { length throws(MPIError) in try library.broadcast(length) }
      try numbers.inPieces(of: Self.maxNumbers) { piece throws(MPIError) in try library.broadcast(piece) }
      return numbers.bytes()
    }
  }

  package func abort() { library.abort(status: 1) }

  /// Finalizes MPI; every rank must call this as its last MPI call.
  package func leave() { library.finish() }

  /// Makes a call that may have to wait for other ranks.
  private func waiting<Answer>(_ call: () throws(MPIError) -> Answer) throws(CollectiveError) -> Answer {
    isWaiting.store(true, ordering: .relaxed)
    defer {
      isWaiting.store(false, ordering: .relaxed)
      calls.add(1, ordering: .relaxed)
    }
    do { return try call() } catch { throw CollectiveError(error.message) }
  }
}

/// Bytes that are transferred as 64-bit numbers, with padding in the last number.
private struct Numbers {
  private var length: Int64
  /// The bytes, padded to a multiple of eight.
  private var padded: [UInt8]

  init(_ bytes: [UInt8]) {
    length = Int64(bytes.count)
    padded = bytes
    padded += Array(repeating: 0, count: Self.padding(length))
  }

  private static func padding(_ length: Int64) -> Int { Int((8 - length % 8) % 8) }

  /// Returns the bytes without the padding.
  consuming func bytes() -> [UInt8] {
    padded.removeLast(padded.count - Int(length))
    return padded
  }

  /// Passes the number of bytes to a call that may change it, and then resizes the byte array accordingly.
  mutating func withLength(_ call: (UnsafeMutableBufferPointer<Int64>) throws(MPIError) -> Void) throws(MPIError) {
    let before = length
    try withUnsafeMutablePointer(to: &length) { length throws(MPIError) in
      try call(UnsafeMutableBufferPointer(start: length, count: 1))
    }
    if length != before { padded = Array(repeating: 0, count: Int(length) + Self.padding(length)) }
  }

  /// Passes the numbers to several calls in pieces, using the memory of the byte array directly. This is safe because
  /// array elements are aligned to 16 bytes.
  mutating func inPieces(
    of maximum: Int, _ call: (UnsafeMutableBufferPointer<Int64>) throws(MPIError) -> Void
  ) throws(MPIError) {
    try padded.withUnsafeMutableBufferPointer { padded throws(MPIError) in
      guard let start = padded.baseAddress else { return }
      let numbers = UnsafeMutableBufferPointer(
        start: UnsafeMutableRawPointer(start).assumingMemoryBound(to: Int64.self), count: padded.count / 8)
      for first in stride(from: 0, to: numbers.count, by: maximum) {
        try call(UnsafeMutableBufferPointer(rebasing: numbers[first..<min(first + maximum, numbers.count)]))
      }
    }
  }
}
