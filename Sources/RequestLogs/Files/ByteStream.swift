/// The bytes of a log without their compression.
protocol ByteStream: AnyObject {
  /// - Returns: how many bytes were read; 0: there are no more.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int
  var facts: StreamFacts { get }
}

/// Bytes that are not compressed.
final class PlainStream: ByteStream {
  private let window: InputWindow
  let facts = StreamFacts()

  init(_ window: InputWindow) { self.window = window }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int { try window.read(into: buffer) }
}

/// Opens what a file holds by its first bytes.
enum Compressed {
  static func open(_ window: InputWindow, _ limits: LogOptions.Limits) throws(LogProblem) -> any ByteStream {
    try window.fill(atLeast: 4)
    let first = window.rest.prefix(4)
    if first.starts(with: [0x1F, 0x8B]) { return try Inflater(window, limits) }
    let isSkippable =
      first.count == 4 && first[first.startIndex] & 0xF0 == 0x50 && first.dropFirst().elementsEqual([0x2A, 0x4D, 0x18])
    if first.elementsEqual([0x28, 0xB5, 0x2F, 0xFD]) || isSkippable { return try Zstandard(window, limits) }
    return PlainStream(window)
  }
}
