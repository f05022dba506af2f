import Numerics
import SimulationKernel

/// Returns uniforms from a fixed key, the same in every test run.
func uniforms(_ count: Int, key: UInt64) -> [UInt64] {
  (0..<UInt32(count / 2)).flatMap { index in
    let block = Philox.block(counter: Philox.Block(index, 0, 0, 0), key: key)
    return [block.first, block.second]
  }
}

/// Returns the uniform at a fraction `probability` of 2^64.
func uniform(lower probability: Double) -> UInt64 { UInt64(probability * 0x1p64) }

/// Returns the uniform at that distance from the upper end.
func uniform(upper probability: Double) -> UInt64 { ~UInt64(probability * 0x1p64) }

/// Returns the largest distance between the empirical distribution of sorted values and its distribution function.
///
/// Values up to `floor` count as one.
func kolmogorovDistance(
  _ values: [Double], floor: Double = -.infinity, _ lowerTail: (Double) throws -> Double
) rethrows -> Double {
  let count = Double(values.count)
  var distance = 0.0
  for (index, value) in values.sorted().enumerated() where value > floor {
    let expected = try lowerTail(value)
    distance = max(distance, expected - Double(index) / count, Double(index + 1) / count - expected)
  }
  return distance
}

struct Moments {
  let mean: Double
  let variance: Double

  init(mean: Double, variance: Double) {
    self.mean = mean
    self.variance = variance
  }

  init(of values: [Double]) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    self.mean = mean
    variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
  }
}
