import Scenario
import SimulationKernel

/// What the provider remembers of a widget's runs; `Flights` has what of a run is in the air.
struct RunState: BitwiseCopyable {
  /// The data in force: when it came; `.longAgo` without data.
  var dataTime: Instant = .longAgo
  /// For the date of the policy at the end of the run in progress.
  var dateUniform: UInt64 = 0
  /// Runs begun so far: the index of the widget's draws.
  var runs: UInt32 = 0
  /// The phase that the next successful run takes.
  var phase: UInt16 = 0
  /// A free run asked for while a run is in progress, to follow it (MODEL.md 4.3).
  var nextFree: Cause?
  var activity = Activity.resting

  /// Whether a run is in progress.
  enum Activity: UInt8 {
    case resting
    case running
    /// A run that waits for the flight of another (MODEL.md 5.2).
    case joining
  }

  /// A placement is followed at once by the first run.
  @inline(__always)
  var isPlaced: Bool { runs > 0 }
}
