/// An estimate of one quantity from a log, with its precision.
package struct Estimate: Hashable, Sendable {
  /// The value in the quantity's own unit, such as seconds, or 0 to 1 for shares; `nil` if the log contains no
  /// information about it.
  package var value: Double?
  /// The 95 % interval; a bound is `nil` if the interval is open on that side, or unknown.
  package var low: Double?
  package var high: Double?
  package var verdict: Verdict
  /// The number of gaps, phones, wakes or days on which the estimate is based.
  package var count: Int
  /// The reason why the precision is limited; `nil` if there is none.
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

  /// The precision of an estimate.
  package enum Verdict: String, CaseIterable, Sendable {
    case identified, weakly
    /// Only a bound is known.
    case oneSided
    case notFromThisLog
  }

  /// The reason for an estimate's limited precision.
  package enum Reason: String, CaseIterable, Sendable {
    case tooFewObservations, tooFewDays, wideInterval
    /// The interval is cut off at the end of the searched range.
    case endOfRange
    /// No rise or fall marks the end of the interval or window.
    case noEdge
    /// A cache serves responses for longer than the interval.
    case cacheHidesInterval
    /// Runs are as close as the system allows, so the interval may be anything up to that minimum.
    case minimumSpacingHidesInterval
    /// Runs follow marks on the clock instead of the time since the previous run.
    case wallMarks
    /// Different phones follow different intervals.
    case severalIntervals
    /// Phones have several widgets of this kind, whose runs are mixed.
    case severalWidgets
    /// Delays are not uniform over the window.
    case notUniform
    /// All hours of the day are similar.
    case flatDay
    /// No request failed.
    case noErrors
    /// The demand is below the budget.
    case demandBelowBudget
    /// The periodic component is no stronger than chance.
    case weakPeak
    /// Runs do not follow marks on the clock.
    case noMarks
    /// No line has a sender ID.
    case noIDs
    /// Phones get a new ID each day.
    case dailyIDs
    /// The log contains only a sample of the requests, so apparent gaps are not real.
    case sampledLog
    /// Only the product with other keys can be observed.
    case onlyProduct
    /// Nothing in the log comes near this value.
    case neverReached
    /// Clocks in these zones show the same time.
    case equalClocks
    /// The hours of users' days are assumed rather than known.
    case assumedHours
    /// The share of phones outside the cycle is taken from the model.
    case assumedShare
    /// The value is the number of phones that send as many requests as the log contains, given the habits in the file.
    case assumedHabits
    /// The daily activity of many phones fits other zones.
    case otherZones
    /// The phones belong to a few testers, who do not represent the fleet's users.
    case testersOnly
    /// A simulation of the file has the same statistic, so the log does not rule out the file's value.
    case sameInSimulation
    /// A simulation with the value has another statistic, so the value is corrected by the difference.
    case correctedBySimulation
    /// A cache would cause the same gaps.
    case perhapsCached
    /// The budget determines when widgets run.
    case budgetHidesInterval
    /// Jitter or uneven delays turn the edge into a ramp.
    case blurredEdge
    /// Phones join and leave, so phones seen only once may not be rare users.
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

  /// Returns the estimate without its value.
  func withoutValue() -> Estimate {
    var unknown = Self.unknown(reason ?? .wideInterval, count: count)
    unknown.daysMissing = daysMissing
    return unknown
  }

  /// The maximum half-widths of 95 % intervals relative to the quantity: up to 0.2 counts as identified, and up to 0.75
  /// as weakly known. An expert would quote the former without a caveat and the latter with one.
  private static let identified = 0.2
  private static let weakly = 0.75

  /// Returns an estimate whose verdict follows from the width of its interval.
  ///
  /// - Parameter scale: the reference for the half-width; `nil` for the value itself.
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

  /// Returns the estimate with its interval widened on both sides.
  func widened(by span: Double) -> Estimate {
    var wide = self
    wide.low = low.map { $0 - span }
    wide.high = high.map { $0 + span }
    return wide
  }

  /// Returns the estimate with its verdict capped at `maximum`, for the given reason.
  func limited(to maximum: Verdict, _ reason: Reason) -> Estimate {
    var limited = self
    limited.reason = reason
    if verdict == .identified || maximum == .notFromThisLog { limited.verdict = maximum }
    return limited
  }
}
