/// An object of JSON whose values are texts, whole numbers, truths or null.
enum FlatObject {
  enum Value: Hashable {
    case text(String)
    case number(Int64)
    case truth(Bool)
    case null

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
    var truth: Bool? { if case .truth(let truth) = self { truth } else { nil } }
  }

  /// nil: it is no such object; of equal names the last counts.
  static func members(of line: ArraySlice<UInt8>) -> [String: Value]? {
    var reader = FlatReader(rest: line)
    guard reader.take("{") else { return nil }
    var members: [String: Value] = [:]
    if reader.take("}") { return reader.isAtEnd ? members : nil }
    repeat {
      guard let name = reader.text(), reader.take(":"), let value = reader.value() else { return nil }
      members[name] = value
    } while reader.take(",")
    return reader.take("}") && reader.isAtEnd ? members : nil
  }
}

/// Reads from the first byte on.
private struct FlatReader {
  var rest: ArraySlice<UInt8>

  private mutating func skipBlanks() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return rest.isEmpty
    }
  }

  /// Takes a word if it comes next.
  mutating func take(_ word: StaticString) -> Bool {
    skipBlanks()
    let count = word.utf8CodeUnitCount
    let isNext = word.withUTF8Buffer { rest.prefix(count).elementsEqual($0) }
    if isNext { rest = rest.dropFirst(count) }
    return isNext
  }

  mutating func value() -> FlatObject.Value? {
    if take("true") { return .truth(true) }
    if take("false") { return .truth(false) }
    if take("null") { return .null }
    if rest.first == UInt8(ascii: "\"") { return text().map { .text($0) } }
    let digits = rest.prefix { $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    return Int64(String(decoding: digits, as: UTF8.self)).map { .number($0) }
  }

  mutating func text() -> String? {
    guard take("\"") else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = escaped() else { return nil }
        bytes += escaped
      case 0..<32: return nil
      default: bytes.append(byte)
      }
    }
    return nil
  }

  /// What stands for a character behind a backslash.
  private mutating func escaped() -> [UInt8]? {
    guard let byte = rest.popFirst() else { return nil }
    switch byte {
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"):
      guard let first = codeUnit() else { return nil }
      guard UTF16.isLeadSurrogate(first) else { return utf8([first]) }
      guard take("\\u"), let second = codeUnit() else { return nil }
      return utf8([first, second])
    default: return nil
    }
  }

  private mutating func codeUnit() -> UInt16? {
    let digits = rest.prefix(4)
    guard digits.count == 4 else { return nil }
    rest = rest.dropFirst(4)
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private func utf8(_ units: [UInt16]) -> [UInt8]? { String(validating: units, as: UTF16.self).map { Array($0.utf8) } }
}
