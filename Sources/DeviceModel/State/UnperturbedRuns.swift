import Scenario
import SimulationKernel

/// What is kept of an instance of the present device beside its state, while the device lives from beginning to end.
struct UnperturbedRuns: BitwiseCopyable {
  /// By interface; nil where no run is unperturbed.
  private(set) var plans: UnsafePointer<UnperturbedPlan>?
  /// For its runs.
  var draws = DrawsAhead()
  /// Runs of the present day, by cause, that were unperturbed and are not in the tallies yet.
  var counts = Cause.Table<UInt32>(repeating: 0)

  /// Counts a run.
  @inline(__always)
  mutating func count(_ cause: Cause) { counts[unchecked: Int(cause.rawValue)] &+= 1 }

  /// Another instance.
  mutating func reset(_ plans: UnsafePointer<UnperturbedPlan>?) {
    self.plans = plans
    draws.reset()
    counts = InlineArray(repeating: 0)
  }
}
