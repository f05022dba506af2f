/// A value that is a part of a request's query or cookie.
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

/// The parameter that a widget may send of itself: `<kind>.<instance>.<number of the run>.<minute due>.<why>`.
enum Probe {
  /// The kind alone; a text that is no such parameter stays as it is.
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
