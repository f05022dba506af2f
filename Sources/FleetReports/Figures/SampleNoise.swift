import Scenario
import Studies

/// What chance adds to the windows of a sample beside those of its fleet (MODEL.md 8.1.13).
struct SampleNoise: Hashable {
  /// One simulated request in a window, in requests per second of the fleet.
  private let request: Double
  /// The share of the devices that are simulated.
  private let part: Double

  /// `nil` if every device is simulated.
  init?(_ window: LoadWindow, _ scale: Scale) {
    guard scale.isSample, let factor = RateFactor(window, scale) else { return nil }
    request = factor.rate(of: 1)
    part = Double(scale.simulated) / Double(scale.fleet)
  }

  /// By how much nearer to their mean the fleet's windows lie than some of the sample, as a share.
  ///
  /// - Parameter base: what of the mean is no phones' load.
  func share(ofRates rates: some Sequence<Double>, mean: Double, base: Double) -> Double {
    var (sum, count) = (0.0, 0.0)
    for rate in rates {
      sum += (rate - mean) * (rate - mean)
      count += 1
    }
    guard sum > 0 else { return 1 }
    let (variance, noise) = (sum / count, request * max(mean - base, 0))
    return min(((max(variance - noise, 0) + noise * part) / variance).squareRoot(), 1)
  }
}
