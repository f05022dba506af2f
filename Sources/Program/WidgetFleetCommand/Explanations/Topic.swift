import FleetReports

/// A topic of `explain`, which consists of a name and its meaning.
struct Topic: Sendable {
  /// The category of the topic, such as `metric` or `column of load.csv`.
  var category: String
  var name: String
  /// A title of a few words; empty if the name needs no title.
  var title: String
  var meaning: String
  /// Additional facts about the topic, in display order.
  var facts: [Fact] = []
  /// The keys directly below this key.
  var children: [Child] = []
  /// An example, as one line of a scenario file.
  var example: String?

  /// A key that is directly below another key.
  struct Child: Sendable {
    var name: String
    /// The default value; `nil` if there is none because a different key can be used instead.
    var standard: String?
    var meaning: String
  }

  /// A fact about a topic, displayed as a line such as `unit: seconds`.
  struct Fact: Sendable {
    var name: String
    var value: String
  }

  init(_ category: String, _ name: String, title: String = "", _ meaning: String, _ facts: [(String, String?)] = []) {
    self.category = category
    self.name = name
    self.title = title
    self.meaning = meaning
    self.facts = facts.compactMap { fact in fact.1.map { Fact(name: fact.0, value: $0) } }
  }

  /// The topic as human-readable text, 80 columns wide.
  var text: String {
    let heading = "\(name): \(category)\(title.isEmpty ? "" : ", " + title)"
    return heading.wrapped(width: 78).joined(separator: "\n  ") + "\n" + meaning.paragraph(indent: 2)
      + facts.map { fact in
        let lines = fact.value.wrapped(width: 64)
        let label = "  " + fact.name + String(repeating: " ", count: max(1, 12 - fact.name.count))
        return label + lines.joined(separator: "\n" + String(repeating: " ", count: 14)) + "\n"
      }.joined() + childrenText + exampleText
  }

  /// The child keys with their meanings, one key per line.
  private var childrenText: String {
    guard !children.isEmpty else { return "" }
    return "  keys and their defaults\n"
      + children.map { child in
        let heading = child.name + (child.standard.map { " [\($0)]" } ?? "")
        return "    " + heading.wrapped(width: 74).joined(separator: "\n      ") + "\n"
          + child.meaning.paragraph(indent: 8)
      }.joined()
  }

  private var exampleText: String { example.map { "  example\n" + $0.wrappedFlow(indent: 4) } ?? "" }

  var document: JSONValue {
    let about: JSONValue.Members = [
      ("name", .string(name)), ("category", .string(category)),
      ("title", title.isEmpty ? .null : .string(title)), ("meaning", .string(meaning)),
    ]
    let below: JSONValue.Members =
      children.isEmpty
      ? []
      : [
        (
          "keys",
          .array(
            children.map {
              .object([
                ("name", .string($0.name)), ("default", $0.standard.map { .string($0) } ?? .null),
                ("meaning", .string($0.meaning)),
              ])
            })
        )
      ]
    let shown: JSONValue.Members = example.map { [("example", .string($0))] } ?? []
    return .object(about + facts.map { (key: $0.name, value: .string($0.value)) } + below + shown)
  }
}

extension String {
  /// Returns YAML in flow style, wrapped at 80 columns where spaces permit.
  fileprivate func wrappedFlow(indent: Int) -> String {
    let blanks = String(repeating: " ", count: indent)
    return blanks + wrapped(width: 78 - indent).joined(separator: "\n  " + blanks) + "\n"
  }
}
