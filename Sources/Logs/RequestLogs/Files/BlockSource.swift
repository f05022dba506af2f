internal import Platform
import RequestStatistics

/// A source of blocks of lines, each of which contains only whole lines of a file's text.
final class BlockSource {
  private let stream: any ByteStream
  private let limits: LogOptions.Limits
  /// The beginning of a line that continues in the next block.
  private var carry: ArraySlice<UInt8> = []
  /// Whether the remaining part of an overlong line is being skipped.
  private var isSkipping = false
  private var isOver = false
  private(set) var problem: LogProblem?
  private(set) var textBytes = 0
  private(set) var tooLong = 0
  private(set) var tornLines = 0

  init(_ stream: any ByteStream, _ limits: LogOptions.Limits) { (self.stream, self.limits) = (stream, limits) }

  var facts: StreamFacts { stream.facts }

  /// The number of overlong lines, including overlong objects in a document.
  var allTooLong: Int { tooLong + ((stream as? DocumentStream)?.tooLong ?? 0) }

  /// Fills a block with the next lines, including their line endings.
  ///
  /// - Returns: whether the block contains any lines.
  func next(_ block: LineBlock) -> Bool {
    repeat {
      block.count = 0
      block.append(carry)
      carry = []
      fill(block)
      if isSkipping { skip(block) }
      if isOver { closeLastLine(block) } else { keepOpenLine(block) }
    } while block.count == 0 && !isOver
    return block.count > 0
  }

  private func fill(_ block: LineBlock) {
    let full = LineBlock.size
    do throws(LogProblem) {
      while block.count < full {
        let got = try stream.read(into: block.free)
        guard got > 0 else {
          isOver = true
          return
        }
        block.count += got
        textBytes += got
      }
    } catch {
      (problem, isOver) = (error, true)
    }
  }

  private func skip(_ block: LineBlock) {
    guard let end = block.text.place(of: 0x0A) else {
      block.count = 0
      return
    }
    block.dropFirst(end + 1)
    isSkipping = false
  }

  private func keepOpenLine(_ block: LineBlock) {
    guard !isSkipping else { return }
    let open = block.open ?? ArraySlice(block.text.bytes)
    block.count -= open.count
    if open.count <= limits.line {
      carry = open
    } else {
      (isSkipping, tooLong) = (true, tooLong + 1)
    }
  }

  /// Terminates the last line if the file ends without a newline.
  private func closeLastLine(_ block: LineBlock) {
    let open = isSkipping ? [] : block.open ?? ArraySlice(block.text.bytes)
    if isSkipping { block.count = 0 }
    guard !open.isEmpty else { return }
    if problem != nil || facts.isTorn {
      block.count -= open.count
      tornLines += 1
    } else {
      block.append([0x0A])
    }
  }
}

/// A buffer of whole lines, filled and read by one thread at a time.
///
/// `@unchecked` is safe because one thread creates and owns the block, and waits while it is filled from a file.
final class LineBlock: @unchecked Sendable {
  /// The number of bytes to read at a time. It is large enough to avoid contention between threads, and small enough to
  /// fit into a processor's cache.
  static let size = 512 * 1_024

  private let memory: UnsafeMutableRawBufferPointer
  var count = 0
  /// The file from which the lines were read.
  var file: LogFile?
  /// The server that wrote the lines; it applies unless a line names its server.
  var node = NameIndex.none
  /// The plan for parsing the lines.
  var plan: LinePlan?

  init(longestLine: Int) { memory = .allocate(byteCount: Self.size + 2 * longestLine, alignment: 64) }

  deinit { memory.deallocate() }

  /// The unused memory after the bytes, excluding one byte that is reserved to terminate the last line.
  var free: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: memory[count..<memory.count - 1]) }

  var text: Text {
    guard let start = memory.baseAddress else { return .empty }
    return Text(UnsafePointer(start.assumingMemoryBound(to: UInt8.self)), count)
  }

  func append(_ bytes: some Sequence<UInt8>) {
    for byte in bytes where count < memory.count {
      memory[count] = byte
      count += 1
    }
  }

  func dropFirst(_ bytes: Int) {
    let rest = UnsafeRawBufferPointer(rebasing: memory[bytes..<count])
    memory.copyMemory(from: rest)
    count -= bytes
  }

  /// The incomplete line after the last line ending; `nil` if there is none.
  var open: ArraySlice<UInt8>? {
    var place = count
    while place > 0, memory[place - 1] != 0x0A { place -= 1 }
    guard place > 0 else { return nil }
    return ArraySlice(memory[place..<count] as Slice<UnsafeMutableRawBufferPointer>)
  }
}

/// A reader of file properties that are used to detect other files with the same content.
final class FileProbe {
  private static let part = 64 * 1_024
  private static let largePart = 1 << 20

  private let descriptor: Int32
  private let size: Int

  /// Opens a file; fails if the file cannot be opened, is empty, or has an unknown size.
  init?(_ input: LogInput) {
    guard let size = input.size, size > 0 else { return nil }
    descriptor = open(input.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    self.size = size
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns a hash of the file's size, start and end; `nil` if the file cannot be read.
  func fingerprint(_ hash: SipHash) -> Fingerprint? {
    let parts = [0, max(size - Self.part, 0)].map { bytes(at: $0, count: Self.part) }
    guard let begin = parts[0], let end = parts[1] else { return nil }
    return Fingerprint(size: size, begin: hash(begin), end: hash(end))
  }

  /// The trailer of the file's last gzip member; `nil` if the file is not a gzip file.
  var trailer: GzipTrailer? {
    guard size > 18, bytes(at: 0, count: 2) == [0x1F, 0x8B] else { return nil }
    return bytes(at: size - 8, count: 8).flatMap { GzipTrailer($0) }
  }

  /// The trailer that gzip would write for the file; computing it requires reading the whole file.
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

/// A hash that is equal for files with the same bytes.
struct Fingerprint: Hashable {
  fileprivate let size: Int
  fileprivate let begin: UInt64
  fileprivate let end: UInt64
}

/// A search for inputs with the same content as an earlier input.
struct Duplicates {
  /// The index of the first input with the same content, for each input; `nil` for that first input.
  private(set) var originals: [Int?]

  init(_ inputs: [LogInput], _ hash: SipHash) {
    originals = inputs.map { _ in nil }
    findSameBytes(inputs, hash)
    findPacked(inputs)
  }

  /// Finds files that are listed under two names, and files with the same bytes.
  private mutating func findSameBytes(_ inputs: [LogInput], _ hash: SipHash) {
    for (size, group) in Dictionary(grouping: inputs.indices, by: { inputs[$0].size }) {
      guard size != nil, group.count > 1 else { continue }
      var identities: [LogInput.Identity: Int] = [:]
      var fingerprints: [Fingerprint: Int] = [:]
      for index in group {
        if let identity = inputs[index].identity, let first = identities[identity] {
          originals[index] = first
        } else if let print = FileProbe(inputs[index])?.fingerprint(hash) {
          originals[index] = fingerprints[print]
          if fingerprints[print] == nil { fingerprints[print] = index }
        }
        if let identity = inputs[index].identity { identities[identity] = originals[index] ?? index }
      }
    }
  }

  /// Finds files that another file contains in compressed form. The length and checksum of such a file equal those of
  /// the last member of the gzip file.
  ///
  /// The uncompressed file is skipped, because the gzip file may contain more data.
  private mutating func findPacked(_ inputs: [LogInput]) {
    var packed: [GzipTrailer: Int] = [:]
    for index in inputs.indices.reversed() where originals[index] == nil {
      if let trailer = FileProbe(inputs[index])?.trailer { packed[trailer] = index }
    }
    let sizes = Set(packed.keys.map(\.size))
    for index in inputs.indices where originals[index] == nil && !packed.values.contains(index) {
      guard let size = inputs[index].size, sizes.contains(UInt32(truncatingIfNeeded: size)) else { continue }
      if let trailer = FileProbe(inputs[index])?.ownTrailer { originals[index] = packed[trailer] }
    }
  }
}
