internal import Scenario
internal import SimulationKernel

/// A comparison of the value of one scenario key with the estimate from a log.
package struct KeyFinding: Sendable {
  package let path: String
  package let owner: KeyOwner
  /// The value in the scenario, formatted as in the file.
  package let written: String
  package private(set) var estimate: Estimate
  package let measure: KeyMeasure
  /// The file's value in the unit of the estimate; `nil` if it is not a number.
  package let known: Double?

  /// The source of the estimate, which is a log or telemetry.
  package private(set) var source = EvidenceSource.log

  /// Whether runs follow a different type of policy than the one in the file, regardless of the key's value.
  package let isOtherPolicy: Bool
  /// Whether to keep the file's value regardless of the log, because of `calibrate.check` or a missing entry in
  /// `calibrate.fit`.
  package var isKept = false
  /// Whether a simulation of the file yields the same statistic, so that the difference from the file's value is not a
  /// contradiction.
  package private(set) var isReproduced = false

  package init(
    _ path: String, written: String, known: Double?, _ estimate: Estimate, _ measure: KeyMeasure,
    isOtherPolicy: Bool = false
  ) {
    self.isOtherPolicy = isOtherPolicy
    self.path = path
    owner = KeyOwner(path: path)
    self.written = written
    self.known = known
    self.estimate = estimate.verdict == .notFromThisLog ? estimate.withoutValue() : estimate
    self.measure = measure
  }

  /// Returns this finding with another source of evidence.
  func from(_ source: EvidenceSource) -> KeyFinding {
    var finding = self
    finding.source = source
    return finding
  }

  /// Returns this finding with another estimate of the key's value.
  func with(_ estimate: Estimate) -> KeyFinding {
    var finding = self
    finding.estimate = estimate
    return finding
  }

  /// Returns a copy whose value is the number of phones that would send as many requests as the log contains.
  package func counting(_ phones: Double) -> KeyFinding {
    with(
      Estimate(
        phones, low: phones * (1 - Self.ofHabits), high: phones * (1 + Self.ofHabits), verdict: .weakly,
        count: estimate.count, reason: .assumedHabits))
  }

  /// The half-width of a 95 % interval for the number of requests per phone, relative to that of a scenario with usual
  /// habits.
  private static let ofHabits = 0.12

  /// Returns this finding with a limited verdict, because a simulation of the file yields the same statistic, and the
  /// log therefore cannot determine the value.
  package func reproduced() -> KeyFinding {
    var finding = with(estimate.verdict == .identified ? estimate.limited(to: .weakly, .sameInSimulation) : estimate)
    finding.isReproduced = true
    return finding
  }

  /// The path of the mapping whose shares add up to 100 %; `nil` if the key is not part of such a mapping.
  package var whole: String? {
    guard measure == .share, let parts = path.firstRange(of: ".zones.") else { return nil }
    return String(path[..<path.index(before: parts.upperBound)])
  }

  /// The last component of the key's path if the key is a share; otherwise, the whole path.
  package var name: String { whole.map { String(path.dropFirst($0.count + 1)) } ?? path }

  /// Whether the log contradicts the file's value, because the value lies outside the interval by more than a rounding
  /// difference.
  package var contradicts: Bool {
    if isReproduced { return false }
    if isOtherPolicy { return true }
    guard estimate.verdict == .identified || estimate.verdict == .oneSided, let known else { return false }
    let slack = Self.rounding * known.magnitude
    if let low = estimate.low, known < low - slack { return true }
    if let high = estimate.high, known > high + slack { return true }
    return false
  }

  /// Whether the number of phones in the file differs from that in the log, which is known only roughly.
  ///
  /// The number from the log is used even though it is rough, because loads of fleets of different sizes cannot be
  /// compared.
  package var isOffScale: Bool {
    guard path == Self.scalePath, estimate.verdict == .weakly || estimate.verdict == .oneSided, let known,
      let value = estimate.value
    else { return false }
    let slack = Self.rounding * known.magnitude
    return known < (estimate.low ?? value) - slack || known > (estimate.high ?? value * Self.maxUnseen) + slack
  }

  /// The path of the key for the number of phones.
  package static let scalePath = "fleet.devices"
  /// The maximum ratio of the total number of phones to the number of phones that appear in a short log.
  private static let maxUnseen = 1.5

  /// The maximum relative difference that is attributed to rounding.
  fileprivate static let rounding = 0.005

  /// The log's value and the ends of its interval, as relative changes from the file's value; `nil` if either value is
  /// not a number.
  package var change: (value: Double, low: Double, high: Double?)? {
    guard let known, known > 0, let value = estimate.value, let low = estimate.low else { return nil }
    return (value / known - 1, low / known - 1, estimate.high.map { $0 / known - 1 })
  }

  /// The log's value or bound formatted for the file, even if it is only weakly known; `nil` if the log has none.
  package var roughText: String? {
    guard let value = estimate.value ?? estimate.high ?? estimate.low, !isOtherPolicy else { return nil }
    return measure.fileText(value, low: estimate.low ?? value, high: estimate.high ?? value)
  }

  /// The replacement for the file's value, formatted for the file; `nil` to keep the value.
  ///
  /// A value is kept if the log is consistent with it or cannot determine it.
  package var found: String? { isKept ? nil : suggested }

  /// The replacement for the file's value that the log suggests; `nil` if there is none.
  package var suggested: String? {
    guard estimate.verdict == .identified || isOffScale, let value = estimate.value, !isOtherPolicy,
      known == nil || contradicts || isOffScale
    else { return nil }
    return measure.fileText(value, low: estimate.low ?? value, high: estimate.high ?? value)
  }
}

/// The unit and format of a key's value.
package enum KeyMeasure: Hashable, Sendable {
  /// A time in seconds.
  case span
  /// The upper bound of a uniform distribution that starts at 0, in seconds.
  case uniformSpan
  case count
  case share
  /// A rate per day.
  case daily
  /// A rate per day, written as a range between the bounds of the interval.
  case dailyRange
  /// A rate per second.
  case rate
  case number

  /// Returns a value formatted for the file.
  package func text(_ value: Double) -> String { fileText(value, low: value, high: value) }

  /// Returns a value formatted for a profile, rounded to a tenth of a second or to a thousandth. Negative values become
  /// 0.
  ///
  /// - Parameter side: the direction of rounding. A larger value never has a smaller formatted value.
  package func preciseText(_ value: Double, _ side: FloatingPointRoundingRule) -> String {
    let steps = { (perUnit: Double) in max(0, (value * perUnit).rounded(side)) / perUnit }
    switch self {
    case .span: return QuantityText.duration(.milliseconds(Int64((steps(10) * 1_000).rounded())))
    case .uniformSpan: return "{uniform: 0s..\(KeyMeasure.span.preciseText(value, side))}"
    case .count: return String(Self.whole(steps(1)))
    case .share: return QuantityText.number((steps(10_000) * 1e6).rounded() / 1e4) + "%"
    case .daily, .dailyRange: return QuantityText.number(steps(1_000)) + "/day"
    case .rate: return QuantityText.number(steps(1_000)) + "/s"
    case .number: return QuantityText.number(steps(1_000))
    }
  }

  /// Returns a value formatted for the file. It is rounded as far as the interval allows; a rounding difference of up
  /// to 0.5 % is always allowed.
  func fileText(_ value: Double, low: Double, high: Double) -> String {
    let slack = KeyFinding.rounding * value.magnitude
    // A wide interval is narrowed towards the estimate, because otherwise 110 might become 100, for example.
    let (low, high) = self == .number ? ((low + 3 * value) / 4, (high + 3 * value) / 4) : (low, high)
    let round = RoundValue.within(low - slack...max(low, high) + slack, near: value, among: steps)
    switch self {
    case .span: return QuantityText.duration(.milliseconds(Int64((round * 1_000).rounded())))
    case .uniformSpan:
      return "{uniform: 0s..\(QuantityText.duration(.milliseconds(Int64((round * 1_000).rounded()))))}"
    case .count: return String(Self.whole(round))
    case .share: return PercentShares.percent(value)
    case .daily: return QuantityText.number(round) + "/day"
    case .dailyRange:
      return QuantityText.number(low.rounded(.down)) + "/day.." + QuantityText.number(high.rounded(.up)) + "/day"
    case .rate: return QuantityText.number(round) + "/s"
    case .number: return QuantityText.number(round)
    }
  }

  /// Returns the nearest 64-bit integer.
  private static func whole(_ count: Double) -> Int64 { Int64(exactly: count.rounded()) ?? (count > 0 ? .max : 0) }

  /// The preferred steps for rounding values, coarsest first. If none of them fits, powers of ten are used.
  private var steps: [Double] {
    switch self {
    case .span, .uniformSpan: [3_600, 1_800, 900, 300, 60, 30, 10, 1]
    default: []
    }
  }
}

/// A search for the number in an interval that has the fewest digits or is a multiple of a preferred step.
enum RoundValue {
  /// - Parameter steps: the steps whose multiples are tried first, before powers of ten down to a thousandth of the
  ///   value.
  static func within(_ interval: ClosedRange<Double>, near value: Double, among steps: [Double]) -> Double {
    for step in steps {
      let multiple = (value / step).rounded() * step
      if multiple != 0, interval.contains(multiple) { return multiple }
    }
    guard value != 0, value.isFinite else { return value }
    var step = tenth(of: value)
    for _ in 0..<4 {
      let multiple = multiple(of: step, near: value)
      if interval.contains(multiple) { return multiple }
      step /= 10
    }
    return multiple(of: step, near: value)
  }

  /// Returns the multiple of a power of ten that is nearest to a value, without binary rounding errors. For example, 12
  /// tenths give 1.2 instead of 1.2000000000000002.
  private static func multiple(of step: Double, near value: Double) -> Double {
    let count = (value / step).rounded()
    return step < 1 ? count / (1 / step).rounded() : count * step
  }

  /// Returns the largest power of ten that does not exceed a number.
  private static func tenth(of value: Double) -> Double {
    var power = 1.0
    while power * 10 <= value.magnitude { power *= 10 }
    while power > value.magnitude { power /= 10 }
    return power
  }
}

/// The party responsible for a key, which determines what a log may change.
package enum KeyOwner: String, CaseIterable, Sendable {
  /// The team's code, whose values are compared with the log and reported as contradicted if the log differs.
  case team = "yours"
  /// The number of phones, and their time zones and system versions.
  case fleet
  /// The habits of users.
  case people
  /// The undocumented behaviour of iOS.
  case system
  /// The behaviour of the backend.
  case backend

  /// The owners of keys by path prefix; the first matching prefix determines the owner.
  private static let table: [(beginning: String, owner: KeyOwner)] = [
    ("kinds.", .team), ("app.reloads", .team), ("app.", .people), ("os.", .system), ("backend.", .backend),
    ("events.", .team),
  ]
  /// The path components, below a cohort, of keys that describe users.
  private static let ofPeople = [".person", ".network", ".power"]

  package init(path: String) {
    if let known = Self.table.first(where: { path.hasPrefix($0.beginning) }) {
      self = path.contains(".taps") ? .people : known.owner
    } else {
      self = Self.ofPeople.contains(where: path.contains) ? .people : .fleet
    }
  }
}
