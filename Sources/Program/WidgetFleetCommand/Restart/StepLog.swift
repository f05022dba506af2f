import FleetReports
import SimulationKernel

/// The arrivals at all endpoints in each step, in the form of a file.
///
/// The file starts with an identifying line, followed by the numbers of each step and a checksum of everything before
/// it. If the file is truncated within a step, earlier steps can still be read, but a modified file is rejected.
struct StepLog {
  private let endpoints: Int
  private var seal: [UInt8]
  /// The bytes not yet written to the file.
  private(set) var fresh: [UInt8]

  private static let sealLength = 8

  /// Creates a log without any steps.
  init(of name: String, endpoints: Int) {
    self.endpoints = endpoints
    fresh = Self.head(name, endpoints)
    seal = Self.seal(of: fresh)
  }

  private static func head(_ name: String, _ endpoints: Int) -> [UInt8] {
    Array("widgetfleet steps 1 \(name) \(endpoints)\n".utf8)
  }

  private static func seal(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.digest(of: bytes).prefix(sealLength)) }

  /// Adds the arrivals in a step.
  mutating func add(_ arrivals: UnsafeBufferPointer<Int64>) {
    var record: [UInt8] = []
    record.reserveCapacity(arrivals.count * 8 + Self.sealLength)
    for count in arrivals { withUnsafeBytes(of: count.littleEndian) { record.append(contentsOf: $0) } }
    seal = Self.seal(of: seal + record)
    fresh += record + seal
  }

  /// Returns the bytes not yet written to the file, and marks them as written.
  mutating func takeFresh() -> [UInt8] {
    defer { fresh = [] }
    return fresh
  }

  /// Reads a log from the content of a file.
  ///
  /// - Returns: the log, the arrivals in all complete steps, and the length of these steps in bytes; `nil` if the file
  ///   was truncated within its first line.
  /// - Throws: `SealError` if the file was modified, or if it is not the log with this name.
  static func read(
    _ bytes: [UInt8], of name: String
  ) throws(SealError) -> (log: StepLog, arrivals: [Int64], length: Int)? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 5, let endpoints = Int(words[4]), (0...1_000_000).contains(endpoints) else {
      throw SealError()
    }
    var log = StepLog(of: name, endpoints: endpoints)
    guard bytes.starts(with: log.takeFresh()) else { throw SealError() }
    var (arrivals, place) = ([Int64](), end + 1)
    let length = endpoints * 8 + sealLength
    while place + length <= bytes.count {
      let numbers = (0..<endpoints).map { endpoint in
        Int64(
          littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place + endpoint * 8, as: Int64.self) }
        )
      }
      numbers.withUnsafeBufferPointer { log.add($0) }
      guard log.takeFresh().elementsEqual(bytes[place..<place + length]) else { throw SealError() }
      arrivals += numbers
      place += length
    }
    return (log, arrivals, place)
  }
}

/// An error for a file that was modified, or whose identifying line is not the expected one.
struct SealError: Error {}

/// Bytes preceded by an identifying line and followed by their SHA-256 hash.
enum SealedBytes {
  private static let sealLength = 64

  /// Writes the identifying line, the given pieces and their checksum to a file.
  static func write(as what: String, to file: FileInMaking, _ pieces: (_ append: ([UInt8]) -> Void) -> Void) {
    let hash = Locked(SHA256())
    file.append(head(what))
    pieces { piece in
      hash.withLock { $0.add(piece) }
      file.append(piece)
    }
    file.append(Array(hash.withLock { $0.hexadecimal }.utf8))
  }

  static func opened(_ bytes: [UInt8], as what: String) throws(SealError) -> [UInt8] {
    let head = head(what)
    guard bytes.count >= head.count + sealLength, bytes.starts(with: head) else { throw SealError() }
    let content = Array(bytes[head.count..<bytes.count - sealLength])
    guard bytes.suffix(sealLength).elementsEqual(SHA256.hexadecimal(of: content).utf8) else { throw SealError() }
    return content
  }

  private static func head(_ what: String) -> [UInt8] { Array("widgetfleet \(what) 1\n".utf8) }
}
