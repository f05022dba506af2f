import Calibration
import Foundation
import Testing

/// The number of 95 % intervals that contain the truth, over logs that differ only in their draws.
struct Coverage {
  /// Whether to run the long form of studies: `make studies`.
  static let isLong = ProcessInfo.processInfo.environment["WIDGETFLEET_STUDIES"] != nil

  /// The number of logs per study: 200, or 12 in the short form.
  static var trials: Int { isLong ? 200 : 12 }

  /// The number of intervals that contain the truth in 99 % of studies with a correct method: binomial quantiles for 95
  /// %.
  static var expected: ClosedRange<Int> { isLong ? 181...197 : 9...12 }

  private(set) var covered = 0
  private(set) var values: [Double] = []

  mutating func add(_ estimate: Estimate, truth: Double) {
    if let value = estimate.value { values.append(value) }
    guard let low = estimate.low, let high = estimate.high, low <= truth, truth <= high else { return }
    covered += 1
  }

  var mean: Double { values.reduce(0, +) / Double(max(values.count, 1)) }

  var deviation: Double {
    let mean = mean
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(values.count - 1, 1))).squareRoot()
  }
}
