internal import CProcessor

/// Asks for memory ahead of its use, so that waiting for it and working on the device before overlap.
enum Prefetch {
  private static let lineBytes = Int(WF_CACHE_LINE)

  /// The line of an address.
  @inline(__always)
  static func line(_ address: UnsafeMutableRawPointer) { wf_prefetch(address) }

  /// The lines of a block, wherever it begins.
  @inline(__always)
  static func block(_ start: UnsafeMutableRawPointer, bytes: Int) {
    var offset = 0
    while offset < bytes {
      wf_prefetch(start + offset)
      offset &+= lineBytes
    }
    wf_prefetch(start + (bytes &- 1))
  }
}
