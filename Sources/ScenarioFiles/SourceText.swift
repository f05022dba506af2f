/// A text from which nodes come: the file, or one `--set` argument.
struct SourceText: Sendable {
  let name: String
  let bytes: [UInt8]
  private let lineStarts: [Int]

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    lineStarts = SourceText.lineStarts(of: bytes)
  }

  /// Where lines begin; LF, CRLF and CR end one.
  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    for (index, byte) in bytes.enumerated() {
      let isReturnAlone = byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A)
      if byte == 0x0A || isReturnAlone { starts.append(index + 1) }
    }
    return starts
  }

  /// The scalars of a line counted from 1, without its end.
  func line(_ number: Int) -> [Unicode.Scalar] {
    guard number >= 1, number <= lineStarts.count else { return [] }
    let stop = number < lineStarts.count ? lineStarts[number] : bytes.count
    let scalars = String(decoding: bytes[lineStarts[number - 1]..<stop], as: UTF8.self).unicodeScalars
    return scalars.filter { $0 != "\n" && $0 != "\r" }
  }

  /// The place of a byte.
  func place(ofByte offset: Int, source: Int) -> Span {
    var number = lineStarts.partitioningIndex { $0 > offset }
    number = max(number, 1)
    let prefix = String(decoding: bytes[lineStarts[number - 1]..<min(offset, bytes.count)], as: UTF8.self)
    return Span(source: source, line: number, column: prefix.unicodeScalars.count + 1, length: 1)
  }
}

/// A place in a source text.
struct Span: Hashable, Sendable {
  /// 0: the file; from 1: a `--set` argument.
  var source: Int
  /// Counted from 1.
  var line: Int
  /// In Unicode scalars, counted from 1.
  var column: Int
  /// In Unicode scalars; at least 1.
  var length: Int
}

extension Array {
  /// The first index whose element satisfies a predicate that is false, then true.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
