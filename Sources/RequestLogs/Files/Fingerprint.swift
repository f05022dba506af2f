internal import Glibc

/// What files with the same bytes have in common: their length, and a hash of how they begin and end.
struct Fingerprint: Hashable {
  private let size: Int
  private let begin: UInt64
  private let end: UInt64

  private static let part = 64 * 1_024

  /// nil: it cannot be read, or nobody knows its length.
  init?(_ input: LogInput, _ hash: SipHash) {
    guard let size = input.size, size > 0 else { return nil }
    let descriptor = open(input.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let begin = Self.hash(descriptor, at: 0, hash),
      let end = Self.hash(descriptor, at: max(size - Self.part, 0), hash)
    else { return nil }
    (self.size, self.begin, self.end) = (size, begin, end)
  }

  private static func hash(_ descriptor: Int32, at place: Int, _ hash: SipHash) -> UInt64? {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: part)
    defer { buffer.deallocate() }
    var count = 0
    while count < part {
      let got = pread(descriptor, buffer + count, part - count, place + count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 { break }
      count += got
    }
    return hash(Text(buffer, count))
  }
}
