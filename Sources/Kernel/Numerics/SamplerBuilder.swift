package import SimulationKernel

/// A builder for a scenario's samplers, in which equal distributions share one table.
///
/// A copy of the builder shares the original's tables and stores new tables in the same memory.
package struct SamplerBuilder: Sendable {
  /// The memory of the tables, which must outlive every sampler created here.
  package let storage: SamplerStorage
  private var tables: [ContinuousDistribution: QuantileTable] = [:]

  package init(storage: SamplerStorage) { self.storage = storage }

  /// Returns a sampler for time spans, given a distribution whose parameters are in milliseconds.
  package mutating func span(_ milliseconds: ContinuousDistribution) throws(NumericsError) -> SpanSampler {
    .table(try table(milliseconds))
  }

  /// Returns a sampler that picks a time span by weight.
  ///
  /// Throws if any weight is negative or all are zero; weights need not add up to 1.
  package func span(
    choice options: [(value: TimeAmount, weight: Double)]
  ) throws(NumericsError) -> SpanSampler {
    try Self.check(weights: options.map(\.weight))
    return .choice(storage.choice(of: options))
  }

  /// Returns a sampler for dimensionless numbers.
  package mutating func number(_ distribution: ContinuousDistribution) throws(NumericsError) -> NumberSampler {
    .table(try table(distribution))
  }

  /// Returns a sampler that picks a number by weight.
  ///
  /// Throws if any weight is negative or all are zero; weights need not add up to 1.
  package func number(
    choice options: [(value: Double, weight: Double)]
  ) throws(NumericsError) -> NumberSampler {
    for option in options { try NumericsError.check(true, "choice", "a value", option.value) }
    try Self.check(weights: options.map(\.weight))
    return .choice(storage.choice(of: options))
  }

  /// Returns a sampler for Poisson counts with a mean from 0 to 700, with the same thresholds on every machine.
  ///
  /// Uses the recurrence p(k + 1) = p(k) mean / (k + 1); omits counts with a probability below 1e-15.
  package func count(poisson mean: Double) throws(NumericsError) -> ChoiceTable<Int> {
    try NumericsError.check(mean >= 0 && mean <= 700, "Poisson", "the mean, which is at most 700,", mean)
    var options: [(value: Int, weight: Double)] = []
    var probability = SteadyMath.exp(-mean)
    var count = 0
    while count == 0 || Double(count) < mean || probability > 1e-15 {
      options.append((count, probability))
      count += 1
      probability *= mean / Double(count)
    }
    return storage.choice(of: options)
  }

  private mutating func table(_ distribution: ContinuousDistribution) throws(NumericsError) -> QuantileTable {
    if let table = tables[distribution] { return table }
    let table = storage.table(cells: try QuantileTableBuilder(distribution).cells())
    tables[distribution] = table
    return table
  }

  private static func check(weights: [Double]) throws(NumericsError) {
    for weight in weights { try NumericsError.check(weight >= 0, "choice", "a weight", weight) }
    let total = weights.reduce(0, +)
    try NumericsError.check(total > 0, "choice", "the sum of the weights", total)
  }
}
