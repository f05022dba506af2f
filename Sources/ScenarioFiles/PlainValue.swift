import Scenario

/// A value on its way into a file.
indirect enum PlainValue: Hashable, Sendable {
  /// Stands in quotes.
  case text(String)
  /// A number or a boolean.
  case bare(String)
  case list([PlainValue])
  case mapping([Pair])

  struct Pair: Hashable, Sendable {
    var key: String
    var value: PlainValue
  }

  /// A mapping without the keys that have no value.
  static func mapping(_ pairs: KeyValuePairs<String, PlainValue?>) -> PlainValue {
    .mapping(pairs.compactMap { pair in pair.value.map { Pair(key: pair.key, value: $0) } })
  }

  static func flag(_ value: Bool) -> PlainValue { .bare(value ? "true" : "false") }
  static func count(_ value: some BinaryInteger) -> PlainValue { .bare(String(value)) }
  static func number(_ value: Double) -> PlainValue { .bare(QuantityText.number(value)) }

  /// JSON text: what fits on a line stands on one.
  func json(indent: Int = 0) -> String {
    let line = oneLine()
    if line.utf8.count + indent <= 100 { return line }
    let blanks = String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .text, .bare: return line
    case .list(let items):
      return "[\n" + items.map { blanks + $0.json(indent: indent + 2) }.joined(separator: ",\n") + end + "]"
    case .mapping(let pairs):
      let lines = pairs.map { blanks + JSONText.quote($0.key) + ": " + $0.value.json(indent: indent + 2) }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    }
  }

  /// On one line.
  ///
  /// - Parameter written: how texts and keys stand in it.
  func oneLine(_ written: (String) -> String = JSONText.quote) -> String {
    switch self {
    case .text(let text): written(text)
    case .bare(let text): text
    case .list(let items): "[" + items.map { $0.oneLine(written) }.joined(separator: ", ") + "]"
    case .mapping(let pairs):
      "{" + pairs.map { written($0.key) + ": " + $0.value.oneLine(written) }.joined(separator: ", ") + "}"
    }
  }
}
