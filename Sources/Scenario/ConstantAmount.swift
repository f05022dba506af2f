import SimulationKernel

extension OperatingSystem {
  /// A constant as one number, by which values are ordered; nil: a word.
  package func amount(of constant: BracketConstant) -> Double? {
    if constant.rawValue == BracketConstant.capacityPath { return budget.capacity.amount }
    return switch value(of: constant) {
    case let span as TimeAmount: span.measure
    case let spans as Distribution<TimeAmount>: spans.middle
    case let share as Share: share.fraction
    case let number as Double: number
    case let count as Int: Double(count)
    default: nil
    }
  }
}

extension Budget.Capacity {
  fileprivate var amount: Double? {
    switch self {
    case .views: nil
    case .perDay(let runs): runs.measure
    case .range(let from, let to): (from.measure + to.measure) / 2
    case .drawn(let runs): runs.middle
    }
  }
}

extension Distribution where Value: Measured {
  /// The mean, of a lognormal one the median, in the smallest unit.
  fileprivate var middle: Double {
    switch self {
    case .constant(let value): value.measure
    case .uniform(let from, let to): (from.measure + to.measure) / 2
    case .exponential(let mean), .normal(let mean, _): mean.measure
    case .lognormal(let median, _): median.measure
    case .choice(let options): options.reduce(0) { $0 + $1.value.measure * $1.weight }
    }
  }
}
