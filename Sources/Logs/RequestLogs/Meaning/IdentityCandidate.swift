/// A field whose values may identify senders; it is never used unless the user selects it.
package struct IdentityCandidate: Hashable, Sendable {
  /// The field as an argument to `LogOptions.identify(by:)`, for example `query.install`.
  package let field: String
  /// The number of lines that contain the field.
  package let lines: Int
  /// The number of examined lines, with or without the field.
  package let looked: Int
  /// The number of distinct values of the field.
  package let distinct: Int
  /// Whether the value differs on nearly every line, as is the case for request IDs.
  package var isUnrepeated: Bool { distinct * 20 > lines * 19 }
}

extension IdentityCandidate {
  /// Returns whether this candidate is suggested before another one. Fields with repeated values come first, followed
  /// by fields that occur on the most lines.
  package func precedes(_ other: Self) -> Bool {
    if isUnrepeated != other.isUnrepeated { return other.isUnrepeated }
    return (other.lines, field) < (lines, other.field)
  }
}

/// A collector of field values from several lines.
struct IdentitySearch {
  private struct Field {
    var lines = 0
    var alike = 0
    var values: Set<UInt64> = []
  }

  private static let maximum = 8
  private static let longestName = 40
  /// The maximum ratio of examined lines to lines that contain the field; above it, the field is too rare.
  private static let fewestShare = 10

  private var fields: [[UInt8]: Field] = [:]
  private var looked = 0
  /// The minimum number of distinct values of a field, which ensures that its name is shared by at least as many
  /// senders.
  private let minimum: Int

  init(minimum: Int) { self.minimum = minimum }

  mutating func beginLine() { looked += 1 }

  mutating func take(_ name: Text, _ value: Text, prefix: String = "") {
    guard !value.isNone, name.count > 0, name.count <= Self.longestName else { return }
    let key = Array(prefix.utf8) + Array(name.bytes)
    fields[key, default: Field()].lines += 1
    if Self.looksLikeID(value) { fields[key]?.alike += 1 }
    fields[key]?.values.insert(SipHash(key0: 0, key1: 0)(value))
  }

  mutating func takeQuery(_ query: Text) {
    var place = 0
    while place < query.count {
      let end = query.place(of: UInt8(ascii: "&"), from: place) ?? query.count
      let pair = query.slice(place, end)
      if let sign = pair.place(of: UInt8(ascii: "=")) { take(pair.upTo(sign), pair.from(sign + 1), prefix: "query.") }
      place = end + 1
    }
  }

  /// Returns whether a value is a long number, a hexadecimal number, or a word with both letters and digits.
  private static func looksLikeID(_ value: Text) -> Bool {
    guard (6...80).contains(value.count) else { return false }
    var stamps = StampReader()
    if value.count >= 10, value[4] == UInt8(ascii: "-"), case .at = stamps.read(value) { return false }
    let bytes = value.bytes
    let digits = bytes.count(where: Letters.isDigit)
    let isWord = bytes.allSatisfy { Letters.isDigit($0) || Letters.isLetter($0) || "-_:{}.".utf8.contains($0) }
    let hexadecimals = bytes.count { Letters.hex($0) != nil || $0 == UInt8(ascii: "-") }
    let isTime = (8...13).contains(value.count) && digits == value.count - 1
    return isWord && !isTime
      && (digits == value.count || hexadecimals == value.count || digits > 1 && value.count >= 12)
  }

  /// The candidates, in the order in which they are suggested.
  var candidates: [IdentityCandidate] {
    let found = fields.filter {
      $0.value.lines * Self.fewestShare >= looked && $0.value.alike * 5 >= $0.value.lines * 4
    }
    return found.filter { $0.value.values.count >= minimum && !Self.namesRequest($0.key) }
      .map { name, field in
        IdentityCandidate(
          field: String(decoding: NameCleaner.printable(name), as: UTF8.self), lines: field.lines, looked: looked,
          distinct: field.values.count)
      }
      .sorted { $0.precedes($1) }
      .prefix(Self.maximum).map { $0 }
  }

  /// The words in field names that indicate an ID of a request or span, or a time, rather than an ID of a sender.
  private static let ofRequests = [
    "insert", "trace", "span", "request_id", "requestid", "req_id", "reqid", "correlation", "time", "stamp", "nonce",
  ]

  private static func namesRequest(_ name: [UInt8]) -> Bool {
    let lower = String(decoding: name, as: UTF8.self).lowercased()
    return ofRequests.contains { lower.contains($0) }
  }
}

/// A value that is a component of a request's query or cookie.
struct DerivedField {
  private let slot: Int
  private let isCookie: Bool
  private let name: UnsafeMutableBufferPointer<UInt8>

  init(_ slot: Int, _ field: FieldName) {
    self.slot = slot
    switch field {
    case .query(let name), .field(let name): (isCookie, self.name) = (false, .allocate(copying: Array(name.utf8)))
    case .cookie(let name): (isCookie, self.name) = (true, .allocate(copying: Array(name.utf8)))
    }
  }

  func free() { name.deallocate() }

  @inline(__always) func fill(_ row: Row, _ target: Target) {
    guard let start = name.baseAddress else { return }
    let list = isCookie ? row[.cookie] : target.query
    let separator = isCookie ? UInt8(ascii: ";") : UInt8(ascii: "&")
    let value = Target.parameter(Text(start, name.count), in: list, separator: separator)
    if !value.isNone { row.set(slot: slot, value) }
  }
}

/// The optional query parameter sent by widgets, which has the form
/// `<kind>.<instance>.<run number>.<minute due>.<why>`.
enum Probe {
  /// Returns only the kind from such a query parameter; other texts are returned unchanged.
  @inline(__always) static func kind(_ text: Text) -> Text {
    var (end, points) = (text.count, 0)
    while end > 0, points < 4 {
      end -= 1
      if text[end] == UInt8(ascii: ".") { points += 1 }
    }
    guard points == 4, end > 0 else { return text }
    let parts = text.from(end + 1).bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[1].allSatisfy(Letters.isDigit) && parts[2].allSatisfy(Letters.isDigit)
      ? text.upTo(end) : text
  }
}
