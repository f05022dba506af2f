/// Objects of a document of JSON as lines: the elements of a list, or the spans and log records of OpenTelemetry.
///
/// It holds one object at a time, however large the document is. White space between the words of an object is left
/// out.
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
  /// Objects that are longer than a line may be.
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
