/// What a log says about one quantity, and how surely.
package struct Estimate: Hashable, Sendable {
  /// In the unit that its owner names: seconds for spans, shares from 0 to 1; nil: the log does not say.
  package var value: Double?
  /// The 95 % interval; nil: open on this side, or none can be given.
  package var low: Double?
  package var high: Double?
  package var verdict: Verdict
  /// Observations that carry it: gaps, phones, wakes or days.
  package var count: Int
  /// Why it is no better; nil: nothing to say.
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

  /// How much a log can say.
  package enum Verdict: String, CaseIterable, Sendable {
    case identified, weakly
    /// Only a bound is known.
    case oneSided
    case notFromThisLog
  }

  /// Why a log cannot say more.
  package enum Reason: String, CaseIterable, Sendable {
    case tooFewObservations, tooFewDays, wideInterval
    /// The range that was looked at cuts the interval.
    case endOfRange
    /// Nothing rises or falls where an interval or a window would end.
    case noEdge
    /// Answers come from a cache for longer than the interval.
    case cacheHidesInterval
    /// Runs are closer than the system allows: the interval is anything up to it.
    case minimumSpacingHidesInterval
    /// Runs keep to marks of the clock, not to a span after the last run.
    case wallMarks
    /// Phones follow several intervals.
    case severalIntervals
    /// Phones have several widgets of the kind, whose runs mix.
    case severalWidgets
    /// Delays do not spread evenly over the window.
    case notUniform
    /// Every hour of the day looks alike.
    case flatDay
    /// No request failed.
    case noErrors
    /// Nothing asks for more than a budget gives.
    case demandBelowBudget
    /// The periodic part is no stronger than chance.
    case weakPeak
    /// Runs keep to no marks of the clock.
    case noMarks
    /// No line says who sent it.
    case noIDs
    /// A phone has another id each day.
    case dailyIDs
    /// The log holds some of the requests, so that what seems a gap is none.
    case sampledLog
    /// Only the product with other keys shows.
    case onlyProduct
    /// Nothing in the log comes near it.
    case neverReached
    /// Clocks of these zones show the same time.
    case equalClocks
    /// The hours of people's days are taken as usual, not known.
    case assumedHours
    /// How many phones are out of the cycle at a time is taken as the model has it.
    case assumedShare
    /// The phones are a few testers', whose people are not the fleet's.
    case testersOnly
    /// Phones come and go, so that those seen once are not those seldom seen.
    case changingPopulation
  }

  /// A quantity of which the log says nothing.
  package static func unknown(_ reason: Reason, count: Int = 0) -> Estimate {
    Estimate(nil, verdict: .notFromThisLog, count: count, reason: reason)
  }

  /// Widths of a 95 % interval against the scale of the quantity: up to a fifth to either side is identified, up to
  /// three quarters weakly. An expert would quote the first without a remark and the second with one.
  private static let identified = 0.2
  private static let weakly = 0.75

  /// An estimate with an interval, judged by its width.
  ///
  /// - Parameter scale: what a half-width is compared with; nil: the value itself.
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

  /// An estimate with a remark where it had none.
  func noting(_ remark: Reason) -> Estimate {
    var noted = self
    noted.reason = reason ?? remark
    return noted
  }

  /// An interval that reaches further to both sides.
  func widened(by span: Double) -> Estimate {
    var wide = self
    wide.low = low.map { $0 - span }
    wide.high = high.map { $0 + span }
    return wide
  }

  /// Its verdict at most this good, for a reason.
  func limited(to most: Verdict, _ reason: Reason) -> Estimate {
    var limited = self
    limited.reason = reason
    if verdict == .identified || most == .notFromThisLog { limited.verdict = most }
    return limited
  }
}
