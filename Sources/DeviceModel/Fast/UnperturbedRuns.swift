import Scenario
import SimulationKernel

/// What is kept of an instance of the present device beside its state, while the device lives from beginning to end.
struct UnperturbedRuns: BitwiseCopyable {
  /// By interface; nil where no run is unperturbed.
  private(set) var plans: UnperturbedChoice?
  /// The end of its present day.
  var dayEnd = Instant.longAgo
  /// For its runs.
  var draws = DrawsAhead()
  /// Runs of the present day, by cause, that were unperturbed and are not in the tallies yet.
  private var counts = Cause.Table<UInt32>(repeating: 0)

  /// Counts a run.
  @inline(__always)
  mutating func count(_ cause: Cause) { counts[unchecked: Int(cause.rawValue)] &+= 1 }

  /// The runs of a cause that were counted, which are forgotten here.
  mutating func takeCount(_ cause: Cause) -> UInt32 {
    defer { counts[Int(cause.rawValue)] = 0 }
    return counts[Int(cause.rawValue)]
  }

  /// Another instance.
  mutating func reset(_ plans: UnperturbedChoice?) {
    self.plans = plans
    dayEnd = .longAgo
    draws.reset()
    counts = InlineArray(repeating: 0)
  }
}
