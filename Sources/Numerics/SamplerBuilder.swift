package import SimulationKernel

/// Makes the samplers of a scenario; equal distributions share one table.
package struct SamplerBuilder {
  /// Owns the tables' memory; must outlive every sampler made here.
  package let storage: SamplerStorage
  private var tables: [ContinuousDistribution: QuantileTable] = [:]

  package init(storage: SamplerStorage) { self.storage = storage }

  /// A span of a distribution whose parameters are in milliseconds.
  package mutating func span(_ milliseconds: ContinuousDistribution) throws(NumericsError) -> SpanSampler {
    .table(try table(milliseconds))
  }

  /// One of several spans by weights, which need not add up to 1; weights below 0 or all 0 are errors.
  package func span(
    choice options: [(value: TimeAmount, weight: Double)]
  ) throws(NumericsError) -> SpanSampler {
    try Self.check(weights: options.map(\.weight))
    return .choice(storage.choice(of: options))
  }

  /// A plain number.
  package mutating func number(_ distribution: ContinuousDistribution) throws(NumericsError) -> NumberSampler {
    .table(try table(distribution))
  }

  /// One of several numbers by weights, which need not add up to 1; weights below 0 or all 0 are errors.
  package func number(
    choice options: [(value: Double, weight: Double)]
  ) throws(NumericsError) -> NumberSampler {
    for option in options { try NumericsError.check(true, "choice", "a value", option.value) }
    try Self.check(weights: options.map(\.weight))
    return .choice(storage.choice(of: options))
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
