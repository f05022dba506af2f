internal import CZlib

/// What a member of gzip says of what it holds.
struct GzipTrailer: Hashable {
  /// Bytes, modulo 2^32.
  var size: UInt32
  var checksum: UInt32

  /// - Parameter last: the last eight bytes of the member.
  init?(_ last: [UInt8]) {
    guard last.count == 8 else { return nil }
    let words = [last[..<4], last[4...]].map { $0.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    (checksum, size) = (words[0], words[1])
  }

  /// What the trailer would say of some bytes that come in parts; nil: there are none.
  init?(size: Int, next: () -> UnsafeRawBufferPointer?) {
    self.size = UInt32(truncatingIfNeeded: size)
    var checksum = crc32(0, nil, 0)
    while let part = next(), let start = part.baseAddress {
      checksum = crc32(checksum, start.assumingMemoryBound(to: UInt8.self), UInt32(part.count))
    }
    self.checksum = UInt32(truncatingIfNeeded: checksum)
  }
}

/// The bytes of all members of a file of gzip, one after the other.
final class Inflater: ByteStream {
  private let window: InputWindow
  private let limits: LogOptions.Limits
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private(set) var facts = StreamFacts(compression: .gzip)
  private var isInMember = false
  private var isOver = false
  /// What is thrown when the bytes before it have been handed out.
  private var failure: LogProblem?
  /// Where the member begins, and how much it has become.
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

  /// Zeros behind a member are padding; anything else that is no member ends the file.
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
