import Numerics
import Scenario
import SimulationKernel

extension ViewsLaw {
  /// `capacity` in whole millionths of a run, rounded down.
  static func roundedCapacity(views: Double, cap: Double) -> RunMillionths {
    RunMillionths(count: Int64((capacity(views: views, cap: cap) * 1_000_000).rounded(.down)))
  }
}

extension Distribution<Double> {
  /// The expectation; a normal draw below 0 counts as 0.
  func mean() throws(NumericsError) -> Double {
    guard case .normal(let mean, let deviation) = self else { return expectation }
    return try RectifiedNormal.mean(mean: mean, deviation: deviation)
  }
}
