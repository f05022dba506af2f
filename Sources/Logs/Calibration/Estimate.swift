/// An estimate of one quantity from a log, with its precision.
package struct Estimate: Hashable, Sendable {
  /// The value in its owner's unit: seconds for spans, shares from 0 to 1; `nil` where the log has no information.
  package var value: Double?
  /// The 95 % interval; `nil` where it is open on this side or unknown.
  package var low: Double?
  package var high: Double?
  package var verdict: Verdict
  /// The number of observations behind it: gaps, phones, wakes or days.
  package var count: Int
  /// The reason why it is not better; `nil` without a remark.
  package var reason: Reason?

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

  /// The reason why an estimate is not better.
  package enum Reason: String, CaseIterable, Sendable {
    case tooFewObservations, tooFewDays, wideInterval
    /// The end of the searched range limits the interval.
    case endOfRange
    /// Nothing rises or falls where an interval or a window would end.
    case noEdge
    /// Answers come from a cache for longer than the interval.
    case cacheHidesInterval
    /// Runs are closer than the system allows: the interval is anything up to it.
    case minimumSpacingHidesInterval
    /// Runs follow marks of the clock, not a span after the last run.
    case wallMarks
    /// Phones follow several intervals.
    case severalIntervals
    /// Phones have several widgets of the kind, whose runs mix.
    case severalWidgets
    /// Delays do not spread evenly over the window.
    case notUniform
    /// All hours of the day are alike.
    case flatDay
    /// No request failed.
    case noErrors
    /// The demand is below the budget.
    case demandBelowBudget
    /// The periodic part is no stronger than chance.
    case weakPeak
    /// Runs follow no marks of the clock.
    case noMarks
    /// No line has a sender's id.
    case noIDs
    /// A phone has another id each day.
    case dailyIDs
    /// The log has only some of the requests, so that apparent gaps are not real.
    case sampledLog
    /// Only the product with other keys is visible.
    case onlyProduct
    /// Nothing in the log comes near it.
    case neverReached
    /// Clocks of these zones show the same time.
    case equalClocks
    /// The hours of people's days are assumed, not known.
    case assumedHours
    /// The share of phones outside the cycle is assumed from the model.
    case assumedShare
    /// The phones belong to a few testers, who do not represent the fleet's people.
    case testersOnly
    /// Phones come and go, so that phones seen once may not be rare users.
    case changingPopulation
  }

  /// Returns a quantity about which the log has no information.
  package static func unknown(_ reason: Reason, count: Int = 0) -> Estimate {
    Estimate(nil, verdict: .notFromThisLog, count: count, reason: reason)
  }

  /// The max half widths of 95 % intervals relative to the quantity: 0.2 is identified, 0.75 is weakly known. An expert
  /// would quote the first without a remark and the second with one.
  private static let identified = 0.2
  private static let weakly = 0.75

  /// Returns an estimate with an interval, judged by its width.
  ///
  /// - Parameter scale: the reference of the half width; `nil` for the value itself.
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

  /// Returns the estimate with a remark unless it has one.
  func noting(_ remark: Reason) -> Estimate {
    var noted = self
    noted.reason = reason ?? remark
    return noted
  }

  /// Returns the estimate with an interval that is wider on both sides.
  func widened(by span: Double) -> Estimate {
    var wide = self
    wide.low = low.map { $0 - span }
    wide.high = high.map { $0 + span }
    return wide
  }

  /// Returns the estimate with a verdict of at most this quality, for a reason.
  func limited(to most: Verdict, _ reason: Reason) -> Estimate {
    var limited = self
    limited.reason = reason
    if verdict == .identified || most == .notFromThisLog { limited.verdict = most }
    return limited
  }
}
