/// The form of a key's value.
package indirect enum ValueType: Hashable, Sendable {
  /// The version of the file format.
  case schema
  /// A string of one or more lines.
  case text
  /// A name chosen by the user for a cohort, an event or an audience.
  case label
  /// A name that is used as a folder name: [a-z0-9-].
  case folderName
  /// One of these words.
  case words([String])
  /// A flag: true or false.
  case flag
  case integer
  case number
  /// A count: 2.5M, 250k, 7_000.
  case count
  /// A share: 5%.
  case share
  /// A relative change: 1%, -0.5%.
  case change
  /// A duration: 500ms, 2h30min.
  case duration
  /// A rate: 7k/s, 50/day.
  case rate
  /// A size: 12kB, 12KiB.
  case size
  /// A date and time with a UTC offset.
  case instant
  /// A time of day: "09:30"; at most 24:00.
  case timeOfDay
  /// A list of weekdays: mon-fri, sat.
  case weekdays
  /// An IANA time zone name.
  case zone
  /// The name of a phone model, built in or from `phones`.
  case phone
  /// The name of a radio profile, built in or from `radios`.
  case radio
  /// A power: 1.2W, 124mW.
  case power
  /// An energy per bit: 51.97mW/Mbps, 51.97nJ/bit.
  case energyPerBit
  /// A battery's energy: 12.98Wh.
  case battery
  /// A rank distribution with its exponent: zipf 1.0.
  case zipf
  /// The name of an entry of `kinds`.
  case kind
  /// The name of an endpoint, whether listed or not.
  case endpoint
  /// A distribution `<dist>` of durations or of numbers.
  case distribution(of: ValueType)
  /// A range: 0s..10min.
  case range(of: ValueType)
  /// A mapping from values of this type to shares that add up to 100 %.
  case shares(of: ValueType)
  /// A mapping with the keys listed below this path in the table.
  case mapping
  /// A mapping from user-chosen names to entries.
  case names
  /// A list whose items are described below this path in the table.
  case list
  /// A list of plain values; a `nil` count allows any length.
  case values(of: ValueType, count: Int?)
  /// A value that is parsed by another command.
  case anything
  case oneOf([ValueType])

  /// The forms allowed for a value.
  package var alternatives: [ValueType] {
    if case .oneOf(let types) = self { return types }
    return [self]
  }

  /// The units in the text form, for display.
  package var units: String? {
    switch self {
    case .duration: "ms, s, min, h, d"
    case .share, .shares, .change: "%"
    case .count: "k, M, G"
    case .rate: "/s, /min, /h, /day"
    case .power: "W, mW"
    case .energyPerBit: "mW/Mbps, nJ/bit"
    case .battery: "Wh"
    case .size: "B, kB, MB, GB, KiB, MiB, GiB"
    case .distribution(of: let type), .range(of: let type), .values(of: let type, count: _): type.units
    case .oneOf(let types): types.lazy.compactMap(\.units).first
    default: nil
    }
  }
}
