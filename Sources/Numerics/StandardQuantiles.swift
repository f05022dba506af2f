internal import SimulationKernel

/// Quantiles of a distribution of scale 1 at the nodes of a `QuantileTable`, the same on every machine.
///
/// Exponential ones are logarithms. For the others GSL's inverse, rounded to 12 bits, is where Newton's method starts;
/// the digits come from `IncompleteGamma`, which uses IEEE arithmetic alone. All are rounded to 40 bits (12 significant
/// digits). A machine whose libm differs in the last bit could get another node only when a start falls on a rounding
/// boundary (GSL's inverses differ by 1e-10 at worst: 4e-7 per node) and the last bit of Newton's result, too, crosses
/// one (2e-4): below 1e-6 per table; the node then differs by 1e-12 of its value, which moves about one draw in 10^10
/// by a millisecond.
struct StandardQuantiles: Sendable {
  /// From the tail to the median, by the probability of less.
  let lower: [Double]
  /// From the tail to the median, by the probability of more; the last is the last of `lower`.
  let upper: [Double]

  /// Nodes of a half: three in each cell, which shares its ends with its neighbours.
  static let nodeCount = QuantileTable.cellsPerHalf * 3 + 1

  /// The probability between a node and the tail, from 2^-41 to 1/2: 96 equal steps in each octave.
  static func probability(ofNode node: Int) -> Double {
    let (octave, step) = node.quotientAndRemainder(dividingBy: 3 * QuantileTable.cellsPerOctave)
    return Double(sign: .plus, exponent: octave - QuantileTable.octaves - 1, significand: 1 + Double(step) / 96)
  }

  /// The exponential distribution of mean 1: minus the logarithm of the probability of more.
  static let exponential = Result { () throws(NumericsError) in
    StandardQuantiles(
      lower: try nodes { (probability, _) in -SteadyMath.logOfRest(probability) },
      upper: try nodes { (probability, _) in -SteadyMath.log(probability) })
  }

  /// The normal distribution of mean 0 and deviation 1: z^2 / 2 has a gamma distribution of shape 1/2.
  static let normal = Result { () throws(NumericsError) in
    let upper = try nodes { (probability, _) throws(NumericsError) in
      try upperNormal(probability, start: probability == 0.5 ? 0 : GSL.normalQinv(probability))
    }
    return StandardQuantiles(lower: upper.map { -$0 }, upper: upper)
  }

  /// The gamma distribution of scale 1.
  static func gamma(shape: Double) throws(NumericsError) -> StandardQuantiles {
    let gamma = IncompleteGamma(shape: shape)
    let lower = try nodes { (probability, _) throws(NumericsError) in
      // GSL finds no start in the far tail of a small shape, where the first term of the series is one.
      let start = start((try? GSL.gammaPinv(probability, shape: shape, scale: 1)) ?? 0, else: nil)
      return gamma.logQuantile(lower: probability, start: start).map(SteadyMath.exp)
    }
    var upper = try nodes { (probability, previous) throws(NumericsError) in
      let start = start((try? GSL.gammaQinv(probability, shape: shape, scale: 1)) ?? 0, else: previous ?? shape + 30)
      return start.flatMap { gamma.quantile(upper: probability, start: $0) }
    }
    upper[nodeCount - 1] = lower[nodeCount - 1]
    return StandardQuantiles(lower: lower, upper: upper)
  }

  /// The upper quantile of the standard normal distribution for a probability up to 1/2; nil when none is found.
  static func upperNormal(_ probability: Double, start z: Double) -> Double? {
    guard probability < 0.5 else { return 0 }
    let gamma = IncompleteGamma(shape: 0.5)
    let start = start(z * z / 2, else: nil)
    let half =
      probability > 0.25
      ? gamma.logQuantile(lower: 1 - 2 * probability, start: start).map(SteadyMath.exp)
      : start.flatMap { gamma.quantile(upper: 2 * probability, start: $0) }
    return half.map { (2 * $0).squareRoot() }
  }

  /// GSL's value without the bits that differ between machines, or `other` where GSL has none.
  private static func start(_ value: Double, else other: Double?) -> Double? {
    value.isNormal && value > 0 ? SteadyMath.rounded(value, bits: 12) : other
  }

  /// The rounded quantiles at all nodes, each found with the help of the one before it.
  private static func nodes(
    _ quantile: (_ probability: Double, _ previous: Double?) throws(NumericsError) -> Double?
  ) throws(NumericsError) -> [Double] {
    var nodes: [Double] = []
    nodes.reserveCapacity(nodeCount)
    for node in 0..<nodeCount {
      let probability = probability(ofNode: node)
      guard let value = try quantile(probability, nodes.last), value.isFinite else {
        throw .notFinite(function: "quantile", arguments: [probability])
      }
      nodes.append(SteadyMath.rounded(value, bits: 40))
    }
    return nodes
  }
}
