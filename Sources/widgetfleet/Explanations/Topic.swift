import FleetReports

/// Something that `explain` knows: a name with what it means.
struct Topic: Sendable {
  /// What it is the name of, such as `metric` or `column of load.csv`.
  var category: String
  var name: String
  /// A few words; empty: the name says enough.
  var title: String
  var meaning: String
  /// What is left to say, in the order in which it reads best.
  var facts: [Fact] = []

  /// A line such as `unit: seconds`.
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

  /// For people, in 80 columns.
  var text: String {
    let heading = "\(name): \(category)\(title.isEmpty ? "" : ", " + title)"
    return heading.wrapped(width: 78).joined(separator: "\n  ") + "\n" + meaning.paragraph(indent: 2)
      + facts.map { fact in
        let lines = fact.value.wrapped(width: 64)
        let label = "  " + fact.name + String(repeating: " ", count: max(1, 12 - fact.name.count))
        return label + lines.joined(separator: "\n" + String(repeating: " ", count: 14)) + "\n"
      }.joined()
  }

  var document: JSONValue {
    let about: JSONValue.Members = [
      ("name", .string(name)), ("category", .string(category)),
      ("title", title.isEmpty ? .null : .string(title)), ("meaning", .string(meaning)),
    ]
    return .object(about + facts.map { (key: $0.name, value: .string($0.value)) })
  }
}
