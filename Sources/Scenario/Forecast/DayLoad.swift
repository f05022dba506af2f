/// Requests per second over a day, as a sum of constants, spells and herds: piecewise linear in time.
struct DayLoad {
  /// A change of the rate, or of its slope, at an instant in seconds.
  private struct Bend {
    var at: Double
    var jump = 0.0
    var slope = 0.0
  }

  /// The rate just before or just after an instant, in seconds from the day's beginning.
  struct Moment {
    var second: Double
    var rate: Double
  }

  static let length = 86_400.0
  /// The window in seconds whose mean a load is, whatever `clock.step`: a capacity is per second, and what falls together
  /// comes within one.
  static let window = 1.0

  private var constant = 0.0
  private var bends: [Bend] = []

  /// Adds a rate that holds all day.
  mutating func add(rate: Double) { constant += rate }

  /// A rate for a part of the day, over midnight where the part ends after it.
  mutating func add(rate: Double, from: Double, to: Double) { add(rates: (rate, rate), from: from, to: to) }

  /// A rate that goes straight from one to another in a part of the day, over midnight where the part ends after it.
  mutating func add(rates: (Double, Double), from: Double, to: Double) {
    guard max(rates.0, rates.1) > 0, to > from else { return }
    let slope = (rates.1 - rates.0) / (to - from)
    for start in starts(from, to - from) {
      bends += [
        Bend(at: start, jump: rates.0, slope: slope), Bend(at: start + to - from, jump: -rates.1, slope: -slope),
      ]
    }
  }

  /// Requests whose instants are T + U(0, a) + U(0, b): a trapezoid with the plateau count / max(a, b) (MODEL.md 9).
  ///
  /// - Parameter widths: a and b in seconds, both above 0.
  mutating func add(herd count: Double, at second: Double, over widths: (Double, Double)) {
    guard count > 0 else { return }
    let (short, long) = (min(widths.0, widths.1), max(widths.0, widths.1))
    let slope = count / (short * long)
    for start in starts(second, short + long) {
      bends += [
        Bend(at: start, slope: slope), Bend(at: start + short, slope: -slope), Bend(at: start + long, slope: -slope),
        Bend(at: start + short + long, slope: slope),
      ]
    }
  }

  /// A second of any day, negative ones too, as one of this day.
  static func secondOfDay(_ second: Double) -> Double { second - (second / length).rounded(.down) * length }

  /// Where a spell begins that this day sees: on the day itself, and on the one before when it lasts over midnight.
  private func starts(_ second: Double, _ span: Double) -> [Double] {
    let start = Self.secondOfDay(second)
    let days = min(((start + span) / Self.length).rounded(.down), 31)
    return (0...Int(max(days, 0))).map { start - Double($0) * Self.length }
  }

  /// The rate wherever it bends, in the order of time: between two moments it is linear.
  var moments: [Moment] {
    var (rate, slope, now) = (constant, 0.0, -32 * Self.length)
    var moments: [Moment] = []
    for bend in merged where bend.at < Self.length {
      if now < 0, bend.at > 0 { moments.append(Moment(second: 0, rate: max(rate - slope * now, 0))) }
      rate += slope * (bend.at - now)
      now = bend.at
      if now >= 0 { moments.append(Moment(second: now, rate: max(rate, 0))) }
      rate += bend.jump
      slope += bend.slope
      if now >= 0, bend.jump.magnitude > 1e-9 { moments.append(Moment(second: now, rate: max(rate, 0))) }
    }
    if now < 0 { moments.append(Moment(second: 0, rate: max(rate - slope * now, 0))) }
    moments.append(Moment(second: Self.length, rate: max(rate + slope * (Self.length - now), 0)))
    return moments
  }

  /// In the order of time, one for each instant: what ends where another begins leaves no peak.
  private var merged: [Bend] {
    bends.sorted { $0.at < $1.at }.reduce(into: []) { merged, bend in
      guard let last = merged.last, bend.at - last.at < 1e-3 else { return merged.append(bend) }
      merged[merged.count - 1].jump += bend.jump
      merged[merged.count - 1].slope += bend.slope
    }
  }
}
