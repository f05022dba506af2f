import SimulationKernel

/// What bounds a balance at the time of its placement, on every day alike but for C (MODEL.md 1.4).
struct BalanceBounds {
  /// Runs between both bounds that the day's swing takes.
  let taken: Double
  let carryOver: Double

  /// Runs between the lowest and the highest balance.
  func room(capacity: Double) -> Double { max(carryOver * capacity - taken, 0) }
}

/// The law of a bucket's balance in the long run: a random walk between its bounds (MODEL.md 1.4).
///
/// Source: Harrison, "Brownian motion and stochastic flow systems", 1985, section 5.6.
enum StationaryBalance {
  /// A draw from the truncated exponential density exp(`tilt` x) on 0...1.
  static func share(tilt: Double, uniform: UInt64) -> Double {
    let size = min(abs(tilt), 1e9)
    let part = (Double(uniform >> 11) + 0.5) * 0x1p-53
    guard size > 1e-6 else { return part }
    // Inversion, from the end that has most of the law.
    let share = 1 + SteadyMath.log(part + (1 - part) * SteadyMath.exp(-size)) / size
    return tilt > 0 ? share : 1 - share
  }

  /// Where between its bounds a balance stands that moves freely between them.
  ///
  /// - Parameters:
  ///   - room: between the bounds, in runs.
  ///   - drift: mean of what a day adds, in runs.
  ///   - variance: of the same, in runs squared.
  static func level(room: Double, drift: Double, variance: Double, uniform: UInt64) -> Double {
    let tilt = drift == 0 ? 0 : 2 * drift * room / max(variance, 1e-9)
    return share(tilt: tilt, uniform: uniform) * room
  }
}
