internal import Platform

/// A file that is looked at before it is read, to tell whether another holds the same.
final class Glance {
  private static let part = 64 * 1_024
  private static let largePart = 1 << 20

  private let descriptor: Int32
  private let size: Int

  /// nil: it cannot be opened, nobody knows its length, or it is empty.
  init?(_ input: LogInput) {
    guard let size = input.size, size > 0 else { return nil }
    descriptor = open(input.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    self.size = size
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A hash of its length, how it begins and how it ends; nil: it cannot be read.
  func fingerprint(_ hash: SipHash) -> Fingerprint? {
    let parts = [0, max(size - Self.part, 0)].map { bytes(at: $0, count: Self.part) }
    guard let begin = parts[0], let end = parts[1] else { return nil }
    return Fingerprint(size: size, begin: hash(begin), end: hash(end))
  }

  /// What its last member says of itself; nil: it is no gzip.
  var trailer: GzipTrailer? {
    guard size > 18, bytes(at: 0, count: 2) == [0x1F, 0x8B] else { return nil }
    return bytes(at: size - 8, count: 8).flatMap { GzipTrailer($0) }
  }

  /// What gzip would say of it; it is read as a whole for that.
  var ownTrailer: GzipTrailer? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.largePart, alignment: 64)
    defer { buffer.deallocate() }
    var place = 0
    return GzipTrailer(size: size) {
      let got = read(buffer, at: place)
      place += got
      return got > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<got]) : nil
    }
  }

  private func bytes(at place: Int, count: Int) -> [UInt8]? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
    defer { buffer.deallocate() }
    let got = read(buffer, at: place)
    return got > 0 ? Array(buffer[..<got]) : nil
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
    var count = 0
    while count < buffer.count, let start = buffer.baseAddress {
      let got = pread(descriptor, start + count, buffer.count - count, off_t(place + count))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { break }
      count += got
    }
    return count
  }
}

/// What files with the same bytes have in common.
struct Fingerprint: Hashable {
  fileprivate let size: Int
  fileprivate let begin: UInt64
  fileprivate let end: UInt64
}
