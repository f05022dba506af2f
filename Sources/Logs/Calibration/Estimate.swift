/// An estimate of one quantity from a log, with its precision.
package struct Estimate: Hashable, Sendable {
  /// The estimated value in the unit of the quantity, such as seconds; shares range from 0 to 1. It is `nil` if the log
  /// contains no information about the quantity.
  package var value: Double?
  /// The lower bound of the 95 % interval; a bound is `nil` if it is unknown or if the interval has no bound on that
  /// side.
  package var low: Double?
  package var high: Double?
  package var verdict: Verdict
  /// The number of gaps, phones, wakes or days on which the estimate is based.
  package var count: Int
  /// The reason why the precision of the estimate is limited; `nil` if there is no such reason.
  package var reason: Reason?
  /// The number of additional whole days that the estimate needs; `nil` if a lack of days is not the reason.
  package private(set) var daysMissing: Int?

  package init(
    _ value: Double?, low: Double? = nil, high: Double? = nil, verdict: Verdict, count: Int, reason: Reason? = nil
  ) {
    self.value = value
    self.low = low
    self.high = high
    self.verdict = verdict
    self.count = count
    self.reason = reason
  }

  /// A verdict on the precision of an estimate.
  package enum Verdict: String, CaseIterable, Sendable {
    case identified, weakly
    /// Only a lower or an upper bound is known.
    case oneSided
    case notFromThisLog
  }

  /// The reason for an estimate's limited precision.
  package enum Reason: String, CaseIterable, Sendable {
    case tooFewObservations, tooFewDays, wideInterval
    /// The interval is cut off by a bound of the searched range.
    case endOfRange
    /// No rise or fall in the rate of runs marks the end of the interval or the window.
    case noEdge
    /// A cache serves responses for longer than the interval, so the interval cannot be seen.
    case cacheHidesInterval
    /// Runs follow each other as closely as the system allows. The interval may have any value up to the minimum
    /// spacing.
    case minimumSpacingHidesInterval
    /// Runs are timed by marks on the clock instead of by the time since the previous run.
    case wallMarks
    /// Different phones follow different intervals.
    case severalIntervals
    /// Phones have several widgets of this kind, whose runs are mixed.
    case severalWidgets
    /// Delays are not uniformly distributed over the window.
    case notUniform
    /// Users are about equally active at all hours of the day.
    case flatDay
    /// No request in the log failed.
    case noErrors
    /// The demand for runs is below the budget.
    case demandBelowBudget
    /// The periodic component of the load is no stronger than random variation.
    case weakPeak
    /// Runs are not aligned to the clock.
    case noMarks
    /// No line has a sender ID.
    case noIDs
    /// Phones get a new ID each day.
    case dailyIDs
    /// The log contains only a sample of the requests, so apparent gaps are not real.
    case sampledLog
    /// Only the product of this quantity and other keys can be observed.
    case onlyProduct
    /// No observation in the log comes close to this value.
    case neverReached
    /// The zones cannot be distinguished, because their clocks show the same time.
    case equalClocks
    /// The hours of users' days are assumed rather than known.
    case assumedHours
    /// The share of phones that do not take part in the cycle is taken from the model.
    case assumedShare
    /// The value is the number of phones that would send as many requests as the log contains. It assumes the users'
    /// habits in the scenario file.
    case assumedHabits
    /// The daily activity of many phones fits other time zones better than the given ones.
    case otherZones
    /// The phones belong to a few testers, who do not represent the fleet's users.
    case testersOnly
    /// A simulation of the scenario file yields the same statistic, so the log does not rule out the file's value.
    case sameInSimulation
    /// A simulation with this value yields a different statistic, so the value is corrected by the difference.
    case correctedBySimulation
    /// The gaps could also have been caused by a cache.
    case perhapsCached
    /// The budget, rather than the interval, determines when widgets run.
    case budgetHidesInterval
    /// Jitter or uneven delays turn the sudden rise in runs at the end of the interval into a gradual one.
    case blurredEdge
    /// Phones join and leave the fleet, so phones that were seen only once may not belong to infrequent users.
    case changingPopulation
  }

  /// Returns an estimate of a quantity about which the log has no information.
  package static func unknown(_ reason: Reason, count: Int = 0) -> Estimate {
    Estimate(nil, verdict: .notFromThisLog, count: count, reason: reason)
  }

  /// Returns an estimate of a quantity that needs more whole days than the log has.
  package static func tooShort(_ days: Int, of needed: Int) -> Estimate {
    var unknown = unknown(.tooFewDays, count: days)
    unknown.daysMissing = max(needed - days, 1)
    return unknown
  }

  /// Returns an estimate without a value or interval, with the same reason and number of observations.
  func withoutValue() -> Estimate {
    var unknown = Self.unknown(reason ?? .wideInterval, count: count)
    unknown.daysMissing = daysMissing
    return unknown
  }

  /// The maximum half-widths of 95 % intervals for the verdicts `identified` (0.2) and `weakly` (0.75), relative to the
  /// quantity. An expert would quote an identified value without a caveat, and a weakly known one with a caveat.
  private static let identified = 0.2
  private static let weakly = 0.75

  /// Returns an estimate with the verdict that the width of its interval permits.
  ///
  /// - Parameter scale: the quantity to which the half-width is compared; `nil` for the value itself.
  static func judged(
    _ value: Double, _ interval: ClosedRange<Double>?, scale: Double? = nil, count: Int, reason: Reason? = nil
  ) -> Estimate {
    guard value.isFinite else { return .unknown(reason ?? .tooFewObservations, count: count) }
    guard let interval else { return Estimate(value, verdict: .weakly, count: count, reason: reason ?? .tooFewDays) }
    let half = (interval.upperBound - interval.lowerBound) / 2 / max(abs(scale ?? value), .leastNormalMagnitude)
    let verdict: Verdict = half <= identified ? .identified : half <= weakly ? .weakly : .notFromThisLog
    return Estimate(
      value, low: interval.lowerBound, high: interval.upperBound, verdict: verdict, count: count,
      reason: reason ?? (verdict == .identified ? nil : .wideInterval))
  }

  /// Returns the estimate with a reason, unless it already has one.
  func noting(_ remark: Reason) -> Estimate {
    var noted = self
    noted.reason = reason ?? remark
    return noted
  }

  /// Returns the estimate with both bounds of its interval moved outwards by `span`.
  func widened(by span: Double) -> Estimate {
    var wide = self
    wide.low = low.map { $0 - span }
    wide.high = high.map { $0 + span }
    return wide
  }

  /// Returns the estimate with its verdict lowered to `maximum` if it is better, for the given reason.
  func limited(to maximum: Verdict, _ reason: Reason) -> Estimate {
    var limited = self
    limited.reason = reason
    if verdict == .identified || maximum == .notFromThisLog { limited.verdict = maximum }
    return limited
  }
}
