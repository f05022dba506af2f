import SimulationKernel

/// The day in which a phone's energy is counted at present: the warm-up, then 24 h each from the start of the clock.
struct EnergyDay: BitwiseCopyable {
  /// The end of the day, or of the clock.
  private(set) var end: Instant
  /// By all widgets of the phone, as far as it has been counted.
  var spent = Energy.zero

  /// The day in which the world begins.
  ///
  /// - Parameter clockEnd: of the measured period.
  init(beginning: Instant, clockEnd: Instant) { end = beginning < .start ? .start : min(.start + .day, clockEnd) }

  /// The day after this one.
  func next(end clockEnd: Instant) -> EnergyDay {
    var day = self
    day.end = min(end + .day, clockEnd)
    day.spent = .zero
    return day
  }

  /// The beginning of the day, in a world that begins at `beginning`.
  func start(beginning: Instant) -> Instant { isMeasured ? measuredStart : beginning }

  /// Whole days from the start of the clock lie before it.
  private var measuredStart: Instant {
    let day = TimeAmount.day.milliseconds
    return Instant(millisecondsSinceStart: (end.millisecondsSinceStart - 1) / day * day)
  }

  var isMeasured: Bool { end > .start }
  /// The last day may be shorter.
  var isWhole: Bool { isMeasured && end - measuredStart == .day }
}
