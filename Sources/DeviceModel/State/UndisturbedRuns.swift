import Scenario
import SimulationKernel

/// What is kept of an instance of the present device beside its state, while the device lives from beginning to end.
struct UndisturbedRuns: BitwiseCopyable {
  /// For its runs.
  var draws = DrawsAhead()
  /// Of the present day, by cause: runs that were undisturbed and are not in the tallies yet.
  var counts = InlineArray<11, UInt32>(repeating: 0)

  /// Another instance.
  mutating func reset() {
    draws.reset()
    counts = InlineArray(repeating: 0)
  }
}
