import Scenario
package import Studies

/// A JSON document in a canonical form. Keys keep the given order, and each level is indented by two spaces.
package indirect enum JSONValue: Sendable {
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])
  /// An array whose elements are created one at a time while the array is written.
  case rows(count: Int, _ element: @Sendable (Int) -> JSONValue)
  case string(String)
  case integer(Int128)
  case number(Double)
  case boolean(Bool)
  case null

  package init(_ quantity: Quantity?) {
    switch quantity {
    case .whole(let count): self = .integer(count)
    case .real(let value): self = .number(value)
    case nil: self = .null
    }
  }

  package init(_ value: Double?) { self = value.map { .number($0) } ?? .null }

  /// The members of an object, in order.
  package typealias Members = [(key: String, value: JSONValue)]

  static func members(of labels: Labels) -> Members {
    zip(Labels.names, labels.values).map { (key: $0, value: .string($1)) }
  }

  /// Returns members for the value of a figure and the bounds of its interval.
  static func members(_ value: Quantity?, _ interval: Interval?) -> Members {
    [("value", JSONValue(value)), ("low", JSONValue(interval?.low)), ("high", JSONValue(interval?.high))]
  }

  /// Returns members for the intervals at both ends of a bracket.
  static func ends(_ prompt: Interval?, _ lazy: Interval?) -> Members {
    [
      ("prompt_low", JSONValue(prompt?.low)), ("prompt_high", JSONValue(prompt?.high)),
      ("lazy_low", JSONValue(lazy?.low)), ("lazy_high", JSONValue(lazy?.high)),
    ]
  }

  /// Returns the document as text that ends with a line feed. Containers nested deeper than `lines` levels are written
  /// on one line.
  package func bytes(lines: Int = .max) -> [UInt8] {
    var text = TextBuffer()
    write(to: &text, indent: 0, lines: lines)
    text.append("\n")
    return text.bytes
  }

  private func write(to text: inout TextBuffer, indent: Int, lines: Int) {
    switch self {
    case .object(let members):
      Self.list(members, in: ("{", "}"), &text, indent, lines) { member, text in
        Self.write(member.key, to: &text)
        text.append(lines == 0 ? ":" : ": ")
        member.value.write(to: &text, indent: indent + 1, lines: lines)
      }
    case .array(let elements):
      Self.list(elements, in: ("[", "]"), &text, indent, lines) { element, text in
        element.write(to: &text, indent: indent + 1, lines: lines)
      }
    case .rows(let count, let element):
      Self.list(0..<count, in: ("[", "]"), &text, indent, lines) { index, text in
        element(index).write(to: &text, indent: indent + 1, lines: lines)
      }
    case .string(let value): Self.write(value, to: &text)
    case .integer(let value): text.append(Quantity.whole(value))
    case .number(let value): if value.isFinite { text.append(value) } else { text.append("null") }
    case .boolean(let value): text.append(value ? "true" : "false")
    case .null: text.append("null")
    }
  }

  private static func list<Elements: Collection>(
    _ elements: Elements, in brackets: (String, String), _ text: inout TextBuffer, _ indent: Int, _ lines: Int,
    _ write: (Elements.Element, inout TextBuffer) -> Void
  ) {
    let breaks = indent < lines && !elements.isEmpty
    text.append(brackets.0)
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(breaks || lines == 0 ? "," : ", ") }
      if breaks { text.append("\n" + String(repeating: "  ", count: indent + 1)) }
      write(element, &text)
    }
    if breaks { text.append("\n" + String(repeating: "  ", count: indent)) }
    text.append(brackets.1)
  }

  private static func write(_ value: String, to text: inout TextBuffer) {
    text.append(byte: UInt8(ascii: "\""))
    if !text.append(plain: value, except: "\"\\") { write(escaped: value, to: &text) }
    text.append(byte: UInt8(ascii: "\""))
  }

  private static func write(escaped value: String, to text: inout TextBuffer) {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text.append("\\\"")
      case "\\": text.append("\\\\")
      case "\n": text.append("\\n")
      case "\r": text.append("\\r")
      case "\t": text.append("\\t")
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        for unit in String(scalar).utf16 { text.append(escaped(unit)) }
      default: text.append(String(scalar))
      }
    }
  }

  /// Returns a UTF-16 code unit as a JSON escape sequence, such as `\u2028`.
  package static func escaped(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
