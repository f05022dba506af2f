package import RequestStatistics

/// Lines written by WidgetFleetProbe for consenting testers, each of which is a flat JSON object.
package struct TelemetryLines: Sendable {
  /// The records sorted by phone, then by time, without duplicates from several exports of the same phone.
  package let records: [TelemetryRecord]
  /// The number of non-empty lines.
  package let lines: Int
  /// The number of lines that are not records of the supported format version.
  package let rejected: Int

  /// The supported format version; in other versions, the same words may have different meanings.
  private static let version: Int64 = 1

  package init(_ bytes: [UInt8]) {
    var (lines, rejected) = (0, 0)
    var found: [Key: TelemetryRecord] = [:]
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      lines += 1
      guard let members = FlatObject.members(of: line), let record = Self.record(members) else {
        rejected += 1
        continue
      }
      let key = Key(phone: record.phone, number: record.number)
      // If a run was still in progress in an earlier export, a later export may include its end.
      if found[key]?.end == nil { found[key] = record }
    }
    (self.lines, self.rejected) = (lines, rejected)
    records = found.values.sorted { ($0.phone, $0.at, $0.number) < ($1.phone, $1.at, $1.number) }
  }

  private struct Key: Hashable {
    var phone: UInt64
    var number: Int64
  }

  private static func record(_ members: [String: FlatObject.Value]) -> TelemetryRecord? {
    guard members["version"]?.number == version, let phone = members["phone"]?.text, !phone.isEmpty,
      let number = members["number"]?.number, let at = members["at"]?.number, times.contains(at),
      let event = members["event"]?.text.flatMap(TelemetryRecord.Event.init)
    else { return nil }
    var record = TelemetryRecord(phone: hash([phone]), number: number, event: event, at: at)
    record.kind = members["kind"]?.text ?? ""
    record.isLocked = members["locked"]?.truth
    record.isOffline = members["path"]?.text.map { $0 == "none" }
    guard event == .run else { return record }
    guard let widget = members["widget"]?.text, let sequence = members["sequence"]?.number,
      sequences.contains(sequence),
      let outcome = members["outcome"]?.text.flatMap(TelemetryRecord.Outcome.init),
      let cause = members["cause"]?.text.flatMap(TelemetryRecord.Cause.init)
    else { return nil }
    record.widget = max(hash([phone, widget]), 1)
    (record.sequence, record.outcome, record.cause) = (sequence, outcome, cause)
    record.due = members["due"]?.number
    record.next = members["next"]?.number
    record.end = members["end"]?.number
    let isPossible = [record.due, record.next, record.end].allSatisfy { $0.map(times.contains) ?? true }
    return isPossible && record.end ?? at >= at ? record : nil
  }

  /// The range of the sequence numbers written by WidgetFleetProbe, which are counted modulo 2^16.
  private static let sequences: Range<Int64> = 0..<65_536
  /// The valid times in milliseconds since 1970, which extend to the end of 2099; larger values would overflow in sums.
  private static let times: Range<Int64> = 0..<4_102_444_800_000

  /// Returns an FNV-1a hash in which every string is followed by a byte that no string contains. The hash does not
  /// depend on the order of lines.
  private static func hash(_ parts: [String]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
      for byte in Array(part.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return hash
  }
}

/// A JSON object whose values are strings, integers, booleans or null.
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

  /// Returns the members of the object; if a name is repeated, its last value is used. The result is `nil` if the line
  /// is not such an object.
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

/// A JSON parser whose position is that of the first unparsed byte.
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

  /// Consumes a word if it comes next.
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

  /// Returns the UTF-8 bytes of the character that an escape sequence represents.
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
