/// How the value of a key is written.
package indirect enum ValueType: Hashable, Sendable {
  /// The version of the file format.
  case schema
  /// Any line or lines of text.
  case text
  /// A name that the user invents: of a cohort, an event, an audience.
  case label
  /// A name that becomes a folder: [a-z0-9-].
  case folderName
  /// One of these words.
  case words([String])
  /// true or false.
  case flag
  case integer
  case number
  /// 2.5M, 250k, 7_000.
  case count
  /// 5%.
  case share
  /// 1%, -0.5%.
  case change
  /// 500ms, 2h30min.
  case duration
  /// 7k/s, 50/day.
  case rate
  /// 12kB, 12KiB.
  case size
  /// A date and time with offset.
  case instant
  /// "09:30"; 24:00 at most.
  case timeOfDay
  /// mon-fri, sat, or a list of those.
  case weekdays
  /// An IANA name.
  case zone
  /// The name of a phone, built in or of `phones`.
  case phone
  /// The name of a radio profile, built in or of `radios`.
  case radio
  /// 1.2W, 124mW.
  case power
  /// 51.97mW/Mbps, 51.97nJ/bit.
  case energyPerBit
  /// 12.98Wh.
  case battery
  /// zipf 1.0: the law of ranks with its exponent.
  case zipf
  /// The name of an entry of `kinds`.
  case kind
  /// The name of an endpoint, listed or not.
  case endpoint
  /// `<dist>` of durations or of numbers.
  case distribution(of: ValueType)
  /// 0s..10min
  case range(of: ValueType)
  /// A mapping from values of this type to shares that add up to 100 %.
  case shares(of: ValueType)
  /// A mapping with the keys of the table below this path.
  case mapping
  /// A mapping from names that the user invents to entries.
  case names
  /// A list whose items the table describes below this path.
  case list
  /// A list of plain values; nil: of any length.
  case values(of: ValueType, count: Int?)
  /// Read by a later command.
  case anything
  case oneOf([ValueType])

  /// The forms that a value may take.
  package var alternatives: [ValueType] {
    if case .oneOf(let types) = self { return types }
    return [self]
  }

  /// The units that the text form carries, for people.
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
