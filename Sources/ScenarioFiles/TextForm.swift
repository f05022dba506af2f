import Scenario

/// The text forms of values as regular expressions of ECMA 262, for the schema: the grammar of `Quantities`,
/// `PlainNumbers` and `CalendarText`, without what depends on a value's size.
enum TextForm {
  private static let decimal = #"(0|[1-9](_?[0-9])*)(\.[0-9](_?[0-9])*)?"#
  private static let number = decimal + "([eE][+-]?[0-9]+)?"
  private static let duration = Units.spans.map { "(\(decimal) *\([$0].pattern) *)?" }.joined()
  private static let day = "(mon|tue|wed|thu|fri|sat|sun)"
  private static let rate =
    decimal + " *" + Array(Units.counts.dropLast()).pattern + "? *(" + Units.ratedThings.joined(separator: "|") + ")?"
    + "( *(" + Units.rateWords.map(\.0).joined(separator: "|") + ")|( */ *| +per +)" + Units.periods.pattern + ")"

  /// nil: a type that has no text form of its own.
  static func pattern(of type: ValueType) -> String? {
    switch type {
    case .number: number
    case .integer: #"(0|[1-9](_?[0-9])*)(\.0(_?0)*)?"#
    case .count: decimal + "( *" + Units.counts.pattern + ")?"
    case .share: orZero(decimal + " *%")
    case .change: orZero("-?" + decimal + " *%")
    case .duration: orZero("(?=[0-9])" + duration)
    case .rate: orZero(rate)
    case .size: orZero(decimal + " *" + Units.sizes.pattern)
    case .range(of: let end), .distribution(of: let end):
      pattern(of: end).map { $0 + #"\.\."# + $0 }
    case .instant:
      #"(19[7-9][0-9]|20[0-9]{2}|21[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"#
        + #"T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,3})?(Z|[+-](0[0-9]|1[0-8]):[0-5][0-9])"#
    case .timeOfDay: "(([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?|24:00(:00)?)"
    case .weekdays: day + "(-\(day))?"
    case .zone: "(UTC|GMT|[A-Za-z0-9_+-]*/[A-Za-z0-9_/+-]*)"
    case .folderName: "[a-z0-9][a-z0-9-]*"
    case .power: orZero(decimal + " *(W|mW)")
    case .energyPerBit: orZero(decimal + " *(mW/Mbps|nJ/bit)")
    case .battery: orZero(decimal + " *Wh")
    case .zipf: "zipf " + number
    case .label, .kind, .endpoint, .phone, .radio: #"[^\n\t]*[^\s][^\n\t]*"#
    default: nil
    }
  }

  /// A quantity with its unit, or 0 without.
  private static func orZero(_ pattern: String) -> String { "(0|\(pattern))" }

  /// Whether values carry a unit, which 0 does not need.
  static func hasUnit(_ type: ValueType) -> Bool {
    [.share, .change, .duration, .rate, .size, .power, .energyPerBit, .battery].contains(type)
  }

  /// The pattern of the whole text.
  static func whole(_ type: ValueType) -> String? { pattern(of: type).map { "^(" + $0 + ")$" } }
}
