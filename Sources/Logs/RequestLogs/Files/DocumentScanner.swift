internal import Platform

/// An incremental scanner that finds the objects in a JSON document that represent records.
struct DocumentScanner {
  /// The complete records, each followed by a line ending.
  var ready: [UInt8] = []
  private(set) var tooLong = 0

  private let isTelemetry: Bool
  private let record: UnsafeMutableBufferPointer<UInt8>
  private var recordCount = 0
  /// The number of containers around the current record; `nil` if the scanner is not inside a record.
  private var recordDepth: Int?
  private var isResource = false
  private var isTooLong = false
  /// The OpenTelemetry resource of the records that follow, which names the server.
  private var resource: [UInt8] = []

  private var containers: [Container] = []
  /// The nesting depth of the scanner below the deepest container that it tracks.
  private var deeper = 0
  private var isInText = false
  private var isEscaped = false
  private var isAfterColon = false
  /// The most recent string outside records, truncated to the length of a relevant key.
  private var word: [UInt8] = []

  private enum Container { case object, list, records, groups }

  private static let deepest = 32
  private static let longestKey = 20
  private static let longestResource = 8 * 1_024
  /// The number of bytes that are added to an OpenTelemetry record and its resource to form a line.
  private static let frame = 40

  init(isTelemetry: Bool, longest: Int) {
    self.isTelemetry = isTelemetry
    record = .allocate(capacity: longest)
  }

  func free() { record.deallocate() }

  mutating func take(_ text: Text) {
    var place = 0
    while place < text.count { place = isInText ? takeText(text, place) : takeOther(text, place) }
  }

  /// - Returns: the position after the consumed bytes.
  private mutating func takeText(_ text: Text, _ start: Int) -> Int {
    var place = start
    if isEscaped {
      isEscaped = false
      place += 1
    }
    while place < text.count, !Self.endsRun(text[place]) { place += 1 }
    let isOver = place == text.count
    keep(text.slice(start, isOver ? place : place + 1))
    guard !isOver else { return place }
    switch text[place] {
    case UInt8(ascii: "\\"): isEscaped = true
    case UInt8(ascii: "\""): isInText = false
    // A JSON string cannot contain line endings, so the record before this line ending must be truncated.
    default: forget()
    }
    return place + 1
  }

  private static func endsRun(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x0A
  }

  private mutating func forget() {
    (recordDepth, deeper, isInText, isAfterColon) = (nil, 0, false, false)
    containers.removeAll(keepingCapacity: true)
  }

  private mutating func takeOther(_ text: Text, _ start: Int) -> Int {
    let byte = text[start]
    switch byte {
    case 0...0x20: return start + 1
    case UInt8(ascii: "\""):
      keep(text.slice(start, start + 1))
      isInText = true
      word.removeAll(keepingCapacity: true)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      open(text.slice(start, start + 1))
      isAfterColon = false
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      close(text.slice(start, start + 1))
      isAfterColon = false
    default:
      keep(text.slice(start, start + 1))
      isAfterColon = byte == UInt8(ascii: ":")
    }
    return start + 1
  }

  private mutating func keep(_ text: Text) {
    guard recordDepth != nil else {
      if isInText, word.count <= Self.longestKey { word += text.bytes.prefix { $0 != UInt8(ascii: "\"") } }
      return
    }
    guard let start = record.baseAddress, recordCount + text.count <= record.count else {
      isTooLong = true
      return
    }
    memcpy(start + recordCount, text.start, text.count)
    recordCount += text.count
  }

  private mutating func open(_ bracket: Text) {
    let isObject = bracket[0] == UInt8(ascii: "{")
    if recordDepth == nil, isObject, deeper == 0 { beginRecord() }
    keep(bracket)
    guard containers.count < Self.deepest else {
      deeper += 1
      return
    }
    containers.append(isObject ? .object : kindOfList)
  }

  private mutating func beginRecord() {
    if containers.last == .groups { resource = [] }
    isResource = isTelemetry && isKey("resource")
    let isRecord = isTelemetry ? containers.last == .records : containers.last != .object
    guard isRecord || isResource else { return }
    (recordDepth, recordCount, isTooLong) = (containers.count, 0, false)
  }

  private func isKey(_ key: StaticString) -> Bool { isAfterColon && word.withText { $0 == key } }

  private var kindOfList: Container {
    guard isTelemetry, recordDepth == nil else { return .list }
    if isKey("spans") || isKey("logRecords") { return .records }
    return isKey("resourceSpans") || isKey("resourceLogs") ? .groups : .list
  }

  private mutating func close(_ bracket: Text) {
    keep(bracket)
    if deeper > 0 {
      deeper -= 1
      return
    }
    _ = containers.popLast()
    guard recordDepth == containers.count else { return }
    endRecord()
    recordDepth = nil
  }

  private mutating func endRecord() {
    let bytes = UnsafeBufferPointer(rebasing: record[..<recordCount])
    if isResource {
      if !isTooLong, recordCount <= Self.longestResource { resource = Array(bytes) }
    } else if isTooLong || recordCount + resource.count + Self.frame > record.count {
      tooLong += 1
    } else if isTelemetry {
      ready += Self.beforeResource
      ready += resource.isEmpty ? Self.noResource : resource
      ready += Self.beforeRecord
      ready += bytes
      ready += [UInt8(ascii: "}"), 0x0A]
    } else {
      ready += bytes
      ready.append(0x0A)
    }
  }

  private static let beforeResource = Array("{\"resource\":".utf8)
  private static let noResource = Array("null".utf8)
  private static let beforeRecord = Array(",\"record\":".utf8)
}

/// A stream of the objects in a JSON document, one per line: the elements of a list, or OpenTelemetry spans and log
/// records.
///
/// The stream stores one object at a time, regardless of the document's size. White space between an object's tokens is
/// removed.
final class DocumentStream: ByteStream {
  private let source: any ByteStream
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1_024, alignment: 64)
  private var scanner: DocumentScanner
  private var given = 0

  init(_ source: any ByteStream, isTelemetry: Bool, longest: Int) {
    self.source = source
    scanner = DocumentScanner(isTelemetry: isTelemetry, longest: longest)
  }

  deinit {
    chunk.deallocate()
    scanner.free()
  }

  var facts: StreamFacts { source.facts }
  /// The number of objects that exceed the maximum line length.
  var tooLong: Int { scanner.tooLong }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(LogProblem) -> Int {
    while given == scanner.ready.count {
      given = 0
      scanner.ready.removeAll(keepingCapacity: true)
      let got = try source.read(into: chunk)
      guard got > 0, let start = chunk.baseAddress else { return 0 }
      scanner.take(Text(start.assumingMemoryBound(to: UInt8.self), got))
    }
    let count = min(buffer.count, scanner.ready.count - given)
    scanner.ready.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[given..<given + count]))
    }
    given += count
    return count
  }
}
