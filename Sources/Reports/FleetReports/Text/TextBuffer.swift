package import Studies

/// A buffer of UTF-8 text that avoids the overhead of `String`, so that writing a million rows takes only a fraction of
/// a second.
package struct TextBuffer: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Removes the text but keeps the memory for reuse.
  package mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  package mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  package mutating func append(byte: UInt8) { bytes.append(byte) }

  package mutating func append(bytes more: [UInt8]) { bytes.append(contentsOf: more) }

  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a string if it consists only of printable ASCII characters that are not in `except`. Otherwise, appends
  /// nothing.
  ///
  /// - Returns: whether the string was appended.
  mutating func append(plain text: String, except: StaticString) -> Bool {
    var text = text
    return text.withUTF8 { plain in
      let isPlain = except.withUTF8Buffer { special in
        plain.allSatisfy { byte in (0x20..<0x7F).contains(byte) && !special.contains(byte) }
      }
      if isPlain { bytes.append(contentsOf: plain) }
      return isPlain
    }
  }

  /// Appends a number as decimal digits.
  package mutating func append(_ value: Int64) {
    // Most counts per second consist of a single digit.
    if value >= 0, value < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var low = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var high = bytes.count - 1
    while low < high {
      bytes.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// Appends the shortest decimal text that is parsed as the same number. A whole number is written without a fraction.
  package mutating func append(_ value: Double) {
    let text = value.description
    append(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  package mutating func append(_ quantity: Quantity) {
    switch quantity {
    case .whole(let count): if let short = Int64(exactly: count) { append(short) } else { append(count.description) }
    case .real(let value): append(value)
    }
  }
}
