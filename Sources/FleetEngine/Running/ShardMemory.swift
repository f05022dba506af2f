internal import Glibc

/// Memory for many small blocks that are read in no order: on large pages, where the system has them.
struct ShardMemory: ~Copyable {
  let start: UnsafeMutableRawPointer

  private static let largePage = 2 << 20
  /// MADV_HUGEPAGE of linux/mman.h.
  private static let wantsLargePages: Int32 = 14

  init(bytes: Int) {
    let size = (max(bytes, 1) + Self.largePage - 1) / Self.largePage * Self.largePage
    start = .allocate(byteCount: size, alignment: Self.largePage)
    // A wish: without it the same, slower.
    madvise(start, size, Self.wantsLargePages)
  }

  deinit { start.deallocate() }
}
