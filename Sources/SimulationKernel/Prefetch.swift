public import CProcessor

/// Asks for memory ahead of its use, so that waiting for it and working on something else overlap.
public enum Prefetch {
  @usableFromInline static var lineBytes: Int { Int(WF_CACHE_LINE) }

  /// The line of an address; no address is wrong.
  @inlinable @inline(__always)
  public static func line(_ address: UnsafeMutableRawPointer) { wf_prefetch(address) }

  /// The lines of a block, wherever it begins.
  @inlinable @inline(__always)
  public static func block(_ start: UnsafeMutableRawPointer, bytes: Int) {
    var offset = 0
    while offset < bytes {
      wf_prefetch(start + offset)
      offset &+= lineBytes
    }
    wf_prefetch(start + (bytes &- 1))
  }
}
