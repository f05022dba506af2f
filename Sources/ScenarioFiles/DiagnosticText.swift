extension Diagnostic {
  /// For people, in the form of a compiler's message.
  package var humanText: String {
    let heading = "\(severity.rawValue)[\(code.rawValue)]: \(sentence)"
    let gutter = String(repeating: " ", count: String(line ?? 1).count)
    var lines = [heading, "\(gutter)--> \(place)"]
    if let excerpt, let line {
      let caret = String(repeating: " ", count: excerpt.caretColumn) + String(repeating: "^", count: excerpt.caretWidth)
      lines += ["\(gutter) |", "\(line) | \(excerpt.text)".trimmingEnd, "\(gutter) | \(caret) \(note)".trimmingEnd]
    }
    if let help { lines.append("\(gutter) = help: \(help)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// file:line:column, as far as known.
  package var place: String {
    let name = file.printable
    guard let line, let column else { return name }
    return "\(name):\(line):\(column)"
  }

  /// One JSON object; keys in a fixed order, unknown ones null.
  package var json: String {
    let fields: [(String, String)] = [
      ("code", JSONText.quote(code.rawValue)), ("severity", JSONText.quote(severity.rawValue)),
      ("message", JSONText.quote(sentence)), ("file", JSONText.quote(file)),
      ("line", line.map(String.init) ?? "null"), ("column", column.map(String.init) ?? "null"),
      ("length", String(length)), ("note", JSONText.quote(note)), ("help", help.map(JSONText.quote) ?? "null"),
    ]
    return "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
  }

  /// A workflow command that GitHub shows beside the line.
  package var gitHubAnnotation: String {
    var properties = "file=\(Diagnostic.escape(file.printable, inProperty: true))"
    if let line, let column { properties += ",line=\(line),col=\(column),endColumn=\(column + length)" }
    let message = sentence + (help.map { " (help: \($0))" } ?? "")
    return "::\(severity.rawValue) \(properties),title=\(code.rawValue)::"
      + Diagnostic.escape(message, inProperty: false)
  }

  private static func escape(_ text: String, inProperty: Bool) -> String {
    text.map { character in
      switch character {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where inProperty: "%3A"
      case "," where inProperty: "%2C"
      default: String(character)
      }
    }.joined()
  }
}

extension [Diagnostic] {
  /// All of them, a blank line between each two.
  package var humanText: String { map(\.humanText).joined(separator: "\n") }

  /// A JSON list, one object a line.
  package var json: String {
    isEmpty ? "[]\n" : "[\n  " + map(\.json).joined(separator: ",\n  ") + "\n]\n"
  }

  /// One workflow command a line.
  package var gitHubAnnotations: String { map { $0.gitHubAnnotation + "\n" }.joined() }
}

extension String {
  /// Without blanks at the end.
  fileprivate var trimmingEnd: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
