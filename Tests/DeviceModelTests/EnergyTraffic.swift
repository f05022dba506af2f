import Foundation
import SimulationKernel

@testable import DeviceModel

/// Random gaps between requests, derived from a seed that failing tests print.
struct EnergyTraffic {
  let seed: UInt64
  private var index: UInt32 = 0

  init(seed: UInt64) { self.seed = seed }

  /// Returns U(0, 1), excluding 0.
  mutating func uniform() -> Double {
    index += 1
    let bits = Philox.block(counter: Philox.Block(index, 0, 0, 0), key: seed).first
    return (Double(bits >> 11) + 0.5) / 9_007_199_254_740_992
  }

  /// Returns an exponential time in seconds, with mean 1 / rate.
  mutating func exponential(rate: Double) -> Double { -log(uniform()) / rate }

  /// Returns a gamma draw of shape 2.
  mutating func gamma2(scale: Double) -> Double { exponential(rate: 1 / scale) + exponential(rate: 1 / scale) }

  mutating func lognormal(mu: Double, sigma: Double) -> Double {
    exp(mu + sigma * (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()))
  }
}

/// The mean and standard error of independent values.
struct EnergySample {
  private var count = 0.0
  private var sum = 0.0
  private var squares = 0.0

  mutating func add(_ value: Double) {
    count += 1
    sum += value
    squares += value * value
  }

  var mean: Double { sum / count }
  var error: Double { (max(squares - sum * sum / count, 0) / (count - 1) / count).squareRoot() }

  /// Whether the mean is within five standard errors of the expected value, plus a known bias.
  func fits(_ expected: Double, bias: Double = 0) -> Bool { abs(mean - expected) <= 5 * error + bias }
}
