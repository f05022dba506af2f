import RequestStatistics

/// A buffer of whole lines, which one thread at a time fills and reads.
///
/// Unchecked: a thread makes it, has it alone, and lets a file fill it only while it waits for that.
final class LineBlock: @unchecked Sendable {
  /// Bytes that are read at once: large enough that threads seldom meet, small enough for a processor's cache.
  static let size = 512 * 1_024

  private let memory: UnsafeMutableRawBufferPointer
  var count = 0
  /// The file that its lines are of.
  var file: LogFile?
  /// The server that wrote them, where they do not say it themselves.
  var node = NameIndex.none
  /// How its lines are to be read.
  var plan: LinePlan?

  init(longestLine: Int) { memory = .allocate(byteCount: Self.size + 2 * longestLine, alignment: 64) }

  deinit { memory.deallocate() }

  /// What is free behind the bytes that it has; one byte is kept for the last line's end.
  var free: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: memory[count..<memory.count - 1]) }

  var text: Text {
    guard let start = memory.baseAddress else { return .empty }
    return Text(UnsafePointer(start.assumingMemoryBound(to: UInt8.self)), count)
  }

  func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes where count < memory.count {
      memory[count] = byte
      count += 1
    }
  }

  func dropFirst(_ bytes: Int) {
    let rest = UnsafeRawBufferPointer(rebasing: memory[bytes..<count])
    memory.copyMemory(from: rest)
    count -= bytes
  }

  /// Bytes after the last line's end; nil: no line ends.
  var open: ArraySlice<UInt8>? {
    var place = count
    while place > 0, memory[place - 1] != 0x0A { place -= 1 }
    guard place > 0 else { return nil }
    return ArraySlice(memory[place..<count] as Slice<UnsafeMutableRawBufferPointer>)
  }
}
