import SimulationKernel

/// The day in which a phone's energy is counted at present: the warm-up, then 24 h each from the start of the clock.
struct EnergyDay: BitwiseCopyable {
  private(set) var start: Instant
  /// The end of the day, or of the clock.
  private(set) var end: Instant
  /// By all widgets of the phone, as far as it has been counted.
  var spent = Energy.zero

  /// The day in which the world begins.
  init(first plan: FleetPlan) {
    start = plan.beginning
    end = plan.beginning < .start ? .start : min(.start + .day, plan.end)
  }

  /// The day after this one.
  func next(end clockEnd: Instant) -> EnergyDay {
    var day = self
    day.start = end
    day.end = min(end + .day, clockEnd)
    day.spent = .zero
    return day
  }

  var isMeasured: Bool { start >= .start }
  /// The last day may be shorter.
  var isWhole: Bool { end - start == .day }
}
