internal import Platform

/// A window of a file's bytes as they lie on the disk, moved by whoever reads on.
final class InputWindow {
  private static let size = 256 * 1_024

  private let descriptor: Int32
  private let isOwned: Bool
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
  private var place = 0
  private var end = 0
  private let progress: LogProgress
  /// Bytes that were read from the file.
  private(set) var total = 0

  init(_ input: LogInput, _ progress: LogProgress) throws(LogProblem) {
    self.progress = progress
    isOwned = input.path != "-"
    // A pipe waits for who writes; what was a file and is a pipe by now must not.
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (input.size == nil ? 0 : O_NONBLOCK)
    descriptor = isOwned ? open(input.path, flags) : STDIN_FILENO
    guard descriptor >= 0 else { throw .cannotOpen(errno) }
    OpenFiles.willBeReadInOrder(descriptor)
  }

  deinit {
    if isOwned { close(descriptor) }
    buffer.deallocate()
  }

  /// Bytes that were taken out of the window.
  var consumed: Int { total - (end - place) }

  /// What lies in the window.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[place..<end]) }

  func advance(_ count: Int) {
    assert(count <= end - place)
    place += count
  }

  /// Reads on until the window holds some bytes, or the file ends.
  func fill(atLeast count: Int) throws(LogProblem) {
    guard end - place < count else { return }
    // Handles parts that overlap.
    buffer.copyMemory(from: rest)
    (place, end) = (0, end - place)
    while end < count {
      let got = try system(UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      guard got > 0 else { return }
      end += got
    }
  }

  /// What is left of the window, or straight from the file.
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
      let got = Platform.read(descriptor, output.baseAddress, output.count)
      if got >= 0 {
        total += got
        progress.add(got)
        return got
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, -1)
      default: throw .cannotRead(errno)
      }
    }
  }
}
