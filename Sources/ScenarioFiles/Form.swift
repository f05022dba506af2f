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
    case .change: "a change"
    case .radio: "a radio"
    case .power: "a power"
    case .battery: "an energy"
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
      if let example = type.example { return example }
      var entry = self
      entry.type = type
      return Form.text(of: entry)
    }
    return (words.filter { $0 != "none" } + forms).joined(separator: " or ")
  }
}

extension ValueType {
  /// A plain value's form with an example; nil where a word says enough.
  fileprivate var example: String? {
    switch self {
    case .schema: "widgetfleet/v1"
    case .text: "any text"
    case .label, .folderName: "a name"
    case .kind: "the name of a kind"
    case .endpoint: "the name of an endpoint"
    case .phone: "a phone such as iphone-15"
    case .zone: "an IANA time zone such as Europe/Berlin"
    case .instant: "an instant such as 2027-01-18T00:00:00Z"
    case .timeOfDay: "a clock time such as \"09:30\""
    case .weekdays: "days such as mon-fri or [mon, sat]"
    case .duration: "a duration such as 15min"
    case .share: "a share such as 5%"
    case .change: "a change such as 1% or -1%"
    case .count: "a count such as 250k"
    case .rate: "a rate such as 7k/s"
    case .size: "a size such as 20kB"
    case .integer: "a whole number"
    case .distribution(of: let type):
      type.example.map { $0 + ", or a distribution such as {exponential: mean}" } ?? "a number, or a distribution"
    case .range: "a range a..b"
    case .zipf: "a law of ranks such as zipf 1.0"
    default: nil
    }
  }
}
