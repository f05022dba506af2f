import Numerics
import SimulationKernel

/// Numbers with their mean and variance.
struct Sample {
  private(set) var count = 0
  private var sum = 0.0
  private var squares = 0.0

  init() {}
  init(_ values: some Sequence<Double>) { for value in values { add(value) } }

  mutating func add(_ value: Double) {
    count += 1
    sum += value
    squares += value * value
  }

  var mean: Double { sum / Double(count) }
  var variance: Double { (squares - sum * sum / Double(count)) / Double(count - 1) }
  /// The standard error of the mean.
  var standardError: Double { (variance / Double(count)).squareRoot() }

  /// Returns whether the mean is within 4.5 standard errors of the expected value.
  func agrees(with expected: Double) -> Bool { abs(mean - expected) <= 4.5 * standardError }
}

/// The one-sided probability of 4.5 standard deviations, which a test accepts as chance.
let minProbability = 3.4e-6

/// Returns whether counts agree with their expected values by Pearson's chi-square test.
///
/// - Parameter known: whether the total is fixed by the counts themselves, which takes one degree of freedom.
func agrees(_ counts: [Int], _ expected: [Double], totalIsGiven known: Bool = true) throws -> Bool {
  var chiSquare = 0.0
  var cells = 0
  for (count, mean) in zip(counts, expected) {
    if mean == 0 {
      guard count == 0 else { return false }
      continue
    }
    cells += 1
    chiSquare += (Double(count) - mean) * (Double(count) - mean) / mean
  }
  let freedom = Double(cells - (known ? 1 : 0))
  // A chi-square with f degrees of freedom is a gamma distribution with shape f/2 and mean f.
  let tail = try ContinuousDistribution.gamma(shape: freedom / 2, mean: freedom).upperTail(chiSquare)
  return tail > minProbability
}

/// Returns whether values are draws from a distribution, by the Kolmogorov–Smirnov test.
func agrees(_ values: [Double], _ lowerTail: (Double) throws -> Double) throws -> Bool {
  let count = Double(values.count)
  var distance = 0.0
  for (index, value) in values.sorted().enumerated() {
    let expected = try lowerTail(value)
    distance = max(distance, expected - Double(index) / count, Double(index + 1) / count - expected)
  }
  return try KolmogorovDistribution.upperTail(distance: distance, samples: values.count) > minProbability
}

/// Returns whether values are uniform between 0 and 1.
func areUniform(_ values: [Double]) throws -> Bool { try agrees(values) { min(max($0, 0), 1) } }

/// Returns the probabilities of 0, 1, ... up to `count` - 1 events, and of more.
func poisson(_ mean: Double, count: Int) -> [Double] {
  var probabilities = [SteadyMath.exp(-mean)]
  for number in 1..<count { probabilities.append(probabilities[number - 1] * mean / Double(number)) }
  return probabilities + [1 - probabilities.reduce(0, +)]
}

/// Returns how many values are 0, 1, ... up to `count` - 1, and how many are larger.
func tally(_ values: [Int], count: Int) -> [Int] {
  var counts = Array(repeating: 0, count: count + 1)
  for value in values { counts[min(value, count)] += 1 }
  return counts
}
