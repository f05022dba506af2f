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
    case .radio: "a radio"
    case .power: "a power"
    case .battery: "an energy"
    case .number, .integer, .count: "a number"
    case .flag: "true or false"
    default: "a plain value"
    }
  }
}
