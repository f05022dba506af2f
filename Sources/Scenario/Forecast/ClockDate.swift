import SimulationKernel

/// Dates that follow the clock.
struct ClockDate {
  /// `at 09:30`, `every 1h`.
  var words: String
  /// Seconds from one to the next.
  var period: Double
  /// Whose clock.
  var zone: ZoneChoice
  /// Seconds since midnight of the first of the day.
  var first: Double
  /// Whether there is one a day.
  var isSingle: Bool

  /// Seconds since midnight on the device's own clock, where it is the same on all of them every day.
  var local: Double? { isSingle && zone == .local ? first : nil }

  /// Seconds since midnight of all of a day's.
  var times: [Double] { isSingle ? [first] : Array(stride(from: 0, to: DayLoad.length, by: max(period, 1))) }
}

extension ReloadPolicy {
  /// nil for policies that do not follow the clock.
  var clockDate: ClockDate? {
    switch self {
    case .afterClock(let time, let zone, days: _):
      ClockDate(
        words: "at " + LintText.time(time), period: DayLoad.length, zone: zone,
        first: time.sinceMidnight.seconds, isSingle: true)
    case .afterMultiple(let every, let zone):
      ClockDate(
        words: "every " + LintText.span(every), period: min(every.seconds, DayLoad.length), zone: zone, first: 0,
        isSingle: false)
    case .never, .atEnd, .after: nil
    }
  }
}
