import SimulationKernel

/// The growth of a fleet, expressed as the cumulative number of phones that have ever had the widget.
package struct PhoneGrowth: Hashable, Sendable {
  /// The growth law, with times in days since the start.
  package enum Law: Hashable, Sendable {
    case none
    /// Linear growth between given days, and a constant number after the last day.
    case table([Milestone])
    /// A constant number of new phones per day.
    case linear(Double)
    /// A constant relative growth per week.
    case exponential(Double)
    /// Logistic growth, given by a limit, a rate per day, and the day on which half of the limit is reached. If that
    /// day is `nil`, it is derived from the number of phones at the start.
    case logistic(ceiling: Double, rate: Double, midpoint: Double?)
    /// Growth according to Bass (1969), given by a limit and the daily coefficients of innovation and imitation.
    case bass(ceiling: Double, innovation: Double, imitation: Double)
  }

  /// The number of phones on a given day.
  package struct Milestone: Hashable, Sendable {
    package var day: Int
    package var phones: Double

    package init(day: Int, phones: Double) { (self.day, self.phones) = (day, phones) }
  }

  /// The number of phones on day 0.
  package var start = 0.0
  package var law = Law.none
  /// The factor by which all growth after day 0 is multiplied.
  package var factor = 1.0

  package init() {}

  /// The limit of the growth, which must be above the number at the start; `nil` if the law has no limit.
  package var ceiling: Double? {
    switch law {
    case .logistic(let ceiling, _, .none), .bass(let ceiling, _, _): ceiling
    default: nil
    }
  }

  /// Returns the number of phones that have ever had the widget, up to a given day.
  package func total(on day: Int) -> Double { start(of: law) + factor * (value(Double(day)) - start(of: law)) }

  /// Returns the number of phones that have the widget on each day.
  ///
  /// Phones that have the widget on day 0 keep it. Phones added later keep it with a probability that depends on the
  /// time since they got it.
  package func phones(days: Int, keeping retention: Retention?) -> [Double] {
    let totals = (0..<max(days, 0)).map(total)
    guard let retention else { return totals }
    let kept = totals.indices.map { retention.share(afterDays: $0) }
    return totals.indices.map { day in
      (0..<day).reduce(totals[0]) { sum, age in
        sum + (totals[day - age] - totals[day - age - 1]) * kept[age]
      }
    }
  }

  private func start(of law: Law) -> Double {
    if case .logistic(_, _, .some) = law { return value(0) }
    return start
  }

  private func value(_ day: Double) -> Double {
    switch law {
    case .none: return start
    case .table(let points): return Self.interpolated(points, from: start, at: day)
    case .linear(let perDay): return start + perDay * day
    case .exponential(let perWeek): return start * SteadyMath.exp(SteadyMath.log(1 + perWeek) * day / 7)
    case .logistic(let ceiling, let rate, let midpoint):
      let middle = midpoint ?? SteadyMath.log(ceiling / start - 1) / rate
      return ceiling / (1 + SteadyMath.exp(-rate * (day - middle)))
    case .bass(let ceiling, let innovation, let imitation):
      let decay = SteadyMath.exp(-(innovation + imitation) * day)
      return start + (ceiling - start) * (1 - decay) / (1 + imitation / innovation * decay)
    }
  }

  private static func interpolated(_ points: [Milestone], from start: Double, at day: Double) -> Double {
    var (last, value) = (0.0, start)
    for point in points {
      let next = Double(point.day)
      if day < next { return value + (point.phones - value) * (day - last) / (next - last) }
      (last, value) = (next, point.phones)
    }
    return value
  }
}

/// The share of phones that still have the widget, as a function of the number of days since they got it.
package struct Retention: Hashable, Sendable {
  /// The share of phones at an age of at least one day.
  package struct Point: Hashable, Sendable {
    package var day: Int
    package var share: Double

    package init(day: Int, share: Double) { (self.day, self.share) = (day, share) }
  }

  /// The points in ascending order of age; shares never increase.
  package var points: [Point]
  /// The minimum share at any age.
  package var floor = 0.0

  package init(_ points: [Point], floor: Double = 0) { (self.points, self.floor) = (points, floor) }

  /// Returns the share at an age. The share is 1 at age 0, linear up to the first point, and linear on logarithmic
  /// scales beyond that point.
  package func share(afterDays age: Int) -> Double {
    guard age > 0, let first = points.first else { return 1 }
    if age < first.day { return max(1 + (first.share - 1) * Double(age) / Double(first.day), floor) }
    let next = points.firstIndex { $0.day > age } ?? points.count - 1
    guard next > 0 else { return max(first.share, floor) }
    let (left, right) = (points[next - 1], points[next])
    guard left.share > 0, right.share > 0 else { return max(age < right.day ? left.share : right.share, floor) }
    let slope = SteadyMath.log(right.share / left.share) / SteadyMath.log(Double(right.day) / Double(left.day))
    return max(left.share * SteadyMath.exp(slope * SteadyMath.log(Double(age) / Double(left.day))), floor)
  }
}
