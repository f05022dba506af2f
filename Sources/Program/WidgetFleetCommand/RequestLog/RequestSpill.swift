import FleetEngine
import Platform
import SimulationKernel

/// A collection of requests that is being sorted. The requests are stored in an unnamed file, as blocks of sorted
/// requests.
///
/// The distribution of requests over blocks depends on thread timing. The sorted result does not, because no two
/// requests compare as equal.
final class RequestSpill: RequestReceiver {
  private let file: Descriptor
  private let written = Locked(Written())

  private struct Written {
    /// The block ranges in the file, counted in requests.
    var blocks: [Range<Int>] = []
    /// The system's error number; 0 if there was no error.
    var status: Int32 = 0

    var count: Int { blocks.last?.upperBound ?? 0 }
  }

  /// The total buffer size of all threads in bytes, half of which is used for sorting.
  private static let memory = 64 << 20
  /// The minimum number of requests per block that justifies a system call, regardless of the number of threads.
  private static let minBlock = 1 << 12

  /// - Parameter folder: a folder on a disk with 32 bytes of free space per request.
  init(in folder: Descriptor) throws(SystemError) { file = try folder.namelessFile().get() }

  deinit { file.close() }

  func blockSize(threads: Int) -> Int {
    max(Self.memory / MemoryLayout<SentRequest>.stride / threads, Self.minBlock)
  }

  func take(_ requests: inout [SentRequest]) -> Bool {
    requests.sort(by: SentRequest.precedes)
    let block = written.withLock { written -> Range<Int>? in
      guard written.status == 0 else { return nil }
      let block = written.count..<written.count + requests.count
      written.blocks.append(block)
      return block
    }
    guard let block else { return false }
    let status = requests.withUnsafeBytes { file.write($0, at: block.lowerBound * MemoryLayout<SentRequest>.stride) }
    requests.removeAll(keepingCapacity: true)
    if status != 0 { written.withLock { $0.status = status } }
    return status == 0
  }

  /// The system's error number for writes so far; 0 if there was no error.
  var status: Int32 { written.withLock { $0.status } }
  var count: Int { written.withLock { $0.count } }

  /// All requests in sorted order; valid only after the last request has been added.
  var merged: RequestMerge { RequestMerge(file, written.withLock { $0.blocks }) }
}

/// A merge of several sorted blocks of requests, which always returns the first of all remaining requests.
///
/// A merge is valid only as long as its spill exists.
struct RequestMerge {
  private let file: Descriptor
  private var blocks: [Block]
  /// A heap of blocks, ordered by each block's first remaining request.
  private var heap: [Head] = []

  private struct Head {
    var request: SentRequest
    var block: Int
  }

  /// A block that is read piece by piece.
  private struct Block {
    /// The part of the block that has not been read yet.
    var rest: Range<Int>
    var piece: [SentRequest] = []
    var place = 0
  }

  /// The total size of all block buffers in bytes.
  private static let memory = 32 << 20
  /// The minimum and maximum number of requests read from a block at a time.
  private static let pieces = (minimum: 64, maximum: 1 << 15)
  private let pieceSize: Int

  fileprivate init(_ file: Descriptor, _ blocks: [Range<Int>]) {
    self.file = file
    self.blocks = blocks.map { Block(rest: $0) }
    let share = Self.memory / MemoryLayout<SentRequest>.stride / max(blocks.count, 1)
    pieceSize = min(max(share, Self.pieces.minimum), Self.pieces.maximum)
  }

  /// Replaces the content of the batch with the next requests. After the last request, the batch is empty.
  mutating func fill(_ batch: inout [SentRequest], count: Int) throws(SystemError) {
    batch.removeAll(keepingCapacity: true)
    if heap.isEmpty { try begin() }
    while batch.count < count, let first = heap.first {
      batch.append(first.request)
      if let next = try next(of: first.block) {
        heap[0].request = next
      } else {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
      }
      sink(0)
    }
  }

  private mutating func begin() throws(SystemError) {
    for block in blocks.indices {
      if let first = try next(of: block) { heap.append(Head(request: first, block: block)) }
    }
    for place in heap.indices.reversed() { sink(place) }
  }

  /// Moves an entry down the heap to its correct position.
  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var first = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if SentRequest.precedes(heap[child].request, heap[first].request) { first = child }
      }
      if first == place { return }
      heap.swapAt(place, first)
      place = first
    }
  }

  /// Returns the next request of a block; `nil` if no requests are left.
  private mutating func next(of block: Int) throws(SystemError) -> SentRequest? {
    if blocks[block].place == blocks[block].piece.count {
      guard !blocks[block].rest.isEmpty else { return nil }
      try read(block)
    }
    defer { blocks[block].place += 1 }
    return blocks[block].piece[blocks[block].place]
  }

  private mutating func read(_ block: Int) throws(SystemError) {
    let rest = blocks[block].rest
    let count = min(pieceSize, rest.count)
    var status: Int32 = 0
    blocks[block].piece = Array(unsafeUninitializedCapacity: count) { buffer, filled in
      let stride = MemoryLayout<SentRequest>.stride
      let bytes = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count * stride)
      status = file.read(bytes, at: rest.lowerBound * stride)
      filled = status == 0 ? count : 0
    }
    if status != 0 { throw SystemError(number: status) }
    blocks[block].rest = rest.lowerBound + count..<rest.upperBound
    blocks[block].place = 0
  }
}

extension Descriptor {
  /// Writes all bytes to the file, starting at an offset.
  ///
  /// - Returns: 0 or the system's error number.
  fileprivate func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(number, rest.baseAddress, rest.count, off_t(offset + done))
      if count >= 0 { done += count } else if errno != EINTR { return errno }
    }
    return 0
  }

  /// Fills a buffer with bytes from the file, starting at an offset; the file must contain enough bytes.
  ///
  /// - Returns: 0 or the system's error number.
  fileprivate func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = pread(number, rest.baseAddress, rest.count, off_t(offset + done))
      if count == 0 { return EIO }
      if count > 0 { done += count } else if errno != EINTR { return errno }
    }
    return 0
  }
}
