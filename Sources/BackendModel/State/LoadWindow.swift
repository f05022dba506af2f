import SimulationKernel

/// The load since the last look at an autoscaled capacity (MODEL.md 6.5).
struct LoadWindow: BitwiseCopyable, Equatable {
  /// Since the last multiple of the delay.
  private var elapsed = TimeAmount.zero
  /// Requests that reached the queue.
  private var reached = 0.0
  /// Requests that there was capacity for.
  private var room = 0.0

  /// Adds a step; at its end, where a multiple of the delay is reached, the load over capacity since the last one.
  ///
  /// nil before that, and where there was no capacity in the step or in the window: then it stays.
  mutating func add(_ requests: Double, room stepRoom: Double, step: TimeAmount, delay: TimeAmount) -> Double? {
    elapsed += step
    reached += requests
    room += stepRoom
    guard elapsed >= delay else { return nil }
    let load = stepRoom > 0 ? reached / room : nil
    self = LoadWindow(elapsed: elapsed - delay)
    return load
  }

  init() {}

  private init(elapsed: TimeAmount) { self.elapsed = elapsed }
}
