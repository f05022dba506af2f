package indirect enum ValueType: Hashable, Sendable {
  /// The version number of the file format.
  case schema
  /// A string of one or more lines.
  case text
  /// A name that the user chooses for a cohort, an event or an audience.
  case label
  /// A name that is valid as a folder name, with the characters [a-z0-9-].
  case folderName
  /// One of the listed words.
  case words([String])
  /// A flag, written as true or false.
  case flag
  case integer
  case number
  /// A count, such as 2.5M, 250k or 7_000.
  case count
  /// A share, such as 5%.
  case share
  /// A relative change, such as 1% or -0.5%.
  case change
  /// A duration, such as 500ms or 2h30min.
  case duration
  /// A rate, such as 7k/s or 50/day.
  case rate
  /// A size in bytes, such as 12kB or 12KiB.
  case size
  /// A date and time with a UTC offset.
  case instant
  /// A time of day, such as "09:30", up to 24:00.
  case timeOfDay
  /// A list of weekdays, such as mon-fri, sat.
  case weekdays
  /// An IANA time zone name.
  case zone
  /// The name of a phone model that is built in or defined under `phones`.
  case phone
  /// The name of a radio profile that is built in or defined under `radios`.
  case radio
  /// A power, such as 1.2W or 124mW.
  case power
  /// An energy per bit, such as 51.97mW/Mbps or 51.97nJ/bit.
  case energyPerBit
  /// The energy of a battery, such as 12.98Wh.
  case battery
  /// A rank distribution and its exponent, such as zipf 1.0.
  case zipf
  /// The name of a kind defined under `kinds`.
  case kind
  /// The name of an endpoint; it need not be defined in the file.
  case endpoint
  /// A distribution of durations or numbers (`<dist>` in the reference).
  case distribution(of: ValueType)
  /// A range of values, such as 0s..10min.
  case range(of: ValueType)
  /// A mapping from values of this type to shares that add up to 100 %.
  case shares(of: ValueType)
  /// A mapping whose keys are the table's entries below this path.
  case mapping
  /// A mapping from names chosen by the user to entries.
  case names
  /// A list whose items are described by the table's entries below this path.
  case list
  /// A list of plain values, which has any length if `count` is `nil`.
  case values(of: ValueType, count: Int?)
  /// A value that is parsed by another command.
  case anything
  case oneOf([ValueType])

  /// The types that are allowed for a value.
  package var alternatives: [ValueType] {
    if case .oneOf(let types) = self { return types }
    return [self]
  }

  /// The units in which the value can be written, for display.
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
