package import SimulationKernel

/// A builder for the table of an inverse distribution function, with a cubic through four quantiles in each cell.
///
/// The probability of a tabulated quantile matches the requested one to a relative error of 1e-8 (4e-6 for gamma shapes
/// down to 0.05). The nodes are checked against GSL. A normal distribution may extend below 0; the table treats
/// negative values as 0.
package struct QuantileTableBuilder {
  package let distribution: ContinuousDistribution

  /// Creates a builder; throws `NumericsError.argument` if a parameter is invalid.
  package init(_ distribution: ContinuousDistribution) throws(NumericsError) {
    try distribution.validate()
    self.distribution = distribution
  }

  /// Returns the table's cells after checking that they are finite, never decrease and agree with GSL.
  package func cells() throws(NumericsError) -> [QuantileTable.Cell] {
    let quantiles = try scaled()
    try checkProbabilities(of: quantiles)
    return try cells(through: quantiles.lower, rising: true, first: 0)
      + cells(through: quantiles.upper, rising: false, first: QuantileTable.cellsPerHalf)
  }

  /// Returns the distribution's quantiles at the nodes, computed from its standard form.
  private func scaled() throws(NumericsError) -> StandardQuantiles {
    switch distribution {
    case .exponential(let mean): try StandardQuantiles.exponential.get().map { mean * $0 }
    case .normal(let mean, let deviation): try StandardQuantiles.normal.get().map { mean + deviation * $0 }
    case .lognormal(let median, let sigma):
      try StandardQuantiles.normal.get().map { median * SteadyMath.exp(sigma * $0) }
    case .gamma(let shape, let mean): try StandardQuantiles.gamma(shape: shape).map { mean / shape * $0 }
    }
  }

  /// Returns the cells of one half in table order: octaves from the median outwards, and the cells of each octave from
  /// the tail inwards.
  private func cells(
    through nodes: [Double], rising: Bool, first: Int
  ) throws(NumericsError) -> [QuantileTable.Cell] {
    var cells: [QuantileTable.Cell] = []
    cells.reserveCapacity(QuantileTable.cellCount)
    for octave in 0..<QuantileTable.octaves {
      for cell in 0..<QuantileTable.cellsPerOctave {
        let node = 3 * ((QuantileTable.octaves - 1 - octave) * QuantileTable.cellsPerOctave + cell)
        let ends = (nodes[node], nodes[node + 1], nodes[node + 2], nodes[node + 3])
        guard let fitted = Self.cell(through: ends, rising: rising) else {
          throw .notMonotone(function: "\(distribution)", cell: first + cells.count)
        }
        cells.append(fitted)
      }
    }
    return cells
  }

  /// Returns the cubic through four values at t = 0, 1/3, 2/3 and 1, or a straight line; `nil` if even the line would
  /// not be monotone.
  ///
  /// If rounding could make the cubic decrease, it is replaced by the line through the first and last values. The last
  /// operation of the evaluation adds c0, and rounding this sum preserves the order of results. The term added to c0
  /// has an error below 2^-50 times the sum of the magnitudes of the other coefficients. Therefore, a cubic never
  /// decreases if a step of t, which is 2^-32, changes it by more than twice that error. A line never decreases,
  /// because rounded products and sums preserve order.
  private static func cell(
    through nodes: (Double, Double, Double, Double), rising: Bool
  ) -> QuantileTable.Cell? {
    let (d1, d2, d3) = (nodes.1 - nodes.0, nodes.2 - nodes.0, nodes.3 - nodes.0)
    let cubic = QuantileTable.Cell(
      c0: nodes.0, c1: (18 * d1 - 9 * d2 + 2 * d3) / 2, c2: 9 * (4 * d2 - 5 * d1 - d3) / 2,
      c3: 9 * (3 * d1 - 3 * d2 + d3) / 2)
    let size = abs(cubic.c1) + abs(cubic.c2) + abs(cubic.c3)
    guard size.isFinite, cubic.c0.isFinite else { return nil }
    if minSlope(of: cubic, rising: rising) > size * 0x1p-49 * QuantileTable.stepsPerCell { return cubic }
    guard rising ? d3 >= 0 : d3 <= 0 else { return nil }
    return QuantileTable.Cell(c0: nodes.0, c1: d3, c2: 0, c3: 0)
  }

  /// Returns the minimum slope of a cubic within its cell; a slope in the intended direction is positive.
  private static func minSlope(of cell: QuantileTable.Cell, rising: Bool) -> Double {
    let slope = { (t: Double) in
      let slope = cell.c1 + t * (2 * cell.c2 + t * 3 * cell.c3)
      return rising ? slope : -slope
    }
    let ends = min(slope(0), slope(1))
    let turn = -cell.c2 / (3 * cell.c3)
    return turn > 0 && turn < 1 ? min(ends, slope(turn)) : ends
  }

  /// Checks that GSL's distribution function returns the probability of each octave's first node when given that node's
  /// quantile.
  ///
  /// The relative tolerance is 1e-9, wherever doubles can represent the quantile that precisely.
  private func checkProbabilities(of quantiles: StandardQuantiles) throws(NumericsError) {
    for octave in 0..<QuantileTable.octaves {
      let node = 3 * QuantileTable.cellsPerOctave * octave
      let wanted = StandardQuantiles.probability(ofNode: node)
      let (low, high) = (quantiles.lower[node], quantiles.upper[node])
      let slack = 1e-9 + sensitivity(at: wanted)
      let lower = low.isNormal ? try distribution.lowerTail(low) : wanted
      guard abs(lower - wanted) <= slack * wanted else {
        throw .disagreement(function: "\(distribution), lower tail", at: wanted)
      }
      guard abs(try distribution.upperTail(high) - wanted) <= slack * wanted else {
        throw .disagreement(function: "\(distribution), upper tail", at: wanted)
      }
    }
  }

  /// Returns the relative change in the probability that can result from rounding the quantile to 53 bits.
  private func sensitivity(at probability: Double) -> Double {
    switch distribution {
    // If the mean is far above the deviation, few bits remain for the deviation; a tail spans up to 8 deviations.
    case .normal(let mean, let deviation): 0x1p-49 * (abs(mean) / deviation) * 8
    case .lognormal(_, let sigma): 0x1p-49 / sigma * 8
    case .gamma(let shape, _): 1e-11 * shape.squareRoot()
    case .exponential: 0
    }
  }
}

extension StandardQuantiles {
  /// Returns the quantiles of an increasing function of the variable.
  fileprivate func map(_ transform: (Double) -> Double) -> StandardQuantiles {
    StandardQuantiles(lower: lower.map(transform), upper: upper.map(transform))
  }
}

/// Quantiles of a distribution of scale 1 at the nodes of a `QuantileTable`, the same on every machine.
///
/// Exponential quantiles are logarithms. For the others, Newton's method starts at GSL's inverse, rounded to 12 bits;
/// the final digits come from `IncompleteGamma`, which uses only IEEE arithmetic. All are rounded to 40 bits (12
/// significant digits).
///
/// A machine whose libm differs in the last bit gets a different node only if two unlikely events coincide. The start
/// must fall on a rounding boundary: GSL's inverses differ by at most 1e-10, a probability of 4e-7 per node. The last
/// bit of Newton's result must also cross a boundary (2e-4). The combined probability is below 1e-6 per table. The node
/// would then differ by 1e-12 of its value, which shifts about one draw in 10^10 by a millisecond.
struct StandardQuantiles: Sendable {
  /// Quantiles for lower-tail probabilities, from the tail to the median.
  let lower: [Double]
  /// Quantiles for upper-tail probabilities, from the tail to the median; the last quantile equals the last one in
  /// `lower`.
  let upper: [Double]

  /// The number of nodes in a half: three per cell, plus one; neighbouring cells share their end nodes.
  static let nodeCount = QuantileTable.cellsPerHalf * 3 + 1

  /// Returns the tail probability at a node, from 2^-41 to 1/2, in 96 equal steps per octave.
  static func probability(ofNode node: Int) -> Double {
    let (octave, step) = node.quotientAndRemainder(dividingBy: 3 * QuantileTable.cellsPerOctave)
    return Double(sign: .plus, exponent: octave - QuantileTable.octaves - 1, significand: 1 + Double(step) / 96)
  }

  /// The exponential distribution of mean 1: minus the logarithm of the upper-tail probability.
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

  /// Returns the gamma distribution of scale 1.
  static func gamma(shape: Double) throws(NumericsError) -> StandardQuantiles {
    let gamma = IncompleteGamma(shape: shape)
    let lower = try nodes { (probability, _) throws(NumericsError) in
      // In the far tail of a small shape, GSL's inverse fails, so the first term of the series is used as the start.
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

  /// Finds an upper quantile of the standard normal distribution for a probability up to 1/2; returns `nil` if the
  /// search fails.
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

  /// Returns GSL's value without the bits that differ between machines; returns `other` if GSL has no value.
  private static func start(_ value: Double, else other: Double?) -> Double? {
    value.isNormal && value > 0 ? SteadyMath.rounded(value, bits: 12) : other
  }

  /// Returns the rounded quantiles at all nodes, using each quantile as the start for the next one.
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
