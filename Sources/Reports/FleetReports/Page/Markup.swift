import Scenario
import Studies

/// A fragment of a page: HTML or SVG that is well-formed and escaped by construction.
indirect enum Markup: Sendable {
  case element(name: String, attributes: [Attribute], children: [Markup])
  case text(String)
  /// A style sheet that is part of the program and must not be escaped.
  case style(String)
  /// A script or data that is part of the program, with attributes. Its text must not be escaped.
  case script(String, attributes: String = "")

  struct Attribute: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// Returns an element with its attributes and content.
  static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [Markup] = []
  ) -> Markup {
    .element(
      name: name, attributes: attributes.map { Attribute(name: $0.key, value: $0.value) }, children: children)
  }

  /// Returns an element that contains only text.
  static func tag(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ text: String) -> Markup {
    tag(name, attributes, [.text(text)])
  }

  /// Returns content that is folded under a summary line.
  static func details(_ summary: String, _ parts: [Markup]) -> Markup {
    tag("details", [:], [.tag("summary", [:], summary)] + parts)
  }

  /// Writes the markup as text. Elements without children are self-closing if HTML allows it.
  func write(to text: inout TextBuffer) {
    switch self {
    case .text(let value): Self.write(escaped: value, to: &text)
    case .script(let value, let attributes):
      text.append("\n<script" + (attributes.isEmpty ? "" : " " + attributes) + ">" + value + "</script>")
    case .style(let value): text.append("\n<style>" + value + "</style>")
    case .element(let name, let attributes, let children):
      if Self.ownLine.contains(name) { text.append("\n") }
      text.append("<" + name)
      for attribute in attributes {
        text.append(" " + attribute.name + "=\"")
        Self.write(escaped: attribute.value, to: &text)
        text.append("\"")
      }
      if children.isEmpty, Self.closesItself.contains(name) { return text.append("/>") }
      text.append(">")
      for child in children { child.write(to: &text) }
      text.append("</" + name + ">")
    }
  }

  /// The names of HTML void elements and of SVG shapes.
  private static let closesItself: Set<String> = ["meta", "path", "rect", "line", "circle", "br"]

  /// The names of elements that start on a new line so that pages can be read and compared as text.
  private static let ownLine: Set<String> = [
    "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "footer", "h1", "h2", "h3", "p", "ul",
    "li", "dl", "div", "figure", "figcaption", "svg", "path", "g", "details", "summary", "table", "thead", "tbody",
    "tr", "pre",
  ]

  private static func write(escaped value: String, to text: inout TextBuffer) {
    // Nearly all text, including every path in a figure, takes this fast path.
    if text.append(plain: value, except: "&<>\"'") { return }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text.append("&amp;")
      case "<": text.append("&lt;")
      case ">": text.append("&gt;")
      case "\"": text.append("&quot;")
      case "'": text.append("&#39;")
      case "\n", "\t": text.append(String(scalar))
      case let scalar where scalar.isHidden: text.append("\u{FFFD}")
      default: text.append(String(scalar))
      }
    }
  }
}
