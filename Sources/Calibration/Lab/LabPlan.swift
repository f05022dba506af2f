/// What so many phones, watched for so many days as Docs/LAB.md has it, say of the system's constants.
package struct LabPlan: Hashable, Sendable {
  package let phones: Int
  package let days: Int

  package init(phones: Int, days: Int) { (self.phones, self.days) = (phones, days) }

  /// A quantity with its half-widths.
  package struct Row: Sendable {
    package let quantity: String
    /// What is measured of it, and by which formula.
    package let measure: String
    package let unit: Unit
    package let observations: Int
    /// For the phones of the lab alone; nil: nothing was observed.
    package let here: Double?
    /// For all phones, where these differ by 5 and by 10 %; empty: a rule that is the same on each.
    package let fleet: [Double?]
  }

  /// What half-widths are in.
  package enum Unit: String, Sendable {
    /// Hundredths of all cases.
    case points
    /// Hundredths of the value.
    case percent = "%"
    case seconds = "s"
    case runsPerDay = "runs/day"
  }

  /// How much phones may differ, as a coefficient of variation.
  package static let differences = [0.05, 0.10]

  package var rows: [Row] { [inUseLaw, inUseMean, lateLaw, lateMean] + edges + shares + [lowPower, budget] }

  // MARK: The protocol in numbers

  /// Sessions a day in which a tester uses the phone, and scheduled runs of one widget in the ten minutes of each: the
  /// system keeps five minutes between them.
  static let sessionsPerDay = 6
  static let runsPerSession = 2
  /// Kinds that are always due in a session: after 1 and after 5 minutes.
  static let eagerKinds = 2
  /// Kinds that are due every hour, and waking hours in which they start without a session.
  static let hourlyKinds = 2
  static let wakingHours = 16
  /// Seconds in which a run starts: of a phone in use, and of others.
  static let shortWindow = 60.0
  static let longWindow = 900.0
  /// Seconds between the due dates of the widgets that wait on an idle phone.
  static let idleStagger = 900.0
  /// Pairs of due dates a day that lie less than ten minutes apart: of every 60 and every 67 minutes.
  static let pairsPerDay = 8
  static let longestPair = 600.0
  static let stagedViewsPerDay = 6
  static let stagedStartsPerDay = 20
  /// Levels of views a day, and widgets that are counted at each.
  static let viewLevels = 5
  static let budgetWidgets = 5
  /// Days in which the system learns how often a widget is seen.
  static let learningDays = 7
  /// Runs a day that Apple names as usual: the least, so the fewest counts.
  static let usualBudget = 40.0
  /// The coefficient of variation of a person's days: that of a gamma law of shape 6, which scenarios have.
  static let dayVariation = 0.41

  private var phoneDays: Int { phones * days }

  // MARK: Laws and means of delays

  private var inUseDelays: Int { Self.sessionsPerDay * Self.runsPerSession * Self.eagerKinds }
  private var lateDelays: Int { Self.hourlyKinds * Self.wakingHours }

  private var inUseLaw: Row { law("start delay in use", inUseDelays) }
  private var inUseMean: Row { mean("start delay in use", inUseDelays) }
  private var lateLaw: Row { law("start delay, not in use", lateDelays) }
  private var lateMean: Row { mean("start delay, not in use", lateDelays) }

  private func law(_ quantity: String, _ perDay: Int) -> Row {
    let count = phoneDays * perDay
    return Row(
      quantity: quantity, measure: "law", unit: .points, observations: count,
      here: 100 * LabPrecision.law(observations: Double(count)), fleet: [])
  }

  /// Delays spread evenly from 0 deviate by 1 / sqrt(3) of their mean.
  private func mean(_ quantity: String, _ perDay: Int) -> Row {
    mean(quantity, "mean", .percent, within: 100 / 3.0.squareRoot(), of: 100, perPhone: perDay * days)
  }

  /// A mean over phones.
  ///
  /// - Parameter value: what the differences of phones are a share of.
  private func mean(
    _ quantity: String, _ measure: String, _ unit: Unit, within: Double, of value: Double, perPhone: Int
  ) -> Row {
    let count = phones * perPhone
    guard perPhone > 0 else {
      return Row(quantity: quantity, measure: measure, unit: unit, observations: 0, here: nil, fleet: [nil, nil])
    }
    return Row(
      quantity: quantity, measure: measure, unit: unit, observations: count,
      here: LabPrecision.mean(deviation: within, observations: Double(count)),
      fleet: Self.differences.map {
        LabPrecision.clusteredMean(
          between: $0 * value, within: within, phones: phones, observationsEach: Double(perPhone))
      })
  }

  // MARK: Ends of windows

  private var edges: [Row] {
    [
      edge("start delay in use", Self.shortWindow, inUseDelays),
      edge("start delay, not in use", Self.longWindow, lateDelays),
      edge("min_spacing", Self.shortWindow, Self.sessionsPerDay * Self.runsPerSession),
      edge("idle.after", Self.idleStagger, 1),
      edge("idle.give_up", Self.longWindow, 1),
      edge("coalescing window", Self.longestPair, Self.pairsPerDay),
    ]
  }

  private func edge(_ quantity: String, _ window: Double, _ perDay: Int) -> Row {
    let count = phoneDays * perDay
    return Row(
      quantity: quantity, measure: "end", unit: .seconds, observations: count,
      here: LabPrecision.edge(window: window, observations: Double(count)), fleet: [])
  }

  // MARK: Shares

  private var shares: [Row] {
    [
      mean(
        "stale views that reload", "share", .points, within: 100 * LabPrecision.deviation(ofShare: Self.leastCertain),
        of: 100 * Self.leastCertain, perPhone: Self.stagedViewsPerDay * days), rank("delay after a tap"),
      rank("delay after a push"), rank("delay after a call"),
    ]
  }

  private static let leastCertain = 0.5

  /// The share of delays that lie below the sample's median.
  private func rank(_ quantity: String) -> Row {
    let count = phoneDays * Self.stagedStartsPerDay
    let deviation = LabPrecision.deviation(ofShare: Self.leastCertain)
    return Row(
      quantity: quantity, measure: "median's rank", unit: .points, observations: count,
      here: 100 * LabPrecision.mean(deviation: deviation, observations: Double(count)), fleet: [])
  }

  // MARK: Effects and counts

  /// The ratio of days with and without: each pair of days has the deviation of two.
  private var lowPower: Row {
    mean(
      "Low Power Mode", "effect on runs", .percent, within: 100 * Self.dayVariation * 2.0.squareRoot(),
      of: 100, perPhone: days / 2)
  }

  /// Runs of a day vary at most as events without a budget do: by the root of their number.
  private var budget: Row {
    let perPhone = Self.budgetWidgets * max(0, days - Self.learningDays) / Self.viewLevels
    return mean(
      "budget at a level of views", "mean", .runsPerDay, within: Self.usualBudget.squareRoot(),
      of: Self.usualBudget, perPhone: perPhone)
  }
}
