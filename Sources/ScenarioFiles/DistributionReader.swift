import Foundation
import Scenario

/// Reads a `<dist>` that has been checked.
enum DistributionReader {
  /// The 95 % quantile of the standard normal distribution.
  private static let z95 = 1.6448536269514722

  /// - Returns: nil where the check has found a problem.
  static func read<Value: Measured>(
    _ node: Node, _ parse: (String) throws(ValueProblem) -> Value
  ) -> Distribution<Value>? {
    if node.text != nil { return Reading.read(node, parse).map { .constant($0) } }
    guard let pair = node.pairs?.first else { return nil }
    let value = pair.value
    func parameter(_ key: String) -> Value? { value[key].flatMap { Reading.read($0, parse) } }
    switch DistributionForm(rawValue: pair.key) {
    case .uniform: return uniform(value, parse)
    case .exponential: return Reading.read(value, parse).map { .exponential(mean: $0) }
    case .normal:
      guard let mean = parameter("mean"), let deviation = parameter("sd") else { return nil }
      return .normal(mean: mean, deviation: deviation)
    case .lognormal:
      guard let median = parameter("median") else { return nil }
      return sigma(value, median: median, p95: parameter("p95")).map { .lognormal(median: median, sigma: $0) }
    case .choice: return choice(value, parse)
    case nil: return nil
    }
  }

  private static func uniform<Value>(
    _ node: Node, _ parse: (String) throws(ValueProblem) -> Value
  ) -> Distribution<Value>? {
    guard let text = node.text else { return nil }
    do {
      let (from, to) = try Quantities.ends(text)
      return .uniform(from: try parse(from), to: try parse(to))
    } catch { return nil }
  }

  private static func sigma<Value: Measured>(_ node: Node, median: Value, p95: Value?) -> Double? {
    if let sigma = node["sigma"] {
      return Reading.read(sigma, PlainNumbers.number)
    }
    guard let p95, median.measure > 0, p95.measure > median.measure else { return nil }
    return log(p95.measure / median.measure) / z95
  }

  private static func choice<Value>(
    _ node: Node, _ parse: (String) throws(ValueProblem) -> Value
  ) -> Distribution<Value>? {
    let choices = (node.pairs ?? []).compactMap { pair -> Weighted<Value>? in
      let share = Reading.read(pair.value, Quantities.share)
      let key = Node(content: .scalar(pair.key, isPlain: true), span: pair.keySpan)
      guard let share, let value = Reading.read(key, parse) else { return nil }
      return Weighted(value, weight: share.fraction)
    }
    return choices.isEmpty ? nil : .choice(choices)
  }
}
