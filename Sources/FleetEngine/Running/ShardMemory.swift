internal import Platform

/// Memory for many small blocks that are read in no order: on large pages, where the system has them.
struct ShardMemory: ~Copyable {
  let start: UnsafeMutableRawPointer

  private static let largePage = 2 << 20

  init(bytes: Int) {
    let size = Self.size(of: bytes)
    guard size >= Self.largePage else {
      start = .allocate(byteCount: size, alignment: 64)
      return
    }
    start = .allocate(byteCount: size, alignment: Self.largePage)
    Machine.wantLargePages(start, bytes: size)
  }

  /// Bytes that are taken for so many: whole large pages, if it is worth one.
  static func size(of bytes: Int) -> Int {
    bytes < largePage ? max(bytes, 1) : (bytes + largePage - 1) / largePage * largePage
  }

  deinit { start.deallocate() }
}
