internal import Scenario
internal import SimulationKernel

/// What numbers of merged constants count.
package enum MergeUnit: Sendable {
  case milliseconds, fractions, numbers
  /// Millionths of a run per day.
  case millionthsPerDay
}

/// A constant of the system as the form of its law and one number: what profiles are merged by.
struct SizedConstant {
  /// What remains of a law without its number.
  enum Form: Hashable {
    case span, share, number, count, perDay
    case constant
    /// The number is the upper end.
    case uniform(from: TimeAmount)
    /// The number is the mean.
    case exponential
    case normal(deviation: TimeAmount)
    /// The number is the median.
    case lognormal(sigma: Double)
  }

  let form: Form
  /// Milliseconds, a fraction, a count, or millionths of a run per day.
  var number: Double

  /// - Returns: nil for a law that no single number sizes.
  init?(_ constant: BracketConstant, of system: OperatingSystem) {
    if constant.rawValue == BracketConstant.capacityPath {
      guard case .perDay(let runs) = system.budget.capacity else { return nil }
      (form, number) = (.perDay, runs.measure)
      return
    }
    switch system.value(of: constant) {
    case let span as TimeAmount: (form, number) = (.span, span.measure)
    case let share as Share: (form, number) = (.share, share.fraction)
    case let value as Double: (form, number) = (.number, value)
    case let count as Int: (form, number) = (.count, Double(count))
    case let spans as Distribution<TimeAmount>:
      guard let parts = Self.parts(of: spans) else { return nil }
      (form, number) = parts
    default: return nil
    }
  }

  private static func parts(of spans: Distribution<TimeAmount>) -> (Form, Double)? {
    switch spans {
    case .constant(let span): (.constant, span.measure)
    case .uniform(let from, let to): (.uniform(from: from), to.measure)
    case .exponential(let mean): (.exponential, mean.measure)
    case .normal(let mean, let deviation): (.normal(deviation: deviation), mean.measure)
    case .lognormal(let median, let sigma): (.lognormal(sigma: sigma), median.measure)
    case .choice: nil
    }
  }

  /// With another number: as round as a profile has it, to one side, and within what its key allows.
  func resized(
    _ number: Double, _ side: FloatingPointRoundingRule, within limits: ClosedRange<Double>
  ) -> SizedConstant {
    let round = (number * stepsPerUnit).rounded(side) / stepsPerUnit
    let least = min(max(limits.lowerBound, ownLeast), limits.upperBound)
    var resized = self
    resized.number = min(max(round, least), limits.upperBound)
    return resized
  }

  /// Tenths of a second, thousandths of numbers and of runs per day, hundredths of a per cent.
  private var stepsPerUnit: Double {
    switch form {
    case .share: 10_000
    case .number: 1_000
    case .count: 1
    case .perDay: 0.001
    case .span, .constant, .uniform, .exponential, .normal, .lognormal: 0.01
    }
  }

  var unit: MergeUnit {
    switch form {
    case .share: .fractions
    case .number, .count: .numbers
    case .perDay: .millionthsPerDay
    case .span, .constant, .uniform, .exponential, .normal, .lognormal: .milliseconds
    }
  }

  /// The least number with which the form is a law.
  private var ownLeast: Double {
    switch form {
    case .uniform(let from): from.measure
    case .exponential, .lognormal: 1 / stepsPerUnit
    default: 0
    }
  }

  func put(_ constant: BracketConstant, into system: inout OperatingSystem) {
    let span = TimeAmount.milliseconds(Int64(number.rounded()))
    let value: any KeyValue
    switch form {
    case .perDay:
      system.budget.capacity = .perDay(RunMillionths(count: Int64(number.rounded())))
      return
    case .span: value = span
    case .share: value = Share(fraction: number)
    case .number: value = number
    case .count: value = Int(number)
    case .constant: value = Distribution.constant(span)
    case .uniform(let from): value = Distribution.uniform(from: from, to: span)
    case .exponential: value = Distribution.exponential(mean: span)
    case .normal(let deviation): value = Distribution.normal(mean: span, deviation: deviation)
    case .lognormal(let sigma): value = Distribution.lognormal(median: span, sigma: sigma)
    }
    constant.put(value, into: &system)
  }
}
