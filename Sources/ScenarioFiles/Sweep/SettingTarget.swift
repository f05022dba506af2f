import Scenario

/// What the path of a setting leads to: a key of the table, or a part of a value that the table describes as a whole.
struct SettingTarget {
  var entry: KeyEntry
  /// The steps inside the value: `lognormal`, `median`.
  var parts: [String] = []

  /// The forms that a plain value may have there; empty: it is not known.
  var plainTypes: [ValueType] {
    guard let part = parts.first, let last = parts.last else { return entry.scalarTypes }
    return entry.type.alternatives.lazy.compactMap { type -> [ValueType]? in
      switch type {
      case .shares: [.share]
      case .distribution(of: let value): Self.types(in: part, last, value)
      default: nil
      }
    }.first ?? []
  }

  private static func types(in form: String, _ last: String, _ value: ValueType) -> [ValueType] {
    switch (DistributionForm(rawValue: form), last) {
    case (.uniform, _): [.range(of: value)]
    case (.choice, _): [.share]
    case (_, "sigma"): [.number]
    default: [value]
    }
  }

  /// Those of them that are amounts.
  var amountTypes: [ValueType] { plainTypes.filter(\.isAmount) }

  /// Whether `a..b` is one value there.
  var takesRanges: Bool { plainTypes.contains { if case .range = $0 { true } else { false } } }
}

extension ValueType {
  /// The unit in which studies count its amounts, empty for plain numbers, and how many of what `Scalars.measure` counts
  /// make one; nil: its values do not lie on a line.
  private var amount: (unit: String, measures: Double)? {
    switch self {
    case .integer, .number, .count: ("", 1)
    case .share: ("share", 1)
    case .duration: ("s", 1_000)
    case .rate: ("/s", 86_400_000_000)
    case .size: ("B", 1)
    case .power: ("W", 1_000_000)
    case .energyPerBit: ("nJ/bit", 1_000)
    case .battery: ("Wh", 100)
    default: nil
    }
  }

  /// Whether its values lie on a line: numbers, with a unit or without.
  var isAmount: Bool { amount != nil }
  var amountUnit: String { amount?.unit ?? "" }
  var measuresPerUnit: Double { amount?.measures ?? 1 }
}
