internal import CZlib
internal import CZstd
internal import Platform

/// A stream of a log's bytes after decompression.
protocol ByteStream: AnyObject {
  /// - Returns: the number of bytes read; 0 at the end of the stream.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int
  var facts: StreamFacts { get }
}

/// A stream of uncompressed bytes.
final class PlainStream: ByteStream {
  private let window: InputWindow
  let facts = StreamFacts()

  init(_ window: InputWindow) { self.window = window }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int { try window.read(into: buffer) }
}

/// A factory for the stream that decompresses a file, based on the file's first bytes.
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

/// A sliding window over a file's bytes on disk.
final class InputWindow {
  private static let size = 256 * 1_024

  private let descriptor: Int32
  private let isOwned: Bool
  /// Whether the file is a pipe, in which case reading may have to wait for another process to write.
  private let isPipe: Bool
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
  private var place = 0
  private var end = 0
  private let progress: LogProgress
  /// The number of bytes read from the file so far.
  private(set) var total = 0

  init(_ input: LogInput, _ progress: LogProgress) throws(LogProblem) {
    self.progress = progress
    isOwned = input.path != "-"
    isPipe = input.size == nil
    descriptor = isOwned ? open(input.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : STDIN_FILENO
    guard descriptor >= 0 else { throw .cannotOpen(errno) }
    OpenFiles.willBeReadInOrder(descriptor)
  }

  deinit {
    if isOwned { close(descriptor) }
    buffer.deallocate()
  }

  /// The number of bytes consumed from the window.
  var consumed: Int { total - (end - place) }

  /// The bytes in the window that have not been consumed.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[place..<end]) }

  func advance(_ count: Int) {
    assert(count <= end - place)
    place += count
  }

  /// Reads from the file until the window contains at least this many bytes or the file ends.
  func fill(atLeast count: Int) throws(LogProblem) {
    guard end - place < count else { return }
    // The bytes are moved within the same buffer, so the source and destination ranges may overlap.
    buffer.copyMemory(from: rest)
    (place, end) = (0, end - place)
    while end < count {
      let got = try system(UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      guard got > 0 else { return }
      end += got
    }
  }

  /// Reads the remaining bytes of the window or, if the window is empty, reads directly from the file.
  func read(into output: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    let held = min(end - place, output.count)
    guard held == 0 else {
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[place..<place + held]))
      place += held
      return held
    }
    return try system(output)
  }

  private func system(_ output: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    while true {
      if isPipe, !isReadable { return 0 }
      let got = Platform.read(descriptor, output.baseAddress, output.count)
      if got >= 0 {
        total += got
        progress.add(got)
        return got
      }
      if errno != EINTR, errno != EAGAIN { throw .cannotRead(errno) }
    }
  }

  /// Whether data or the end of the file can be read. Evaluating this property may block; it is `false` if reading is
  /// cancelled first.
  private var isReadable: Bool {
    while !progress.isCancelled.load(ordering: .relaxed) {
      if OpenFiles.isReadable(descriptor, milliseconds: 100) { return true }
    }
    return false
  }
}

/// The trailer of a gzip member, with the size and checksum of its uncompressed content.
struct GzipTrailer: Hashable {
  /// The size of the uncompressed content in bytes, modulo 2^32.
  var size: UInt32
  var checksum: UInt32

  /// - Parameter last: the last eight bytes of a member.
  init?(_ last: [UInt8]) {
    guard last.count == 8 else { return nil }
    let words = [last[..<4], last[4...]].map { $0.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    (checksum, size) = (words[0], words[1])
  }

  /// Creates the trailer for bytes that `next` supplies in chunks, until it returns `nil`.
  init?(size: Int, next: () -> UnsafeRawBufferPointer?) {
    self.size = UInt32(truncatingIfNeeded: size)
    var checksum = crc32(0, nil, 0)
    while let part = next(), let start = part.baseAddress {
      checksum = crc32(checksum, start.assumingMemoryBound(to: UInt8.self), UInt32(part.count))
    }
    self.checksum = UInt32(truncatingIfNeeded: checksum)
  }
}

/// A stream of the contents of all members of a gzip file, one after another.
final class Inflater: ByteStream {
  private let window: InputWindow
  private let limits: LogOptions.Limits
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private(set) var facts = StreamFacts(compression: .gzip)
  private var isInMember = false
  private var isOver = false
  /// The error to throw after all bytes that precede it have been delivered.
  private var failure: LogProblem?
  /// The offset of the current member in the file, and the number of bytes that it has produced so far.
  private var memberStart = 0
  private var memberBytes = 0

  init(_ window: InputWindow, _ limits: LogOptions.Limits) throws(LogProblem) {
    (self.window, self.limits) = (window, limits)
    stream.initialize(to: z_stream())
    guard wf_inflate_gzip(stream) == Z_OK else { throw .noMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    if let failure { throw failure }
    var written = 0
    while written < buffer.count, !isOver {
      if !isInMember { try beginMember() }
      guard isInMember else { break }
      let got = try inflateSome(UnsafeMutableRawBufferPointer(rebasing: buffer[written...]))
      written += got
      memberBytes += got
      let read = max(window.consumed - memberStart, 1)
      if memberBytes > limits.expandedBytes, memberBytes / read > limits.expansion {
        isOver = true
        throw .expandsTooFar
      }
    }
    return written
  }

  /// Starts the next gzip member after skipping zero padding. Any other bytes end the file.
  private func beginMember() throws(LogProblem) {
    while true {
      try window.fill(atLeast: 2)
      let rest = window.rest
      guard let first = rest.first else {
        isOver = true
        return
      }
      if first != 0 { break }
      window.advance(rest.prefix { $0 == 0 }.count)
    }
    guard window.rest.starts(with: [0x1F, 0x8B]) else { return try countGarbage() }
    if facts.members > 0 { inflateReset(stream) }
    facts.members += 1
    (isInMember, memberStart, memberBytes) = (true, window.consumed, 0)
  }

  private func countGarbage() throws(LogProblem) {
    isOver = true
    repeat {
      facts.garbage += window.rest.count
      window.advance(window.rest.count)
      try window.fill(atLeast: 1)
    } while !window.rest.isEmpty
  }

  private func inflateSome(_ output: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    if window.rest.isEmpty { try window.fill(atLeast: 1) }
    let input = window.rest
    guard !input.isEmpty else {
      (facts.isTorn, isOver) = (true, true)
      return 0
    }
    let source = input.bindMemory(to: UInt8.self)
    let target = output.bindMemory(to: UInt8.self)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
    stream.pointee.avail_in = UInt32(source.count)
    stream.pointee.next_out = target.baseAddress
    stream.pointee.avail_out = UInt32(min(target.count, 1 << 30))
    let offered = Int(stream.pointee.avail_out)
    let status = inflate(stream, Z_NO_FLUSH)
    window.advance(source.count - Int(stream.pointee.avail_in))
    let written = offered - Int(stream.pointee.avail_out)
    switch status {
    case Z_STREAM_END: isInMember = false
    case Z_OK, Z_BUF_ERROR: break
    default:
      (facts.isTorn, isOver) = (true, true)
      if written == 0 { throw .damaged }
      failure = .damaged
    }
    return written
  }
}

/// A stream of the contents of all frames in a zstd file, ignoring skippable frames.
final class Zstandard: ByteStream {
  /// The binary logarithm of the maximum window size, 128 MiB, which `zstd --long` requires.
  private static let largestWindow: Int32 = 27

  private let window: InputWindow
  private let limits: LogOptions.Limits
  private let stream: OpaquePointer
  private(set) var facts = StreamFacts(compression: .zstd)
  private var isInFrame = false
  private var isOver = false
  /// The error to throw after all bytes that precede it have been delivered.
  private var failure: LogProblem?
  private var frameStart = 0
  private var frameBytes = 0

  init(_ window: InputWindow, _ limits: LogOptions.Limits) throws(LogProblem) {
    guard let stream = ZSTD_createDStream() else { throw .noMemory }
    (self.window, self.limits, self.stream) = (window, limits, stream)
    ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.largestWindow)
  }

  deinit { ZSTD_freeDStream(stream) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    if let failure { throw failure }
    var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    while output.pos < buffer.count, !isOver {
      if window.rest.isEmpty { try window.fill(atLeast: 1) }
      if !isInFrame, try !beginFrame() { break }
      let before = output.pos
      try decompress(&output)
      frameBytes += output.pos - before
      let read = max(window.consumed - frameStart, 1)
      if frameBytes > limits.expandedBytes, frameBytes / read > limits.expansion {
        isOver = true
        throw .expandsTooFar
      }
    }
    return output.pos
  }

  /// - Returns: whether the file contains another frame.
  private func beginFrame() throws(LogProblem) -> Bool {
    try window.fill(atLeast: 4)
    guard !window.rest.isEmpty else {
      isOver = true
      return false
    }
    facts.members += 1
    (isInFrame, frameStart, frameBytes) = (true, window.consumed, 0)
    return true
  }

  private func decompress(_ output: inout ZSTD_outBuffer) throws(LogProblem) {
    let rest = window.rest
    guard !rest.isEmpty else {
      (facts.isTorn, isOver) = (true, true)
      return
    }
    var input = ZSTD_inBuffer(src: rest.baseAddress, size: rest.count, pos: 0)
    let status = ZSTD_decompressStream(stream, &output, &input)
    window.advance(input.pos)
    guard ZSTD_isError(status) == 0 else {
      (facts.isTorn, isOver) = (true, true)
      let isTooLarge = ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge
      let problem = isTooLarge ? LogProblem.windowTooLarge : .damaged
      if output.pos == 0 { throw problem }
      failure = problem
      return
    }
    if status == 0 { isInFrame = false }
  }
}
