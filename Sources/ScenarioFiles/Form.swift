import Scenario

/// The form of a value in words.
enum Form {
  static func text(of entry: KeyEntry) -> String {
    let forms = entry.type.alternatives.map(text)
    return forms.joined(separator: " or ")
  }

  private static func text(of type: ValueType) -> String {
    switch type {
    case .mapping, .names: "a mapping {key: value}"
    case .shares: "a mapping {name: share}"
    case .list: "a list of mappings"
    case .values(of: _, let count): count.map { "a list of \($0) values" } ?? "a list [a, b]"
    case .distribution: "a plain value or a distribution"
    case .words(let words): words.count > 7 ? "a word" : words.joined(separator: " or ")
    case .duration: "a duration"
    case .share: "a share"
    case .number, .integer, .count: "a number"
    case .flag: "true or false"
    default: "a plain value"
    }
  }
}

extension KeyEntry {
  /// The form of its values in words, with the words that it takes.
  package var form: String {
    let others = type.alternatives.filter { if case .words = $0 { false } else { true } }
    let forms = others.map { type -> String in
      var entry = self
      entry.type = type
      return Form.text(of: entry)
    }
    return (words.filter { $0 != "none" } + forms).joined(separator: " or ")
  }
}
