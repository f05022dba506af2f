/// How a random plain number follows from one uniform of 64 bits; a larger uniform never gives a smaller number.
///
/// Tables are views of a `SamplerStorage`, which must outlive the sampler. A draw allocates and retains nothing.
public enum NumberSampler: BitwiseCopyable, Sendable {
  case constant(Double)
  /// From `from` up to `from + width`, which only rounding reaches; in steps of 2^-53 of the width.
  case uniform(from: Double, width: Double)
  case choice(ChoiceTable<Double>)
  case table(QuantileTable)

  /// Whether every draw gives the same number, so that none needs to be made.
  @inlinable public var isConstant: Bool {
    if case .constant = self { true } else { false }
  }

  /// The number at the uniform `u`.
  @inlinable public func number(at u: UInt64) -> Double {
    switch self {
    case .constant(let number): number
    case .uniform(let from, let width): from + width * (Double(Int64(u >> 11)) / 9_007_199_254_740_992)
    case .choice(let choice): choice.value(at: u)
    case .table(let table): table.number(at: u)
    }
  }
}
