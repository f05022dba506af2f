/// A JSON document as it was read.
package indirect enum JSONNode: Sendable {
  case object([String: JSONNode], line: Int)
  case array([JSONNode])
  case string(String)
  case number(Quantity)
  case boolean(Bool)
  case null
}

/// Reads resolved scenarios, which we write as JSON; nothing in a text can make it trap or recurse deeply.
package struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  private static let deepest = 16

  package static func read(_ bytes: [UInt8]) throws(StoredFileError) -> JSONNode {
    var reader = JSONReader(bytes: bytes)
    let node = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.damaged("something follows the document") }
    return node
  }

  private func damaged(_ message: String) -> StoredFileError {
    StoredFileError("is damaged at line \(line): \(message)")
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      if byte == 0x0A { line += 1 }
      position += 1
    }
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(StoredFileError) {
    skipSpace()
    guard byte == UInt8(ascii: character) else {
      throw damaged(byte == nil ? "the file ends too early" : "'\(character)' is missing")
    }
    position += 1
  }

  private mutating func has(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard byte == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(StoredFileError) -> JSONNode {
    guard depth < Self.deepest else { throw damaged("too deep") }
    skipSpace()
    switch byte {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    default: return try plain()
    }
  }

  private mutating func object(_ depth: Int) throws(StoredFileError) -> JSONNode {
    let line = line
    try expect("{")
    var fields: [String: JSONNode] = [:]
    if has("}") { return .object(fields, line: line) }
    repeat {
      skipSpace()
      let key = try string()
      try expect(":")
      fields[key] = try value(depth: depth + 1)
    } while has(",")
    try expect("}")
    return .object(fields, line: line)
  }

  private mutating func array(_ depth: Int) throws(StoredFileError) -> JSONNode {
    try expect("[")
    var elements: [JSONNode] = []
    if has("]") { return .array(elements) }
    repeat { elements.append(try value(depth: depth + 1)) } while has(",")
    try expect("]")
    return .array(elements)
  }

  /// A number or one of the three words.
  private mutating func plain() throws(StoredFileError) -> JSONNode {
    let start = position
    while let byte, !", ]}\n\r\t:\"[{".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default: break
    }
    if let whole = Int128(text) { return .number(.whole(whole)) }
    guard let first = text.utf8.first, "-0123456789".utf8.contains(first), let real = Double(text), real.isFinite else {
      throw damaged(text.isEmpty ? "a value is missing" : "'\(text.prefix(20))' is no value")
    }
    return .number(.real(real))
  }

  private mutating func string() throws(StoredFileError) -> String {
    try expect("\"")
    var content: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw damaged("a text does not end on its line") }
      position += 1
      if byte == UInt8(ascii: "\\") { content += try escape() } else { content.append(byte) }
    }
    try expect("\"")
    guard let text = String(validating: content, as: UTF8.self) else { throw damaged("not UTF-8") }
    return text
  }

  private mutating func escape() throws(StoredFileError) -> [UInt8] {
    guard let letter = byte else { throw damaged("the file ends too early") }
    position += 1
    switch letter {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "u"): break
    default: throw damaged("an unknown escape in a text")
    }
    let digits = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
    guard digits.utf8.count == 4, let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else {
      throw damaged("an unknown escape in a text")
    }
    position += 4
    return Array(String(scalar).utf8)
  }
}
