/// Functions that remove personal and unprintable content from text.
enum NameCleaner {
  /// The maximum number of segments in the displayed name of a path; any further segments are replaced by `...`.
  static let maxSegments = 6
  /// The maximum length of a path segment in bytes; longer segments are treated as IDs.
  static let longestSegment = 32
  /// The minimum number of hexadecimal digits in a segment that is treated as an ID.
  private static let shortestHex = 8
  /// The minimum number of hexadecimal digits in an ID if at least two of them are not letters. Words such as `facade`
  /// consist only of letters.
  private static let shortestMixed = 6

  private static let number = Array("{number}".utf8)
  private static let id = Array("{id}".utf8)
  private static let rest = Array("...".utf8)

  /// Calls `body` with the name of a path without its query, such as `/v2/widgets/{number}/{id}`.
  static func withPath<Result>(_ text: Text, _ body: (Text) -> Result) -> Result {
    guard text.bytes.allSatisfy(isPlain) else { return path(text).withText(body) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maxBytes) { buffer in
      guard let start = buffer.baseAddress else { return body(.empty) }
      return body(Text(start, writePath(text, start)))
    }
  }

  /// Returns whether a byte is printable and cannot start an escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !Escapes.mayBegin(byte)
  }

  /// The maximum length of a name in bytes, which is sufficient for six segments with their slashes and for the final
  /// `...`.
  private static let maxBytes = maxSegments * (longestSegment + 1) + 8

  /// - Returns: the number of bytes written.
  private static func writePath(_ text: Text, _ output: UnsafeMutablePointer<UInt8>) -> Int {
    var (count, place, segments) = (0, 0, 0)
    func write(_ bytes: [UInt8]) {
      for byte in bytes {
        output[count] = byte
        count += 1
      }
    }
    while place < text.count {
      guard text[place] != UInt8(ascii: "/") else {
        place += 1
        continue
      }
      let end = text.place(of: UInt8(ascii: "/"), from: place) ?? text.count
      output[count] = UInt8(ascii: "/")
      count += 1
      guard segments < maxSegments else {
        write(rest)
        return count
      }
      let segment = text.slice(place, end)
      if segment.bytes.allSatisfy(Letters.isDigit) {
        write(number)
      } else if isPersonal(segment.bytes) {
        write(id)
      } else {
        (output + count).update(from: segment.start, count: segment.count)
        count += segment.count
      }
      (place, segments) = (end, segments + 1)
    }
    if count == 0 || text.count > 1 && text[text.count - 1] == UInt8(ascii: "/") {
      output[count] = UInt8(ascii: "/")
      count += 1
    }
    return count
  }

  /// Returns the name of a path that contains escapes or unprintable characters.
  static func path(_ text: Text) -> [UInt8] {
    var (name, segments) = ([UInt8](), 0)
    for segment in Escapes.percentAndHex(Array(text.bytes)).split(separator: UInt8(ascii: "/")) {
      name.append(UInt8(ascii: "/"))
      guard segments < maxSegments else { return name + rest }
      name += self.segment(Array(segment))
      segments += 1
    }
    if name.isEmpty || text.count > 1 && text[text.count - 1] == UInt8(ascii: "/") { name.append(UInt8(ascii: "/")) }
    return name
  }

  /// Returns a word in printable form, or a placeholder if the word may identify a person.
  static func segment(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    if bytes.allSatisfy(Letters.isDigit) { return number }
    return isPersonal(bytes) ? id : printable(bytes)
  }

  /// Returns whether a word may identify a person, because it is long, is an email address or contains a hexadecimal
  /// ID.
  private static func isPersonal(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count > longestSegment || bytes.contains(UInt8(ascii: "@")) || holdsKey(bytes)
  }

  /// Returns whether the letters and digits form a hexadecimal number, as in UUIDs, hashes and tokens.
  private static func holdsKey(_ bytes: some Sequence<UInt8>) -> Bool {
    var (length, digits) = (0, 0)
    for byte in bytes {
      if Letters.hex(byte) != nil {
        length += 1
        if Letters.isDigit(byte) { digits += 1 }
        if digits > 0, length >= shortestHex || length >= shortestMixed && digits > 1 { return true }
      } else if byte != UInt8(ascii: "-") {
        (length, digits) = (0, 0)
      }
    }
    return false
  }

  /// Returns printable UTF-8 without control characters or changes of writing direction.
  static func printable(_ bytes: [UInt8]) -> [UInt8] {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    guard !isPlain else { return bytes }
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      text.append(isShown(scalar) ? scalar : "\u{FFFD}")
    }
    return Array(String(text).utf8)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
