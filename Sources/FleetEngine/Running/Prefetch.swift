internal import CProcessor

/// Asks for memory ahead of its use, so that waiting for it and working on the device before overlap.
enum Prefetch {
  private static let line = WF_CACHE_LINE

  /// The lines of a block.
  @inline(__always)
  static func block(_ start: UnsafeMutableRawPointer, bytes: Int) {
    var offset = 0
    while offset < bytes {
      wf_prefetch(start + offset)
      offset += line
    }
  }
}
