/// The format in which a container runtime or a log shipper wraps each log line.
///
/// Docker writes `{"log": "...\n", "stream": "stdout", "time": "..."}`. Containerd writes the time, the stream and a
/// flag before each line. The wrapped line also contains a timestamp.
struct Envelope: Sendable {
  enum Form: Hashable, Sendable {
    /// The wrapped line is the value of this key in a JSON object.
    case key(String)
    /// Three words precede the wrapped line.
    case words
  }

  let form: Form

  /// The JSON keys that may contain the wrapped line, most specific first.
  private static let keys = ["log", "message", "msg", "MESSAGE", "line", "@message", "textPayload", "body"]
  /// The names of output streams in lines written by containerd.
  private static let streams = ["stdout", "stderr"]

  /// Returns the envelope of some lines; `nil` if they are not wrapped.
  static func find(_ lines: [Text]) -> Envelope? {
    guard let first = lines.first else { return nil }
    let some = lines.prefix(20)
    let forms = keys.map { Form.key($0) } + [.words]
    return forms.map(Envelope.init).first { envelope in
      guard let inner = envelope.content(of: first), inner.count >= fewestBytes else { return false }
      return some.count { envelope.content(of: $0) != nil } * 2 > some.count
    }
  }

  /// The minimum length of a line of an access log, in bytes.
  private static let fewestBytes = 30

  /// Returns the wrapped line without its line ending; `nil` if the given line is not wrapped.
  func content(of line: Text) -> [UInt8]? {
    switch form {
    case .key(let key): Self.member(key, of: line)
    case .words: Self.afterWords(line)
    }
  }

  private static func member(_ key: String, of line: Text) -> [UInt8]? {
    guard line.count > 2, line[0] == UInt8(ascii: "{") else { return nil }
    var found: [UInt8]?
    ObjectLines.visitMembers(line) { name, value in
      guard found == nil, name.string == key else { return }
      var bytes = [UInt8](repeating: 0, count: value.count)
      let count = bytes.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { Escapes.json(value, to: $0) } ?? 0
      }
      bytes.removeLast(value.count - count)
      while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
      found = bytes
    }
    // A plain sentence in a record is not treated as a wrapped line.
    guard let found, found.contains(0x20), found.contains(where: { "\"{[".utf8.contains($0) }) else { return nil }
    return found
  }

  private static func afterWords(_ line: Text) -> [UInt8]? {
    let parts = line.bytes.split(separator: 0x20, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[2].count == 1, streams.contains(String(decoding: parts[1], as: UTF8.self)),
      parts[0].contains(UInt8(ascii: "T"))
    else { return nil }
    return Array(parts[3])
  }
}

/// A stream of wrapped lines without their envelopes; other lines are unchanged.
final class EnvelopeStream: ByteStream {
  private let source: any ByteStream
  private let envelope: Envelope
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1_024, alignment: 64)
  private var pending: [UInt8] = []
  private var ready: [UInt8] = []
  private var given = 0
  private var isOver = false

  /// The maximum length of a record in bytes; longer lines are split.
  private static let longest = 1 << 20

  init(_ source: any ByteStream, _ envelope: Envelope) { (self.source, self.envelope) = (source, envelope) }

  deinit { chunk.deallocate() }

  var facts: StreamFacts { source.facts }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    while given == ready.count {
      guard !isOver else { return 0 }
      (ready, given) = ([], 0)
      let got = try source.read(into: chunk)
      if got > 0 {
        pending.append(contentsOf: chunk[..<got])
      } else {
        isOver = true
      }
      unwrap()
    }
    let count = min(buffer.count, ready.count - given)
    ready.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<given + count])) }
    given += count
    return count
  }

  /// Moves the complete lines to `ready`; at the end of the stream, this includes an unterminated line.
  private func unwrap() {
    var first = 0
    pending.withText { text in
      while first < text.count {
        guard
          let end = text.place(of: 0x0A, from: first)
            ?? (isOver || text.count - first > Self.longest ? text.count : nil)
        else { break }
        let line = text.slice(first, end).trimmedEnd
        ready += envelope.content(of: line) ?? Array(line.bytes)
        ready.append(0x0A)
        first = min(end + 1, text.count)
      }
    }
    pending.removeFirst(first)
  }
}
