/// Objects of a document of JSON as lines: the elements of a list, or the spans and log records of OpenTelemetry.
///
/// It holds one object at a time, however large the document is. White space between the words of an object is left
/// out.
final class DocumentStream: ByteStream {
  private let source: any ByteStream
  private let isTelemetry: Bool
  private let longest: Int
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1_024, alignment: 64)
  private var ready: [UInt8] = []
  private var given = 0
  private var state = State()

  /// Objects that are longer than a line may be.
  private(set) var tooLong = 0

  private struct State {
    var containers: [Container] = []
    /// Containers within the deepest that is kept.
    var deeper = 0
    var isInText = false
    var isEscaped = false
    /// The last text, as far as it can be a key that matters.
    var word: [UInt8] = []
    var isAfterColon = false
    /// How many containers there were where the object began that is being kept.
    var recordDepth: Int?
    var isResource = false
    var record: [UInt8] = []
    var isTooLong = false
    var resource: [UInt8] = []
  }

  private enum Container { case object, list, records, groups }

  private static let deepest = 32
  private static let longestKey = 20
  private static let longestResource = 8 * 1_024

  init(_ source: any ByteStream, isTelemetry: Bool, longest: Int) {
    (self.source, self.isTelemetry, self.longest) = (source, isTelemetry, longest)
  }

  deinit { chunk.deallocate() }

  var facts: StreamFacts { source.facts }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    while given == ready.count {
      (given, ready) = (0, [])
      let got = try source.read(into: chunk)
      guard got > 0 else { return 0 }
      ready.reserveCapacity(got + longest)
      for byte in chunk[..<got] { take(byte) }
    }
    let count = min(buffer.count, ready.count - given)
    ready.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<given + count])) }
    given += count
    return count
  }

  @inline(__always) private func take(_ byte: UInt8) {
    if state.isInText { return takeOfText(byte) }
    guard byte > 0x20 else { return }
    switch byte {
    case UInt8(ascii: "\""):
      state.isInText = true
      state.word.removeAll(keepingCapacity: true)
      keep(byte)
    case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close(byte)
    default: keep(byte)
    }
    if byte != UInt8(ascii: "\"") { state.isAfterColon = byte == UInt8(ascii: ":") }
  }

  @inline(__always) private func takeOfText(_ byte: UInt8) {
    // No text of JSON holds a line's end: what came before is torn.
    guard byte != 0x0A else {
      state = State()
      return
    }
    keep(byte)
    if state.isEscaped {
      state.isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      state.isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      state.isInText = false
    } else if state.recordDepth == nil, state.word.count < Self.longestKey {
      state.word.append(byte)
    }
  }

  @inline(__always) private func keep(_ byte: UInt8) {
    guard state.recordDepth != nil else { return }
    guard state.record.count < longest else {
      state.isTooLong = true
      return
    }
    state.record.append(byte)
  }

  private func open(_ byte: UInt8) {
    if state.recordDepth == nil, byte == UInt8(ascii: "{"), state.deeper == 0 { beginRecord() }
    keep(byte)
    guard state.containers.count < Self.deepest else {
      state.deeper += 1
      return
    }
    state.containers.append(kind(byte))
  }

  private func beginRecord() {
    let isResource = isTelemetry && isKey("resource")
    if state.containers.last == .groups { state.resource = [] }
    let isRecord = isTelemetry ? state.containers.last == .records : state.containers.last != .object
    guard isRecord || isResource else { return }
    (state.recordDepth, state.isResource, state.isTooLong) = (state.containers.count, isResource, false)
    state.record.removeAll(keepingCapacity: true)
  }

  private func isKey(_ key: String) -> Bool { state.isAfterColon && state.word.elementsEqual(key.utf8) }

  private func kind(_ byte: UInt8) -> Container {
    guard byte == UInt8(ascii: "[") else { return .object }
    guard isTelemetry, state.recordDepth == nil else { return .list }
    if isKey("spans") || isKey("logRecords") { return .records }
    return isKey("resourceSpans") || isKey("resourceLogs") ? .groups : .list
  }

  private func close(_ byte: UInt8) {
    keep(byte)
    if state.deeper > 0 {
      state.deeper -= 1
      return
    }
    _ = state.containers.popLast()
    guard state.recordDepth == state.containers.count else { return }
    endRecord()
    state.recordDepth = nil
  }

  private func endRecord() {
    if state.isResource {
      if state.record.count <= Self.longestResource { state.resource = state.record }
    } else if state.isTooLong || state.record.count + state.resource.count + 32 > longest {
      tooLong += 1
    } else if isTelemetry {
      ready += Array("{\"resource\":".utf8) + (state.resource.isEmpty ? Array("null".utf8) : state.resource)
      ready += Array(",\"record\":".utf8) + state.record
      ready += [UInt8(ascii: "}"), 0x0A]
    } else {
      ready += state.record
      ready.append(0x0A)
    }
  }
}
