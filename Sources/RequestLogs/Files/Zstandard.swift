internal import CZstd

/// The bytes of all frames of a file of zstd, one after the other; skippable frames are skipped.
final class Zstandard: ByteStream {
  /// Windows up to 128 MiB, which `zstd --long` asks for: two to this power.
  private static let largestWindow: Int32 = 27

  private let window: InputWindow
  private let limits: LogOptions.Limits
  private let stream: OpaquePointer
  private(set) var facts = StreamFacts(compression: .zstd)
  private var isInFrame = false
  private var isOver = false
  /// What is thrown when the bytes before it have been handed out.
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

  /// - Returns: whether there is one more.
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
