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
  /// Whether its values lie on a line: numbers, with a unit or without.
  var isAmount: Bool {
    switch self {
    case .integer, .number, .count, .share, .duration, .rate, .size, .power, .energyPerBit, .battery: true
    default: false
    }
  }

  /// The unit in which studies count its amounts; empty: plain numbers.
  var amountUnit: String {
    switch self {
    case .share: "share"
    case .duration: "s"
    case .rate: "/s"
    case .size: "B"
    case .power: "W"
    case .energyPerBit: "nJ/bit"
    case .battery: "Wh"
    default: ""
    }
  }

  /// How many of what `Scalars.measure` counts make one of `amountUnit`.
  var measuresPerUnit: Double {
    switch self {
    case .duration, .energyPerBit: 1_000
    case .rate: 86_400_000_000
    case .power: 1_000_000
    case .battery: 100
    default: 1
    }
  }
}
